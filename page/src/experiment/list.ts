// The list of stimuli as a table: words with their pseudowords, to be sorted, locked and rejected.
import type { App } from '../app'
import { wordLink } from '../app'
import { fill, h } from '../dom'
import { type Column as Measure, type Measured, type Value, compared, exported, shown, valueOf } from '../columns'

export type Match = Measured & { match_distance: number }

/** What the library says of a whole list. */
export interface Matched {
  /** What words have, and of these what was matched on. */
  columns: Measure[]
  matched_on: string[]
  targets: { target: Measured; pseudowords: Match[] }[]
  shortages: [string, string][]
  quality: Quality[]
  bias: Bias | null
  candidates: number
  method: string
  bibtex: string
}

export interface Quality {
  prose: string
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

interface Column {
  name: string
  value(pair: Pair): Value
  head: HTMLElement
}

export class StimulusList {
  private body = h('tbody', {})
  private pairs: Pair[] = []
  private rejected = new Set<string>()
  private columns: Column[] = []
  private measures: Measure[] = []
  private matchedOn: Measure[] = []
  private head = h('thead', {})
  private order: { column: Column; down: boolean } | undefined
  readonly element: HTMLElement

  constructor(private app: App, private another: (pair: Pair) => void) {
    this.element = h('div', { class: 'scroll stimuli', tabindex: 0, role: 'region', 'aria-label': 'Words and pseudowords' }, h('table', {}, this.head, this.body))
  }

  private drawHead() {
    this.columns = []
    this.order = undefined
    const both = { rowspan: 2 }
    const first = h('tr', {},
      this.column('word', 'word', (pair) => pair.target.word, both),
      this.column('pseudoword', 'pseudoword', (pair) => pair.match.word, both),
      h('td', both),
      this.column('distance', 'distance', (pair) => pair.match.match_distance, { ...both, class: 'number', title: 'How far the pseudoword is from its word, in standard deviations' }),
      ...this.matchedOn.map(({ title, about }) => h('th', { scope: 'colgroup', colspan: 2, class: 'group', title: about }, title)))
    const second = h('tr', {}, ...this.matchedOn.flatMap((measure) => [
      this.column(`${measure.title}, word`, 'word', (pair) => valueOf(pair.target, measure), { class: 'number first' }),
      this.column(`${measure.title}, pseudo`, 'pseudo', (pair) => valueOf(pair.match, measure), { class: 'number' }),
    ]))
    fill(this.head, first, second)
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
    this.measures = found.columns
    const matchedOn = found.columns.filter(({ name }) => found.matched_on.includes(name))
    if (matchedOn.map(({ name }) => name).join() !== this.matchedOn.map(({ name }) => name).join()) {
      this.matchedOn = matchedOn
      this.drawHead()
    }
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
    return [...this.pairs].sort((a, b) => (down ? -1 : 1) * compared(value(a), value(b)))
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
      ...this.matchedOn.flatMap((measure) => [
        h('td', { class: 'number first' }, shown(valueOf(target, measure), measure)), h('td', { class: 'number' }, shown(valueOf(match, measure), measure)),
      ]))
  }

  /** All measures of all pairs as they are sorted, with a heading. */
  table(): (string | number | null)[][] {
    const measures = this.measures.filter(({ name }) => name !== 'word')
    const names = measures.map(({ name }) => name)
    const values = (word: Measured) => measures.map((measure) => exported(valueOf(word, measure)))
    return [
      ['word', ...names.map((name) => `word_${name}`), 'pseudoword', ...names.map((name) => `pseudoword_${name}`), 'match_distance'],
      ...this.sorted().map(({ target, match }) => [target.word, ...values(target), match.word, ...values(match), match.match_distance]),
    ]
  }
}
