// Your own list: train on it here, watch it learn, take the model along.
import type { App, Panel } from './app'
import { Messages } from './app'
import { Cancelled, Engine } from './engine'
import { fill, h, save, svg } from './dom'
import { dropPlace } from './files/drop'
import { bytesOf, rowsOf } from './files/read'
import * as form from './form'
import type { Model } from './models'
import { grouped } from './numbers'
import { remember, whole } from './settings'

declare const MOONS: string

/** A slice of work is to take about so long. */
const SLICE = 250
const MOVE_ON = 'Make words, score words, match pseudowords and look into its noise: the other panels use it now.'

interface Taken {
  stopped_early: boolean
  seen: number
  total: number
  nats: number | null
  held_out: number | null
  done: boolean
  fresh: string[]
  notes: string[]
}

export class TrainPanel implements Panel {
  readonly id = 'train'
  readonly title = 'Your own list'
  readonly element: HTMLElement
  private messages = new Messages()
  private list = form.area('list', 'Words or names, one on a line; with counts if you have them', { rows: 9, placeholder: 'Titan\nRhea\nIapetus\n…' })
  private lower = form.tick('lower', 'In lower case')
  private seed = form.number('seed', 'Seed', { value: '1', least: 0, most: Number.MAX_SAFE_INTEGER })
  private name = 'my list'
  private bar = h('progress', { max: 1, value: 0, 'aria-label': 'How far the training is' })
  private state = h('p', {})
  private picture = svg('svg', { class: 'curve', viewBox: '0 0 640 220', role: 'img', 'aria-label': 'Nats per word, as training goes on' })
  private fresh = h('div', { class: 'fresh', role: 'group', 'aria-label': 'Fresh words' })
  private running = h('div', { hidden: true })
  private stop = h('button', { type: 'button', click: () => (this.stopping = true) }, 'Stop here and keep it')
  private keep = h('button', { type: 'button', class: 'main', hidden: true, click: () => this.save() }, 'Save the model file')
  private stopping = false
  private points: { seen: number; nats: number; held: number | null }[] = []
  private trained: { model: Model; bytes: Uint8Array } | undefined
  /** Its own, so that the other panels can be used meanwhile. */
  private engine = new Engine()

