// The list of stimuli as a table: words with their pseudowords, to be sorted, locked and rejected.
import type { App } from '../app'
import { wordLink } from '../app'
import { fill, h } from '../dom'
import { signed } from '../numbers'
import type { Measured } from '../score'

export type Match = Measured & { match_distance: number }

/** What the library says of a whole list. */
export interface Matched {
  targets: { target: Measured; pseudowords: Match[] }[]
  shortages: [string, string][]
  quality: Quality[]
  bias: Bias | null
  method: string
  bibtex: string
}

export interface Quality {
  measure: string
  target_mean: number | null
  pseudoword_mean: number | null
  mean_difference: number
  standardised_distance: number
  p: number | null
}

export interface Bias {
  odds: number
  z: number
  p: number
  significant_orders: number
  verdict: 'biased' | 'doubtful' | 'none-found'
}

/** A word and one of its pseudowords. */
export interface Pair {
  target: Measured
  match: Match
  locked: boolean
}

type Measure = [title: string, hint: string, value: (word: Measured) => number | null, digits: number]
const MEASURES: Measure[] = [
  ['log P', 'Logarithm of the probability', (word) => word.log_probability, 2],
  ['N', 'Coltheart’s N', (word) => word.coltheart_n, 0],
  ['OLD20', 'Mean distance to the 20 nearest words', (word) => word.old20, 2],
  ['bigrams', 'Mean frequency of the bigrams', (word) => word.bigram_frequency, 0],
]
const shown = (value: number | null, digits: number) => (value === null ? '–' : signed(value, digits))

export class StimulusList {
  private body = h('tbody', {})
  private pairs: Pair[] = []
  private rejected = new Set<string>()
  private order = { by: 'list', down: false }
  readonly element: HTMLElement

  constructor(private app: App, private another: (pair: Pair) => void) {
    const sorted = (title: string, by: string) => h('button', { type: 'button', click: () => this.sort(by) }, title)
    const measures = () => MEASURES.map(([title, hint]) => h('th', { scope: 'col', class: 'number', title: hint }, title))
    const head = h('tr', {},
      h('th', { scope: 'col' }, sorted('word', 'word')), ...measures(),
      h('th', { scope: 'col' }, sorted('pseudoword', 'pseudoword')), ...measures(),
      h('th', { scope: 'col', class: 'number', title: 'In standard deviations' }, sorted('distance', 'distance')), h('th', { scope: 'col' }, 'yours'))
    this.element = h('div', { class: 'scroll stimuli', tabindex: 0, role: 'region', 'aria-label': 'Words and pseudowords' }, h('table', {}, h('thead', {}, head), this.body))
  }

  /** Takes over a result; what was locked stays. */
  fill(found: Matched, locked?: Map<string, Pair[]>) {
    if (!locked) this.rejected.clear()
    const fresh = found.targets.flatMap(({ target, pseudowords }) => pseudowords.map((match) => ({ target, match, locked: false })))
    const words = locked ? [...new Set(this.pairs.map((pair) => pair.target.word))] : []
    const kept = words.flatMap((word) => locked?.get(word) ?? fresh.filter((pair) => pair.target.word === word))
    this.pairs = locked ? kept : fresh
    this.draw()
  }

  /** The pairs of the words whose pseudowords are all locked. */
  locked(): Map<string, Pair[]> {
    const all = new Map<string, Pair[]>()
    for (const pair of this.pairs) all.set(pair.target.word, [...(all.get(pair.target.word) ?? []), pair])
    return new Map([...all].filter(([, pairs]) => pairs.every((pair) => pair.locked)))
  }

  /** All pseudowords that are there or were rejected: none of them may come again. */
  seen(): string[] {
    return [...new Set([...this.pairs.map((pair) => pair.match.word), ...this.rejected])]
  }

  replace(pair: Pair, match: Match) {
    this.rejected.add(pair.match.word)
    pair.match = match
    this.draw()
  }

  kinds() {
    return { words: [...new Set(this.pairs.map((pair) => pair.target.word))], nonwords: this.pairs.map((pair) => pair.match.word) }
  }

  private sort(by: string) {
    this.order = { by, down: this.order.by === by && !this.order.down }
    const key = (pair: Pair) => (by === 'distance' ? pair.match.match_distance : by === 'word' ? pair.target.word : pair.match.word)
    const sign = this.order.down ? -1 : 1
    this.pairs.sort((a, b) => {
      const [left, right] = [key(a), key(b)]
      return sign * (typeof left === 'number' && typeof right === 'number' ? left - right : String(left).localeCompare(String(right)))
    })
    this.draw()
  }

  private draw() {
    fill(this.body, ...this.pairs.map((pair) => this.row(pair)))
  }

  private row(pair: Pair): HTMLElement {
    const { target, match } = pair
    const cells = (word: Measured) => MEASURES.map(([, , value, digits]) => h('td', { class: 'number' }, shown(value(word), digits)))
    const lock = h('button', {
      type: 'button', class: 'small', 'aria-pressed': String(pair.locked), 'aria-label': `Lock ${match.word}`,
      click: () => {
        pair.locked = !pair.locked
        this.draw()
      },
    }, pair.locked ? 'locked' : 'lock')
    const reject = h('button', { type: 'button', class: 'small', 'aria-label': `Reject ${match.word}`, disabled: pair.locked, click: () => {
      reject.disabled = true
      this.another(pair)
    } }, 'reject')
    return h('tr', { class: pair.locked ? 'kept' : '' }, h('td', {}, h('span', { class: 'word', dir: 'auto' }, target.word)), ...cells(target),
      h('td', {}, wordLink(this.app, match.word)), ...cells(match), h('td', { class: 'number' }, match.match_distance.toFixed(2)), h('td', {}, lock, ' ', reject))
  }

  /** All measures of all pairs, with a heading. */
  table(): (string | number | null)[][] {
    const names = ['length', 'log_probability', 'percentile_words', 'coltheart_n', 'old20', 'bigram_frequency', 'nearest', 'surprisals']
    const values = (word: Measured) => [word.length, word.log_probability, word.lexicon_percentile, word.coltheart_n, word.old20, word.bigram_frequency,
      word.nearest.join(' '), word.surprisals.map((nats) => nats.toFixed(4)).join(' ')]
    return [
      ['word', ...names.map((name) => `word_${name}`), 'pseudoword', ...names.map((name) => `pseudoword_${name}`), 'match_distance'],
      ...this.pairs.map(({ target, match }) => [target.word, ...values(target), match.word, ...values(match), match.match_distance]),
    ]
  }
}
