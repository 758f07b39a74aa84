// Look into the noise: drag a point, and see what comes of it.
import type { App, Panel } from '../app'
import { Messages, freshSeed, spelled, wordLink } from '../app'
import { fill, h } from '../dom'
import * as form from '../form'
import { isRightToLeft } from '../models'
import type { ModelInfo } from '../models'
import { oneIn, signed } from '../numbers'
import { remember } from '../settings'
import { Columns, huesOf, tellStep } from './columns'
import type { Step, Encoding } from './columns'

/** What a step's noise is given by. */
type Given = { point: number; noise?: number[] }

const FIRST_SEED = '1'
/** The first language begins with a word of its own that is new; in others a word is made, neither too short nor too long. */
const FIRST_WORD = 'knotten'
/** What a word to look into is like. */
const OTHER_WORD = { length: '6-8' }

export class NoisePanel implements Panel {
  readonly id = 'noise'
  readonly title = 'Look into the noise'
  private messages = new Messages()
  private about = h('p', { class: 'about-step', 'aria-live': 'off' })
  private total = h('p', { class: 'about-word' })
  private near = h('div', { class: 'chips', role: 'group', 'aria-label': 'Words near this one' })
  private way = h('div', { class: 'chips', role: 'group', 'aria-label': 'Words on the way' })
  private word = form.text('word', 'Word', { placeholder: 'any word' })
  private target = form.text('to', 'Other word', { placeholder: 'any other word' })
  private share = form.slider('share', 'How far', { least: 0, most: 1, step: 0.01, show: (value) => `${Math.round(100 * value)} %` })
  private distance = form.slider('distance', 'How near', {
    value: '0.05', least: 0.01, most: 0.4, step: 0.01, show: (value) => `${Math.round(100 * value)} % fresh noise`,
  })
  private columns = new Columns({
    move: (step, point) => this.move(step, point),
    redraw: (step) => this.move(step, Math.random()),
    select: (step) => this.select(step),
  })
  readonly element: HTMLElement

  private seed = FIRST_SEED
  private info: ModelInfo | undefined
  private encoding: Encoding | undefined
  private hues = new Map<string, number>()
  private selected = 0
  /** The noise of the steps, those after the word's end too: they come back when the word grows again. */
  private given: Given[] = []
  private busy = false
  private next: (() => Promise<void>) | undefined
  private later: ReturnType<typeof setTimeout> | undefined

  constructor(private app: App) {
    const begin = h('form', { submit: (event: Event) => (event.preventDefault(), this.begin(this.word.get())) },
      this.word.element, h('button', { type: 'submit' }, 'Show its noise'))
    this.target.element.addEventListener('change', () => this.walk())
    this.share.element.addEventListener('input', () => this.walk())
    this.distance.element.addEventListener('input', () => this.showNear())
    this.element = h('section', { class: 'noise-panel' },
      h('div', { class: 'beside' },
        h('div', { class: 'prose' },
          h('h2', {}, 'A word is made of white noise'),
          h('p', {}, 'For each letter the model divides a bar among the letters that may come next: the likelier, the taller. ',
            'Then one random number falls onto the bar. Where it lands is the letter.'),
          h('p', {}, h('b', {}, 'Drag a point. '), 'The letter changes, the model expects something else from then on, and the letters after it change too, ',
            'though their noise stays the same.'),
          this.about, this.total,
          h('div', { class: 'buttons' },
            h('button', { type: 'button', class: 'main', click: () => this.fresh() }, 'New noise'),
            h('button', { type: 'button', click: () => this.move(this.selected, Math.random()) }, 'New noise for this letter')),
          h('details', { class: 'keys' }, h('summary', {}, 'With the keyboard'),
            h('p', {}, '← → go from letter to letter, ↑ ↓ move the point, Page Up and Page Down go to the next cell, a letter goes to its cell, Enter draws new noise.')),
          h('details', { class: 'keys' }, h('summary', {}, 'In the paper’s terms'),
            h('p', {}, 'Each step draws noise ξ from a standard normal distribution; the scale beside the bars shows its values. All randomness is in the noise: given ξ₁, ξ₂, …, the word is certain. ',
              'The flow maps the noise and the state so far to the letter and the next state. In the choice flow, a letter’s cell is the interval of Φ(ξ) that belongs to it, and the width of the cell is the letter’s probability. ',
              'So the probability of a word is exact: the product of the widths. Its negative logarithm is the sum of the surprisals, in nats; one nat is 1.44 bits.'))),
        h('div', { class: 'picture' }, this.columns.element, this.messages.element)),
      h('div', { class: 'more' },
        h('div', { class: 'card' }, h('h3', {}, 'From a word to its noise'),
          h('p', {}, 'Every word that the model can spell has noise that makes it. Type one and see.'), begin),
        h('div', { class: 'card' }, h('h3', {}, 'Words near this one'),
          h('p', {}, 'Mix a little fresh noise into the noise of this word.'), this.distance.element, this.near),
        h('div', { class: 'card' }, h('h3', {}, 'From one word to another'),
          h('p', {}, 'Move the slider to turn the noise of this word into that of another, little by little.'), this.target.element, this.share.element, this.way)))
  }

