// Score words: how word-like, letter by letter.
import type { App, Panel } from './app'
import { Messages, commandLine, examples, modelOption, spelled, wordLink } from './app'
import { type Column, type Measured, columns, compared, exported, isNumber, shown, valueOf } from './columns'
import { Engine } from './engine'
import { copyButton, fill, h, save } from './dom'
import { csv } from './files/csv'
import { dropPlace } from './files/drop'
import { rowsOf, wordsIn, wordsOf } from './files/read'
import * as form from './form'
import { grouped } from './numbers'
import { remember } from './settings'

const SHOWN = 300
const MAX = 100_000
const EXAMPLE = 'blick bnick wug strength psychology xkcd'
/** Words in an address: more make a link that nobody can send. */
const MAX_IN_LINK = 1500

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
  private order: { column: Column; down: boolean } | undefined
  private turn = 0
  /** Its own, so that other panels can be used meanwhile. */
  private engine = new Engine()
  /** The words that were asked for last, as the model spells them. */
  private words: string[] = []
  /** The example that stands in the field, until somebody writes there. */
  private example = ''
  private columns: Column[] = []
  private head = h('tr', {})

  constructor(private app: App) {
    this.element = h('section', {},
      h('h2', {}, 'How word-like is it?'),
      h('p', { class: 'lead' }, 'The bar over a letter is its surprisal: how little the model expected it after the letters before. All of them, with the end of the word (·), add up to minus the log-probability.'),
      h('form', { submit: (event: Event) => (event.preventDefault(), void this.score(wordsIn(this.input.get()))) },
        this.input.element,
        h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'main' }, 'Score'), this.stop)),
      dropPlace('Open a list', 'or drop one here: text, CSV or XLSX', '.txt,.csv,.tsv,.xlsx', (file) => void this.drop(file)),
      this.messages.element,
      h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Scores' }, h('table', {}, h('thead', {}, this.head), this.body)),
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
    remember(this.id, { model: current.bundled ? current.code : '', words: text.length <= MAX_IN_LINK ? text : '' })
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
    fill(this.body)
    this.count.textContent = ''
    this.messages.clear()
    if (given.length > MAX) return this.messages.say(`There are ${grouped(given.length)} words; the page takes ${grouped(MAX)}. The command takes any number.`)
    const words = await spelled(this.app, given)
    if (turn !== this.turn) return
    this.words = words
    this.remember()
    if (!words.length) return this.messages.say('Give some words: paste them, or drop a file.')
    this.stop.hidden = false
    try {
      this.columns = await columns(engine)
      this.drawHead()
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

  /** The columns that are seen. */
  private get seen(): Column[] {
    return this.columns.filter((column) => column.shown)
  }

  private drawHead() {
    const heads = this.seen.map((column) => {
      const can = isNumber(column) || column.type === 'text'
      const sorted = this.order?.column === column ? { 'aria-sort': this.order.down ? 'descending' : 'ascending' } : {}
      return h('th', { scope: 'col', class: can ? 'number' : '', title: column.about, ...sorted },
        can ? h('button', { type: 'button', 'aria-label': `Sort by ${column.title}`, click: () => this.sort(column) }, column.title) : column.title)
    })
    fill(this.head, h('th', { scope: 'col' }, 'word, with the surprisal of each letter'), ...heads)
  }

  /** Rows with what is known at once. */
  private preview(words: string[], scores: ({ surprisals: number[] } | null)[]) {
    const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
    fill(this.body, ...scores.map((score, number) => {
      const word = words[number] ?? ''
      const spelling = [...letters.segment(word)].map(({ segment }) => segment)
      const found: Measured | undefined = score ? { word, spelling, ...score } : undefined
      const cells = this.seen.map((column) => {
        const value = found && valueOf(found, column)
        return h('td', { class: 'number' }, value == null ? '…' : shown(value, column))
      })
      return found ? h('tr', {}, h('td', {}, profile(this.app, found)), ...cells)
        : h('tr', {}, h('td', { colspan: this.seen.length + 1 }, word))
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
    if (word.problem) return h('tr', {}, h('td', {}, h('span', { class: 'word', dir: 'auto' }, word.word)), h('td', { colspan: this.seen.length }, word.problem))
    const cells = this.seen.map((column) =>
      h('td', column.type === 'texts' ? { class: 'word', dir: 'auto' } : { class: 'number' }, shown(valueOf(word, column), column)))
    return h('tr', {}, h('td', {}, profile(this.app, word)), ...cells)
  }

  private sort(column: Column) {
    const down = this.order?.column === column ? !this.order.down : true
    this.order = { column, down }
    this.drawHead()
    const value = (word: Measured) => (word.problem ? null : valueOf(word, column))
    this.found.sort((a, b) => (down ? 1 : -1) * compared(value(b), value(a)))
    fill(this.body, ...this.found.slice(0, SHOWN).map((word) => this.row(word)))
  }

  private table() {
    const columns = this.columns.filter(({ name }) => name !== 'word')
    return [['word', ...columns.map(({ name }) => name), 'problem'],
      ...this.found.map((word) => [word.word, ...columns.map((column) => (word.problem ? '' : exported(valueOf(word, column)))), word.problem ?? ''])]
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
