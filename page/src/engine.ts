// A Worker seen from the page: requests become promises, and whatever runs can be cancelled.
import type { FromWorker } from './worker'
import type { Model } from './models'
import { unpacked } from './packed'

declare const WORKER: string

/** Thrown into everything that was waiting when work is cancelled. */
export class Cancelled extends Error {}

interface Waiting {
  done(answer: Answer): void
  failed(error: Error): void
  told?: (told: any) => void
}

export interface Answer {
  json: any
  bytes: Uint8Array
}

let url: string | undefined
/** Compiled once for all Workers: one that is started anew after work was cancelled has its code at hand. */
let compiled: Promise<WebAssembly.Module> | undefined

export class Engine {
  private worker: Worker | undefined
  private ready: Promise<void> | undefined
  private refuse: (error: Error) => void = () => undefined
  private waiting = new Map<number, Waiting>()
  private open = new Map<string, Promise<Answer>>()
  private next = 1
  /** How often work was ended: what began before the last time must not go on. */
  private ended = 0

  /** Starts the Worker now, so that it need not be waited for later. */
  start(): Promise<void> {
    if (this.ready) return this.ready
    url ??= URL.createObjectURL(new Blob([WORKER], { type: 'text/javascript' }))
    const worker = new Worker(url)
    this.worker = worker
    this.ready = new Promise((resolve, reject) => {
      this.refuse = reject
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => ('ready' in data ? resolve() : this.receive(data))
      worker.onerror = (event) => this.stop(new Error(event.message || 'the Worker stopped'))
    })
    // Whoever waits for it hears of it.
    this.ready.catch(() => undefined)
    compiled ??= unpacked('wasm').then((wasm) => WebAssembly.compile(wasm as BufferSource))
    compiled.then((wasm) => worker.postMessage({ wasm }), (error) => this.stop(new Error(`this browser cannot run the page: ${error}`)))
    return this.ready
  }

  /** Asks something about a model, which is opened if it is not open. */
  async of(model: Model, request: object, told?: (told: any) => void): Promise<any> {
    const { ended } = this
    await this.use(model)
    if (ended !== this.ended) throw new Cancelled('cancelled')
    return (await this.ask({ ...request, model: model.code }, undefined, told)).json
  }

  /** Opens a model, unless it is open. */
  use(model: Model): Promise<Answer> {
    let opened = this.open.get(model.code)
    if (!opened) {
      opened = model.bytes().then((bytes) => this.ask({ do: 'open', model: model.code }, bytes))
      this.open.set(model.code, opened)
      opened.catch(() => this.open.delete(model.code))
    }
    return opened
  }

  /** Asks anything. `told` gets what comes on the way. */
  ask(request: object, bytes?: Uint8Array, told?: (told: any) => void): Promise<Answer> {
    return new Promise((done, failed) => {
      const id = this.next++
      this.waiting.set(id, { done, failed, told })
      this.start().then(() => this.waiting.has(id) && this.worker?.postMessage({ id, request, bytes }), failed)
    })
  }

  /** Ends whatever is running, at once. A Worker that is idle stays, with the models that it has opened. */
  cancel() {
    this.ended += 1
    if (this.waiting.size) this.stop(new Cancelled('cancelled'))
  }

  private receive(data: Exclude<FromWorker, { ready: true }>) {
    const waiting = this.waiting.get(data.id)
    if (!waiting) return
    if ('told' in data) return waiting.told?.(data.told)
    this.waiting.delete(data.id)
    if ('answer' in data) waiting.done({ json: data.answer, bytes: data.bytes })
    else if ('error' in data) waiting.failed(new Error(data.error))
    else {
      const memory = /memory|alloc|capacity/i.test(data.broken)
      const reason = memory ? 'that takes more memory than the browser gives' : data.broken
      waiting.failed(new Error(`the work was stopped: ${reason}`))
      this.stop(new Cancelled('cancelled'))
    }
  }

  private stop(error: Error) {
    this.worker?.terminate()
    this.refuse(error)
    this.worker = this.ready = undefined
    this.open.clear()
    const waiting = [...this.waiting.values()]
    this.waiting.clear()
    for (const { failed } of waiting) failed(error)
  }
}