  show(values: URLSearchParams) {
    this.seed = values.get('seed') ?? FIRST_SEED
    const points = (values.get('points') ?? '').split(',').filter(Boolean).map(Number)
    const word = values.get('word')
    this.given = points.filter((point) => point >= 0 && point <= 1).map((point) => ({ point }))
    this.start(this.given.length ? {} : word ? { word } : { first: true })
  }

  modelChanged() {
    this.info = undefined
    this.columns.select((this.selected = 0))
    this.given = []
    this.word.set('')
    if (!this.element.hidden) this.start({ first: true })
  }

  private start(how: { word?: string; first?: boolean }) {
    this.run(async () => {
      const { live, models } = this.app
      if (!this.info) {
        this.info = (await live.use(models.current)).json as ModelInfo
        this.columns.element.dir = isRightToLeft(this.info.letters) ? 'rtl' : 'ltr'
      }
      this.origin = undefined
      let word = how.word && (await spelled(this.app, [how.word]))[0]
      if (how.first && models.current === models.all[0]) word = FIRST_WORD
      else if (how.first) await live.of(models.current, { do: 'words', count: 1, request: { seed: Number(this.seed), constraints: OTHER_WORD } }, (told) => (word = told.words[0]))
      if (how.word) this.word.set(how.word)
      await this.decode({ word })
    })
  }

  private begin(word: string) {
    if (word) this.start({ word })
  }

  private fresh() {
    this.seed = freshSeed()
    this.given = []
    this.word.set('')
    this.start({})
  }

  private select(step: number) {
    this.selected = step
    this.columns.select(step)
    if (this.encoding) tellStep(this.about, this.encoding, step)
  }

  private move(step: number, point: number) {
    const given = this.given[step]
    if (!given) return
    this.given[step] = { ...given, point }
    this.origin = undefined
    this.selected = step
    this.run(() => this.decode({}))
  }

  /** Does the newest of what is wanted; what came in between is overtaken. */
  private run(work: () => Promise<void>) {
    this.next = work
    if (this.busy) return
    this.busy = true
    const turn = async () => {
      while (this.next) {
        const now = this.next
        this.next = undefined
        try {
          await now()
          this.messages.clear()
        } catch (error) {
          this.messages.problem(error)
        }
      }
      this.busy = false
    }
    void turn()
  }

  private async decode(more: { word?: string }) {
    const { live, models } = this.app
    // In the choice flow the point says all; other models need their noise too.
    const steps = this.given.map(({ point, noise }) => (this.info?.exact ? { point } : { point, noise }))
    const encoding: Encoding = await live.of(models.current, { do: 'noise', seed: Number(this.seed), steps, ...more })
    if (more.word) this.given = []
    this.draw(encoding, !more.word)
  }

