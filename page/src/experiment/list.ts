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
  candidates: number
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
  ['N', 'Coltheart’s N: words that differ in one letter', (word) => word.coltheart_n, 0],
  ['OLD20', 'Mean Levenshtein distance to the 20 nearest words', (word) => word.old20, 2],
  ['bigrams', 'Mean frequency of the bigrams', (word) => word.bigram_frequency, 0],
]
const shown = (value: number | null, digits: number) => (value === null ? '–' : signed(value, digits))

interface Column {
  name: string
  value(pair: Pair): string | number | null
  head: HTMLElement
}

export class StimulusList {
  private body = h('tbody', {})
  private pairs: Pair[] = []
  private rejected = new Set<string>()
  private columns: Column[] = []
  private order: { column: Column; down: boolean } | undefined
  readonly element: HTMLElement

  constructor(private app: App, private another: (pair: Pair) => void) {
    const both = { rowspan: 2 }
    const first = h('tr', {},
      this.column('word', 'word', (pair) => pair.target.word, both),
      this.column('pseudoword', 'pseudoword', (pair) => pair.match.word, both),
      h('td', both),
      this.column('distance', 'distance', (pair) => pair.match.match_distance, { ...both, class: 'number', title: 'How far the pseudoword is from its word, in standard deviations' }),
      ...MEASURES.map(([title, hint]) => h('th', { scope: 'colgroup', colspan: 2, class: 'group', title: hint }, title)))
    const second = h('tr', {}, ...MEASURES.flatMap(([title, , value]) => [
      this.column(`${title}, word`, 'word', (pair) => value(pair.target), { class: 'number first' }),
      this.column(`${title}, pseudo`, 'pseudo', (pair) => value(pair.match), { class: 'number' }),
    ]))
    this.element = h('div', { class: 'scroll stimuli', tabindex: 0, role: 'region', 'aria-label': 'Words and pseudowords' }, h('table', {}, h('thead', {}, first, second), this.body))
  }

  /** A heading that sorts: up, down, and then as the list was. */
  private column(name: string, title: string, value: Column['value'], attributes: Record<string, string | number>): HTMLElement {
    const button = h('button', { type: 'button', 'aria-label': `Sort by ${name}`, click: () => this.sort(column) }, title)
    const head = h('th', { scope: 'col', ...attributes }, button)
    const column = { name, value, head }
    this.columns.push(column)
    return head
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
    return new Map([...this.byWord()].filter(([, pairs]) => pairs.every((pair) => pair.locked)))
  }

  /** All pseudowords that are there or were rejected: none of them may come again. */
  seen(): string[] {
    return [...new Set([...this.pairs.map((pair) => pair.match.word), ...this.rejected])]
  }

  /** How many pseudowords were rejected. */
  get replaced() {
    return this.rejected.size
  }

  replace(pair: Pair, match: Match) {
    this.rejected.add(pair.match.word)
    pair.match = match
    this.draw()
  }

  /** Every word with its pseudowords. */
  words(): [string, string[]][] {
    return [...this.byWord()].map(([word, pairs]) => [word, pairs.map((pair) => pair.match.word)])
  }

  private byWord(): Map<string, Pair[]> {
    const all = new Map<string, Pair[]>()
    for (const pair of this.pairs) all.set(pair.target.word, [...(all.get(pair.target.word) ?? []), pair])
    return all
  }

  private sort(column: Column) {
    const same = this.order?.column === column
    this.order = !same ? { column, down: false } : this.order?.down ? undefined : { column, down: true }
    for (const { head } of this.columns) head.removeAttribute('aria-sort')
    if (this.order) column.head.setAttribute('aria-sort', this.order.down ? 'descending' : 'ascending')
    this.draw()
  }

  private sorted(): Pair[] {
    if (!this.order) return this.pairs
    const { column: { value }, down } = this.order
    const compare = (left: string | number | null, right: string | number | null) =>
      (typeof left === 'string' || typeof right === 'string' ? String(left).localeCompare(String(right)) : (left ?? -Infinity) - (right ?? -Infinity) || 0)
    return [...this.pairs].sort((a, b) => (down ? -1 : 1) * compare(value(a), value(b)))
  }

  private draw() {
    fill(this.body, ...this.sorted().map((pair) => this.row(pair)))
  }

  private row(pair: Pair): HTMLElement {
    const { target, match } = pair
    const lock = h('button', {
      type: 'button', class: 'small', 'aria-pressed': String(pair.locked), 'aria-label': `Lock ${match.word}`,
      click: () => {
        pair.locked = !pair.locked
        lock.setAttribute('aria-pressed', String(pair.locked))
        lock.textContent = pair.locked ? 'locked' : 'lock'
        reject.disabled = pair.locked
      },
    }, pair.locked ? 'locked' : 'lock')
    const reject = h('button', { type: 'button', class: 'small', 'aria-label': `Reject ${match.word}`, disabled: pair.locked, click: () => {
      reject.disabled = true
      reject.textContent = '…'
      this.another(pair)
    } }, 'reject')
    return h('tr', {}, h('th', { scope: 'row' }, h('span', { class: 'word', dir: 'auto' }, target.word)), h('td', {}, wordLink(this.app, match.word)),
      h('td', { class: 'hands' }, lock, ' ', reject), h('td', { class: 'number' }, match.match_distance.toFixed(2)),
      ...MEASURES.flatMap(([, , value, digits]) => [
        h('td', { class: 'number first' }, shown(value(target), digits)), h('td', { class: 'number' }, shown(value(match), digits)),
      ]))
  }

  /** All measures of all pairs as they are sorted, with a heading. */
  table(): (string | number | null)[][] {
    const names = ['length', 'log_probability', 'percentile_words', 'coltheart_n', 'old20', 'bigram_frequency', 'nearest', 'surprisals']
    const values = (word: Measured) => [word.length, word.log_probability, word.lexicon_percentile, word.coltheart_n, word.old20, word.bigram_frequency,
      word.nearest.join(' '), word.surprisals.map((nats) => nats.toFixed(4)).join(' ')]
    return [
      ['word', ...names.map((name) => `word_${name}`), 'pseudoword', ...names.map((name) => `pseudoword_${name}`), 'match_distance'],
      ...this.sorted().map(({ target, match }) => [target.word, ...values(target), match.word, ...values(match), match.match_distance]),
    ]
  }
}