  constructor(private app: App) {
    fill(this.running, h('div', { class: 'progress' }, this.bar, this.state), this.picture, this.fresh,
      h('div', { class: 'buttons' }, this.stop, this.keep))
    this.element = h('section', {}, h('div', { class: 'sided' },
      h('div', {},
        h('form', { class: 'settings', submit: (event: Event) => (event.preventDefault(), void this.train()) },
          this.list.element,
          dropPlace('Open a list', 'or drop one here: text, CSV or XLSX', '.txt,.csv,.tsv,.xlsx,.gz,.zst', (file) => void this.drop(file)),
          this.lower.element, this.seed.element,
          h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'main' }, 'Train'))),
        dropPlace('Open a model file', 'made here or by the command', '.safetensors', (file) => void this.open(file))),
      h('div', {},
        h('h2', {}, 'A model of your own'),
        h('p', {}, 'Names, places, a language, an invented one: some hundred words are enough to begin with. Size and length of the training follow from the list. It stays in this page.'),
        h('div', { class: 'buttons' }, h('button', { type: 'button', click: () => this.example() }, 'Try it with the moons of the planets')),
        this.messages.element, this.running)))
  }

  show(values: URLSearchParams) {
    this.seed.set(values.get('seed') ?? '')
    remember(this.id, { seed: this.seed.get() })
  }

  private example() {
    this.name = 'moons.txt'
    this.list.set(MOONS.trim())
    void this.train()
  }

  private async drop(file: File) {
    this.messages.clear()
    try {
      const rows = await rowsOf(file)
      this.name = file.name
      this.list.set(rows.map((row) => row.slice(0, 2).filter(Boolean).join('\t')).join('\n'))
      this.messages.say(`${file.name}: ${grouped(rows.length)} lines.`)
    } catch (error) {
      this.messages.problem(error)
    }
  }

  private async open(file: File) {
    this.messages.clear()
    const { models, live } = this.app
    try {
      const bytes = await bytesOf(file)
      const model = models.add(file.name.replace(/\.safetensors$/, ''), bytes)
      try {
        const { json } = await live.use(model)
        models.choose(model)
        this.messages.say(`${file.name} is open: ${json.letters.length} letters, trained on ${json.provenance.lexicon}. ${MOVE_ON}`)
      } catch (error) {
        models.remove(model)
        throw error
      }
    } catch (error) {
      this.messages.problem(error)
    }
  }

  private async train() {
    this.engine.cancel()
    this.stopping = false
    this.points = []
    this.trained = undefined
    this.messages.clear()
    this.keep.hidden = true
    this.running.hidden = false
    const seed = whole(this.seed.get(), 1, 0, Number.MAX_SAFE_INTEGER)
    remember(this.id, { seed: String(seed) })
    try {
      if (!this.list.get().trim()) throw new Error('the list is empty: paste some words, or drop a file')
      const text = new TextEncoder().encode(this.list.get())
      const request = { do: 'train', name: this.name, seed, lower_case: this.lower.get() === '1' }
      const { json: begun } = await this.engine.ask(request, text)
      this.stop.hidden = false
      this.state.textContent = `${grouped(begun.words)} words; ${grouped(begun.parameters)} parameters.`
      await this.steps()
      this.stop.hidden = true
      const { bytes } = await this.engine.ask({ do: 'trained', model: 'new' })
      const model = this.app.models.add(this.name.replace(/\.\w+$/, ''), bytes)
      this.trained = { model, bytes }
      this.app.models.choose(model)
      this.keep.hidden = false
      this.messages.say(`Done. ${MOVE_ON}`)
    } catch (error) {
      this.running.hidden = !this.points.length
      if (!(error instanceof Cancelled)) this.messages.problem(error)
    }
  }

  /** Slice after slice, each about as long as it takes to look at the result. */
  private async steps() {
    let [steps, done] = [2, false]
    while (!done && !this.stopping) {
      const before = performance.now()
      const { json } = await this.engine.ask({ do: 'steps', steps })
      const taken = json as Taken
      done = taken.done
      this.draw(taken)
      const factor = SLICE / Math.max(performance.now() - before, 1)
      steps = Math.max(1, Math.round(steps * Math.min(Math.max(factor, 0.5), 3)))
    }
  }

  private draw({ seen, total, nats, held_out, fresh, notes }: Taken) {
    this.bar.value = seen / Math.max(total, 1)
    if (nats !== null) this.points.push({ seen, nats, held: held_out })
    const held = held_out === null || held_out === undefined ? '' : `, ${held_out.toFixed(2)} for words held out`
    this.state.textContent = `${grouped(seen)} of at most ${grouped(total)} words seen; ${nats?.toFixed(2) ?? '–'} nats per word${held}.`
    fill(this.fresh, ...fresh.map((word) => h('span', { class: 'word', dir: 'auto' }, word)))
    if (notes.length) this.messages.say(notes.join(' '))
    this.curve(total)
  }

  private curve(total: number) {
    const [left, right, top, bottom] = [44, 625, 14, 190]
    const all = this.points.flatMap(({ nats, held }) => [nats, ...(held === null || held === undefined ? [] : [held])])
    const [low, high] = [Math.floor(Math.min(...all)), Math.ceil(Math.max(...all.slice(0, 400)))]
    const x = (seen: number) => left + ((right - left) * seen) / total
    const y = (nats: number) => bottom - ((bottom - top) * (nats - low)) / Math.max(high - low, 1)
    const path = (points: [number, number][]) => points.map(([seen, nats]) => `${x(seen).toFixed(1)},${y(nats).toFixed(1)}`).join(' ')
    const marks = [0, 0.5, 1].map((share) => low + share * (high - low)).flatMap((nats) => [
      svg('line', { class: 'grid', x1: left, x2: right, y1: y(nats), y2: y(nats) }),
      svg('text', { x: left - 8, y: y(nats) + 4, 'text-anchor': 'end' }, nats.toFixed(nats % 1 ? 1 : 0)),
    ])
    const held = this.points.filter((point) => point.held !== null && point.held !== undefined)
    fill(this.picture, ...marks,
      svg('polyline', { class: 'train', points: path(this.points.map(({ seen, nats }) => [seen, nats])) }),
      svg('polyline', { class: 'held', points: path(held.map(({ seen, held }) => [seen, held!])) }),
      svg('text', { x: left, y: 211 }, 'nats per word: lower is better'),
      svg('text', { x: right, y: 211, 'text-anchor': 'end' }, held.length ? 'grey: words learnt, colour: words held out' : 'words seen →'))
  }

  private save() {
    if (this.trained) save(`${this.trained.model.name}.safetensors`, this.trained.bytes as BlobPart, 'application/octet-stream')
  }
}