  private draw(encoding: Encoding, byPoints: boolean) {
    this.encoding = encoding
    if (this.hues.size !== encoding.symbols.length) this.hues = huesOf(encoding.symbols)
    encoding.steps.forEach(({ point, noise }, number) => (this.given[number] = { point, noise }))
    this.selected = Math.min(this.selected, encoding.steps.length - 1)
    this.columns.draw(encoding, this.hues)
    this.columns.select(this.selected)
    tellStep(this.about, encoding, this.selected)
    fill(this.total, h('b', { class: 'word', dir: 'auto' }, encoding.word || 'the empty word'), ` has a log-probability of ${signed(encoding.log_probability)}: ${oneIn(encoding.log_probability)}.`, ' ', this.known)
    const link: Record<string, string> = byPoints ? { seed: this.seed, points: this.given.slice(0, encoding.steps.length).map(({ point }) => point.toFixed(5)).join(',') } : { seed: this.seed, word: encoding.word }
    const { current } = this.app.models
    remember(this.id, { model: current.bundled ? current.code : '', ...link })
    clearTimeout(this.later)
    this.known.textContent = ''
    this.later = setTimeout(() => this.settle(), 250)
  }

  private known = h('span', {})

  /** When the hand rests: says the word aloud, whether it is known, and what is near. */
  private async settle() {
    const word = this.encoding?.word ?? ''
    this.app.announce(word || 'the empty word')
    const { work, models } = this.app
    const found = await work.of(models.current, { do: 'known', words: [word] }).catch(() => undefined)
    if (found && word === this.encoding?.word) this.known.textContent = found.known[0] ? 'It is a word of the list.' : 'It is new.'
    void this.showNear()
  }

  private lookingNear = false
  /** Words near the one that is shown, in the other Worker: this takes a while, and points must move at once. */
  private async showNear() {
    if (this.lookingNear) return
    this.lookingNear = true
    const { work, models } = this.app
    for (;;) {
      const [word, distance, seed] = [this.encoding?.word ?? '', this.distance.get(), this.seed]
      const words: string[] = []
      const request = { do: 'words', count: 14, request: { seed: Number(seed), like: word, distance: Number(distance), unique: true, max_tries: 3000 } }
      if (word && !this.near.childElementCount) fill(this.near, h('span', { class: 'hint' }, 'Searching …'))
      if (word) await work.of(models.current, request, (told) => words.push(...told.words)).catch(() => undefined)
      fill(this.near, ...words.filter((other) => other !== word).slice(0, 12).map((other) => wordLink(this.app, other)))
      // Whatever changed meanwhile is looked at now.
      if (word === (this.encoding?.word ?? '') && distance === this.distance.get()) break
    }
    this.lookingNear = false
  }

  /** Where a walk begins: the word and its noise. */
  private origin: { word: string; steps: Step[] } | undefined

  private walk() {
    if (!this.target.get() || !this.encoding) return
    this.origin ??= { word: this.encoding.word, steps: this.encoding.steps }
    const origin = this.origin
    this.run(async () => {
      const { live, models } = this.app
      const steps = origin.steps.map(({ point, noise }) => ({ point, noise }))
      const share = Number(this.share.get())
      const [to] = await spelled(this.app, [this.target.get()])
      const request = { do: 'toward', seed: Number(this.seed), steps, to, share, points: 41 }
      const { encoding, way }: { encoding: Encoding; way: string[] } = await live.of(models.current, request)
      this.given = []
      this.draw(encoding, true)
      fill(this.way, ...way.map((word) => h('span', { class: word === encoding.word ? 'word here' : 'word', dir: 'auto' }, word)))
      this.origin = origin
    })
  }
}
