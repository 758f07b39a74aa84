// A Worker: takes requests one after the other, gives them to the WebAssembly module, and sends back what it says.

/** What a Worker is sent: first the module, then requests. */
export type ToWorker =
  | { wasm: WebAssembly.Module }
  | { id: number; request: unknown; bytes?: Uint8Array }

/** What a Worker sends: results on the way, and at the end an answer or an error. */
export type FromWorker =
  | { ready: true }
  | { id: number; told: unknown }
  | { id: number; answer: unknown; bytes: Uint8Array }
  | { id: number; error: string }
  | { id: number; broken: string }

interface Exports {
  memory: WebAssembly.Memory
  reserve(length: number): number
  answer(jsonLength: number): number
  answer_part(part: number): number
  answer_length(part: number): number
}

const scope = self as unknown as { postMessage(message: FromWorker, transfer?: Transferable[]): void }
let module: Exports
let current = 0
let panic = ''

const text = (start: number, length: number) =>
  new TextDecoder().decode(new Uint8Array(module.memory.buffer, start >>> 0, length >>> 0))

async function start(wasm: WebAssembly.Module) {
  const page = {
    tell(start: number, length: number) {
      const told = JSON.parse(text(start, length)) as { panic?: string }
      if (told.panic) panic = told.panic
      else scope.postMessage({ id: current, told })
    },
  }
  const instance = await WebAssembly.instantiate(wasm, { page })
  module = instance.exports as unknown as Exports
  scope.postMessage({ ready: true })
}

function part(number: number): Uint8Array {
  const [start, length] = [module.answer_part(number) >>> 0, module.answer_length(number) >>> 0]
  return new Uint8Array(module.memory.buffer, start, length).slice()
}

function ask(id: number, request: unknown, bytes: Uint8Array = new Uint8Array()) {
  current = id
  const json = new TextEncoder().encode(JSON.stringify(request))
  const place = module.reserve(json.length + bytes.length) >>> 0
  const room = new Uint8Array(module.memory.buffer, place, json.length + bytes.length)
  room.set(json)
  room.set(bytes, json.length)
  const good = module.answer(json.length)
  const answer = JSON.parse(new TextDecoder().decode(part(0))) as { error?: string }
  if (!good) return scope.postMessage({ id, error: answer.error ?? 'no reason given' })
  const more = part(1)
  scope.postMessage({ id, answer, bytes: more }, [more.buffer])
}

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if ('wasm' in data) return start(data.wasm)
  try {
    ask(data.id, data.request, data.bytes)
  } catch (error) {
    // The module has stopped in the middle of something: nothing in it can be trusted any more.
    scope.postMessage({ id: data.id, broken: panic || String(error) })
  }
}
