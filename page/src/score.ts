// Score words: how word-like, letter by letter.
import type { App, Panel } from './app'
import { Messages, commandLine, examples, modelOption, spelled, wordLink } from './app'
import { Engine } from './engine'
import { copyButton, fill, h, save } from './dom'
import { csv } from './files/csv'
import { dropPlace } from './files/drop'
import { rowsOf, wordsIn, wordsOf } from './files/read'
import * as form from './form'
import { grouped, signed } from './numbers'
import { remember } from './settings'

/** A word's measures as the library tells of them, or why there are none. */
export interface Measured {
  word: string
  problem?: string
  spelling: string[]
  log_probability: number
  surprisals: number[]
  lexicon_percentile: number | null
  random_percentile: number | null
  lexicality: string
  length: number
  coltheart_n: number
  old20: number | null
  bigram_frequency: number | null
  nearest: string[]
}

const SHOWN = 300
const MOST = 100_000
const EXAMPLE = 'blick bnick wug strength psychology xkcd'
/** Words in an address: more make a link that nobody can send. */
const MOST_IN_LINK = 1500

type Column = [title: string, hint: string, value: (word: Measured) => number | string | null, digits?: number, unit?: string]

const COLUMNS: Column[] = [
  ['log P', 'Logarithm of the probability', (word) => word.log_probability, 2],
  ['above words', 'Per cent of the list’s words of this length that are less probable', (word) => word.lexicon_percentile, 0, ' %'],
  ['above random', 'Per cent of random strings of this length that are less probable', (word) => word.random_percentile, 0, ' %'],
  ['in list', 'Whether the word is in the list that the model was trained on', (word) => (word.lexicality === 'word' ? 'yes' : 'no')],
  ['N', 'Coltheart’s N: words that differ in one letter', (word) => word.coltheart_n],
  ['OLD20', 'Mean Levenshtein distance to the 20 nearest words', (word) => word.old20, 2],
  ['nearest', 'The nearest words of the list', (word) => word.nearest.slice(0, 3).join(' ')],
]

export class ScorePanel implements Panel {
  readonly id = 'score'
  readonly title = 'Score words'
  readonly element: HTMLElement
  private messages = new Messages()
  private input = form.area('words', 'Words, one on a line or with spaces between them', { rows: 3 })
  private body = h('tbody', {})
  private count = h('p', { class: 'count' })
  private stop = h('button', { type: 'button', hidden: true, click: () => this.engine.cancel() }, 'Stop')
  private found: Measured[] = []
  private order: { column: number; down: boolean } | undefined
  private turn = 0
  /** Its own, so that other panels can be used meanwhile. */
  private engine = new Engine()
  /** The words that were asked for last, as the model spells them. */
  private words: string[] = []
  /** The example that stands in the field, until somebody writes there. */
  private example = ''
  private heads: HTMLElement[]

