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
/** Fresh words, and how often they are made: they take time from the training. */
const FRESH = 12
const FRESH_EVERY = 1500
/** A longer list is not put into the field, where browsers are slow: only its beginning is shown. */
const MAX_SHOWN = 200_000
/** Slices that a point of the curve is the mean of: one slice has few words. */
const SMOOTH = 6
const MOVE_ON = 'All other panels use it now: look into its noise, make words, match pseudowords, score words.'

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
  private list = form.area('list', 'Words or names', { rows: 9, placeholder: 'Titan\nRhea\nIapetus\n…', hint: 'One on a line; a count may follow after a tab.' })
  private lower = form.tick('lower', 'Turn into lower case')
  private seed = form.number('seed', 'Seed', { value: '1', least: 0, most: Number.MAX_SAFE_INTEGER })
  private name = 'my list'
  /** A list that is too long for the field, and the beginning of it that stands there. */
  private long: { whole: string; shown: string } | undefined
  private bar = h('progress', { max: 1, value: 0, 'aria-label': 'How far the training is' })
  private state = h('p', {})
  private picture = svg('svg', { class: 'curve', viewBox: '0 0 640 205', role: 'img', 'aria-label': 'Nats per word, as training goes on' })
  private fresh = h('div', { class: 'fresh', role: 'group', 'aria-label': 'Fresh words' })
  private running = h('div', { hidden: true })
  private stop = h('button', { type: 'button', click: () => (this.stopping = true) }, 'Stop here and keep it')
  private keep = h('button', { type: 'button', class: 'main', hidden: true, click: () => this.save() }, 'Save the model file')
  private stopping = false
  private began = 0
  private points: { seen: number; nats: number; held: number | null }[] = []
  private trained: { model: Model; bytes: Uint8Array } | undefined
  /** Its own, so that the other panels can be used meanwhile. */
  private engine = new Engine()

  constructor(private app: App) {
    fill(this.running, h('div', { class: 'progress' }, this.bar, this.state), this.picture,
      h('p', { class: 'hint' }, 'Nats per word: lower is better. Grey: the words it learns from; colour: words held out.'), this.fresh,
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
        h('p', {}, 'Names, places, a language, an invented one: a few hundred words are enough to begin with. How large the model is and how long it is trained follow from the list. The list stays in this page.'),
        h('div', { class: 'buttons' }, h('button', { type: 'button', click: () => this.example() }, 'Try it with the names of moons')),
        this.messages.element, this.running)))
  }

  show(values: URLSearchParams) {
    this.seed.set(values.get('seed') ?? '')
    remember(this.id, { seed: this.seed.get() })
  }

  private example() {
    this.take('moons.txt', MOONS.trim())
    void this.train()
  }

  private take(name: string, text: string) {
    this.name = name
    const shown = text.length > MAX_SHOWN ? `${text.slice(0, text.lastIndexOf('\n', 2000))}\n…` : text
    this.long = shown === text ? undefined : { whole: text, shown }
    this.list.set(shown)
  }

  /** The list to train on: the field, unless it shows only the beginning of it. */
  private text(): string {
    return this.long && this.list.get() === this.long.shown ? this.long.whole : this.list.get()
  }

  private async drop(file: File) {
    this.messages.clear()
    try {
      const rows = await rowsOf(file)
      this.take(file.name, rows.map((row) => row.slice(0, 2).filter(Boolean).join('\t')).join('\n'))
      this.messages.say(`${file.name}: ${grouped(rows.length)} lines. Press Train to begin.`)
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
    this.stop.hidden = true
    this.running.hidden = false
    this.bar.value = 0
    this.state.textContent = 'Reading the list …'
    fill(this.picture)
    fill(this.fresh)
    const seed = whole(this.seed.get(), 1, 0, Number.MAX_SAFE_INTEGER)
    remember(this.id, { seed: String(seed) })
    try {
      if (!this.text().trim()) throw new Error('the list is empty: paste some words, or drop a file')
      const text = new TextEncoder().encode(this.text())
      const request = { do: 'train', name: this.name, seed, lower_case: this.lower.get() === '1' }
      const { json: begun } = await this.engine.ask(request, text)
      this.app.unsaved.add(this)
      this.began = performance.now()
      this.stop.hidden = false
      this.state.textContent = `${grouped(begun.words)} words; ${grouped(begun.parameters)} parameters.`
      await this.steps()
      this.stop.hidden = true
      const { bytes } = await this.engine.ask({ do: 'trained', model: 'new' })
      const model = this.app.models.add(this.name.replace(/\.\w+$/, ''), bytes)
      this.trained = { model, bytes }
      this.app.models.choose(model)
      this.keep.hidden = false
      this.bar.value = 1
      this.messages.say(`Done. ${MOVE_ON}`)
    } catch (error) {
      this.running.hidden = !this.points.length
      this.stop.hidden = true
      this.app.unsaved.delete(this)
      if (!(error instanceof Cancelled)) this.messages.problem(error)
    }
  }

  /** Slice after slice, each about as long as it takes to look at the result. */
  private async steps() {
    let [steps, done, refreshed] = [2, false, -Infinity]
    while (!done && !this.stopping) {
      const before = performance.now()
      const fresh = before - refreshed > FRESH_EVERY ? FRESH : 0
      if (fresh) refreshed = before
      const { json } = await this.engine.ask({ do: 'steps', steps, fresh })
      const taken = json as Taken
      done = taken.done
      this.draw(taken)
      if (fresh) continue
      const factor = SLICE / Math.max(performance.now() - before, 1)
      steps = Math.max(1, Math.round(steps * Math.min(Math.max(factor, 0.5), 3)))
    }
  }

  private draw({ seen, total, nats, held_out, fresh, notes }: Taken) {
    this.bar.value = seen / Math.max(total, 1)
    if (nats !== null) this.points.push({ seen, nats, held: held_out })
    const held = held_out === null || held_out === undefined ? '' : `, ${held_out.toFixed(2)} for words held out`
    const left = ((performance.now() - this.began) * (total - seen)) / Math.max(seen, 1) / 1000
    const wait = left < 1 ? '' : ` At most ${left < 90 ? `${Math.ceil(left)} seconds` : `${Math.ceil(left / 60)} minutes`} left.`
    this.state.textContent = `${grouped(seen)} of at most ${grouped(total)} words seen; ${this.smooth().at(-1)?.nats.toFixed(2) ?? '–'} nats per word${held}.${wait}`
    if (fresh.length) fill(this.fresh, ...fresh.map((word) => h('span', { class: 'word', dir: 'auto' }, word)))
    if (notes.length) this.messages.say(notes.join(' '))
    this.curve(total)
  }

  /** The points of the curve without most of their jitter. */
  private smooth() {
    return this.points.map((point, place) => {
      const recent = this.points.slice(Math.max(place - SMOOTH + 1, 0), place + 1)
      return { ...point, nats: recent.reduce((sum, { nats }) => sum + nats, 0) / recent.length }
    })
  }

  private curve(total: number) {
    const points = this.smooth()
    const [left, right, top, bottom] = [44, 625, 14, 190]
    const all = points.flatMap(({ nats, held }) => [nats, ...(held === null || held === undefined ? [] : [held])])
    const [low, high] = [Math.floor(Math.min(...all)), Math.ceil(Math.max(...all.slice(0, 400)))]
    const x = (seen: number) => left + ((right - left) * seen) / total
    const y = (nats: number) => bottom - ((bottom - top) * (nats - low)) / Math.max(high - low, 1)
    const path = (points: [number, number][]) => points.map(([seen, nats]) => `${x(seen).toFixed(1)},${y(nats).toFixed(1)}`).join(' ')
    const marks = [0, 0.5, 1].map((share) => low + share * (high - low)).flatMap((nats) => [
      svg('line', { class: 'grid', x1: left, x2: right, y1: y(nats), y2: y(nats) }),
      svg('text', { x: left - 8, y: y(nats) + 4, 'text-anchor': 'end' }, nats.toFixed(nats % 1 ? 1 : 0)),
    ])
    const held = points.filter((point) => point.held !== null && point.held !== undefined)
    fill(this.picture, ...marks,
      svg('polyline', { class: 'train', points: path(points.map(({ seen, nats }) => [seen, nats])) }),
      svg('polyline', { class: 'held', points: path(held.map(({ seen, held }) => [seen, held!])) }))
  }

  private save() {
    if (!this.trained) return
    save(`${this.trained.model.name}.safetensors`, this.trained.bytes as BlobPart, 'application/octet-stream')
    this.app.unsaved.delete(this)
  }
}