  constructor(private app: App) {
    this.heads = COLUMNS.map(([title, hint], number) => h('th', { scope: 'col', class: title === 'nearest' ? '' : 'number', title: hint },
      title === 'nearest' ? title : h('button', { type: 'button', 'aria-label': `Sort by ${title}`, click: () => this.sort(number) }, title)))
    this.element = h('section', {},
      h('h2', {}, 'How word-like is it?'),
      h('p', { class: 'lead' }, 'The bar over a letter is its surprisal: how little the model expected it after the letters before. All of them, with the end of the word (·), add up to minus the log-probability.'),
      h('form', { submit: (event: Event) => (event.preventDefault(), void this.score(wordsIn(this.input.get()))) },
        this.input.element,
        h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'main' }, 'Score'), this.stop)),
      dropPlace('Open a list', 'or drop one here: text, CSV or XLSX', '.txt,.csv,.tsv,.xlsx', (file) => void this.drop(file)),
      this.messages.element,
      h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Scores' }, h('table', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'word, with the surprisal of each letter'), ...this.heads)), this.body)),
      this.count,
      h('div', { class: 'buttons' },
        h('button', { type: 'button', class: 'quiet', click: () => save('scores.csv', csv(this.table()), 'text/csv') }, 'Save as CSV'),
        copyButton('Copy as command', () => this.command())))
  }

  show(values: URLSearchParams) {
    if (!values.has('words') && this.found.length) return this.remember()
    this.input.set(values.get('words') ?? '')
    void this.begin()
  }

  modelChanged() {
    this.found = []
    if (!this.element.hidden) void this.begin()
  }

  /** Scores what is there, or an example in the model's language. */
  private async begin() {
    if (!this.input.get().trim() || this.input.get() === this.example) {
      const { models } = this.app
      this.example = models.current === models.all[0] ? EXAMPLE : (await examples(this.app, 6).catch(() => [])).join(' ')
      this.input.set(this.example)
    }
    await this.score(wordsIn(this.input.get()))
  }

  private command(): string {
    const { words } = this
    return commandLine(['wug', 'score', ...modelOption(this.app.models), '--format', 'csv', ...(words.length > 100 ? ['-i', 'words.txt'] : words)])
  }

  private remember() {
    const { current } = this.app.models
    const text = this.words.join(' ')
    remember(this.id, { model: current.bundled ? current.code : '', words: text.length <= MOST_IN_LINK ? text : '' })
  }

  private async drop(file: File) {
    try {
      const words = wordsOf(await rowsOf(file))
      this.input.set(words.slice(0, 2000).join('\n'))
      await this.score(words)
    } catch (error) {
      this.messages.problem(error)
    }
  }

  private async score(given: string[]) {
    const turn = ++this.turn
    const { app: { models }, engine } = this
    engine.cancel()
    this.found = []
    this.order = undefined
    for (const head of this.heads) head.removeAttribute('aria-sort')
    fill(this.body)
    this.count.textContent = ''
    this.messages.clear()
    if (given.length > MOST) return this.messages.say(`There are ${grouped(given.length)} words; the page takes ${grouped(MOST)}. The command takes any number.`)
    const words = await spelled(this.app, given)
    if (turn !== this.turn) return
    this.words = words
    this.remember()
    if (!words.length) return this.messages.say('Give some words: paste them, or drop a file.')
    this.stop.hidden = false
    try {
      await engine.of(models.current, { do: 'score', words }, (told) => {
        if (turn !== this.turn) return
        if (told.quick) this.preview(words, told.quick)
        else this.add(told.scores)
      })
    } catch (error) {
      if (turn === this.turn) this.messages.problem(error)
    }
    if (turn !== this.turn) return
    this.stop.hidden = true
    this.app.announce(`${this.found.length} words scored`)
  }

  /** Rows with what is known at once. */
  private preview(words: string[], scores: ({ log_probability: number; surprisals: number[] } | null)[]) {
    const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
    fill(this.body, ...scores.map((score, number) => {
      const word = words[number] ?? ''
      const spelling = [...letters.segment(word)].map(({ segment }) => segment)
      const rest = COLUMNS.slice(1).map(() => h('td', { class: 'number' }, '…'))
      return score ? h('tr', {}, h('td', {}, profile(this.app, { word, spelling, ...score })), h('td', { class: 'number' }, signed(score.log_probability)), ...rest)
        : h('tr', {}, h('td', { colspan: COLUMNS.length + 1 }, word))
    }))
  }

  private add(scores: Measured[]) {
    scores.forEach((word, place) => {
      const number = this.found.length + place
      if (number >= SHOWN) return
      const [row, before] = [this.row(word), this.body.children[number]]
      if (before) before.replaceWith(row)
      else this.body.append(row)
    })
    this.found.push(...scores)
    this.count.textContent = this.found.length > SHOWN ? `${SHOWN} of ${grouped(this.found.length)} words are shown; all are in the file.` : ''
  }

  private row(word: Measured): HTMLElement {
    if (word.problem) return h('tr', {}, h('td', {}, h('span', { class: 'word', dir: 'auto' }, word.word)), h('td', { colspan: COLUMNS.length }, word.problem))
    const cells = COLUMNS.map(([title, , value, digits, unit = '']) => {
      const found = value(word)
      const text = found === null ? '–' : typeof found === 'number' ? signed(found, digits ?? 0) + unit : found
      return h('td', title === 'nearest' ? { class: 'word', dir: 'auto' } : { class: 'number' }, text)
    })
    return h('tr', {}, h('td', {}, profile(this.app, word)), ...cells)
  }

  private sort(column: number) {
    const down = this.order?.column === column ? !this.order.down : true
    this.order = { column, down }
    this.heads.forEach((head, number) => number === column ? head.setAttribute('aria-sort', down ? 'descending' : 'ascending') : head.removeAttribute('aria-sort'))
    const value = (word: Measured) => {
      const found = word.problem ? null : COLUMNS[column]![2](word)
      return typeof found === 'string' ? Number(found === 'yes') : (found ?? -1e300)
    }
    this.found.sort((a, b) => (down ? 1 : -1) * (value(b) - value(a)))
    fill(this.body, ...this.found.slice(0, SHOWN).map((word) => this.row(word)))
  }

  private table() {
    const head = ['word', 'log_probability', 'percentile_words', 'percentile_random', 'lexicality', 'length', 'coltheart_n', 'old20', 'bigram_frequency', 'nearest', 'surprisals', 'problem']
    return [head, ...this.found.map((word) => (word.problem
      ? [word.word, ...head.slice(2).map(() => ''), word.problem]
      : [word.word, word.log_probability, word.lexicon_percentile, word.random_percentile, word.lexicality, word.length, word.coltheart_n, word.old20, word.bigram_frequency,
        word.nearest.join(' '), word.surprisals.map((nats) => nats.toFixed(4)).join(' '), '']))]
  }
}

/** A word with a bar over each letter, as high as its surprisal. */
function profile(app: App, word: Pick<Measured, 'word' | 'spelling' | 'surprisals'>): HTMLElement {
  const letters = [...word.spelling, ''].map((letter, place) => {
    const nats = word.surprisals[place] ?? 0
    const bar = h('i', {})
    bar.style.height = `${Math.min(nats, 12) * 3}px`
    bar.style.setProperty('--heat', `${Math.min(nats * 11, 100)}%`)
    return h('span', { title: `${letter || 'end'}: ${nats.toFixed(2)} nats` }, bar, letter || '·')
  })
  const link = wordLink(app, word.word)
  link.replaceChildren(...letters)
  link.classList.add('profile')
  link.setAttribute('aria-label', `${word.word}: ${word.surprisals.map((nats) => nats.toFixed(1)).join(', ')} nats`)
  return link
}
