// Pseudowords for an experiment: targets in, matched pseudowords out, with everything that a method section needs.
import type { App, Panel } from '../app'
import { Messages, commandLine, freshSeed, modelOption } from '../app'
import { copyButton, fill, h, save } from '../dom'
import { csv } from '../files/csv'
import { dropPlace } from '../files/drop'
import { rowsOf, wordsIn, wordsOf } from '../files/read'
import { writeXlsx } from '../files/xlsx'
import * as form from '../form'
import { grouped } from '../numbers'
import { remember, whole } from '../settings'
import type { Matched, Pair } from './list'
import { StimulusList } from './list'
import { biasCard, qualityCard } from './report'

const MOST_TARGETS = 2000
const EXAMPLE = 'garden window bridge candle mirror basket forest hammer island ladder'
const STAGES: Record<string, string> = {
  targets: 'Measuring the words', candidates: 'Making candidates and measuring them', assignment: 'Choosing among them', checks: 'Testing the list',
}

export class ExperimentPanel implements Panel {
  readonly id = 'pseudowords'
  readonly title = 'Pseudowords for an experiment'
  readonly element: HTMLElement
  private messages = new Messages()
  private targets = form.area('targets', 'Words of the experiment', { value: EXAMPLE, rows: 7, hint: 'One on a line, or set apart by spaces or commas.' })
  private seed = form.number('seed', 'Seed', { value: '1', least: 0, most: Number.MAX_SAFE_INTEGER })
  private controls = [
    form.number('each', 'Pseudowords for each word', { value: '1', least: 1, most: 20 }),
    form.tick('first', 'With the first letter of its word'),
    form.tick('skeleton', 'With its consonants and vowels at the same places'),
    form.number('edits', 'At most … letters changed', { least: 1, most: 20, placeholder: 'any number' }),
    form.text('without', 'Without', { placeholder: 'sex|xx', hint: 'Letters and strings that stand in no pseudoword.' }),
    this.seed,
  ]
  private progress = h('progress', { max: 1, 'aria-label': 'How far the matching is' })
  private stage = h('span', {})
  private working = h('div', { class: 'progress', hidden: true }, this.progress, h('div', { class: 'buttons' }, this.stage,
    h('button', { type: 'button', click: () => this.app.work.cancel() }, 'Cancel')))
  private reports = h('div', { class: 'report' })
  private method = h('div', { class: 'text', dir: 'auto' })
  private results = h('div', { hidden: true })
  private list: StimulusList
  private found: Matched | undefined
  private turn = 0

  constructor(private app: App) {
    this.list = new StimulusList(app, (pair) => void this.another(pair))
    const again = h('button', { type: 'button', click: () => void this.match(true) }, 'Others for those not locked')
    const table = () => this.list.table()
    fill(this.results, this.list.element,
      h('div', { class: 'buttons' }, again,
        h('button', { type: 'button', class: 'quiet', click: () => save('pseudowords.csv', csv(table()), 'text/csv') }, 'Save as CSV'),
        h('button', { type: 'button', class: 'quiet', click: () => save('pseudowords.xlsx', writeXlsx('pseudowords', table()) as BlobPart, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet') }, 'Save as XLSX'),
        copyButton('Copy as command', () => this.command())),
      this.reports,
      h('div', { class: 'card' }, h('h3', {}, 'For the method section'), this.method,
        h('div', { class: 'buttons' }, copyButton('Copy the method text', () => this.method.textContent ?? ''), copyButton('Copy the BibTeX', () => this.found?.bibtex ?? ''))))
    this.element = h('section', {}, h('div', { class: 'sided' },
      h('form', { class: 'settings', submit: (event: Event) => (event.preventDefault(), void this.match(false)) },
        this.targets.element,
        dropPlace('Open a list', 'or drop one: text, CSV, XLSX', '.txt,.csv,.tsv,.xlsx', (file) => void this.drop(file)),
        ...this.controls.map((control) => control.element),
        h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'main' }, 'Match'))),
      h('div', {},
        h('h2', {}, 'A pseudoword for every word, alike in all that counts'),
        h('p', {}, 'Of the same length, and as near as can be in log-probability, neighbours, OLD20 and bigram frequency; none is a word, none comes twice. Reject what you do not like, lock what you do. Your words never leave this page.'),
        this.messages.element, this.working, this.results)))
  }

  show(values: URLSearchParams) {
    if (!values.has('targets') && this.found) return this.remember()
    this.targets.set(values.get('targets') ?? '')
    form.restore(this.controls, values)
    void this.match(false)
  }

  modelChanged() {
    this.found = undefined
    this.results.hidden = true
    if (!this.element.hidden) void this.match(false)
  }

  private value = (name: string) => this.controls.find((control) => control.name === name)?.get() ?? ''

  private remember() {
    const { current } = this.app.models
    const targets = wordsIn(this.targets.get()).join(' ')
    remember(this.id, { model: current.bundled ? current.code : '', ...form.values(this.controls), targets: targets.length < 1500 ? targets : '' })
  }

  private async drop(file: File) {
    this.messages.clear()
    try {
      const words = wordsOf(await rowsOf(file))
      this.targets.set(words.slice(0, 3 * MOST_TARGETS).join('\n'))
      await this.match(false)
    } catch (error) {
      this.messages.problem(error)
    }
  }

  /** What pseudowords share with their words. */
  private same(): string[] {
    const features = { first: 'first-letter', skeleton: 'skeleton' }
    return Object.entries(features).filter(([name]) => this.value(name) === '1').map(([, feature]) => feature)
  }

  private request(targets: string[], refused: string[], seed: string) {
    return {
      do: 'match', targets, refused, seed: whole(seed, 1, 0, Number.MAX_SAFE_INTEGER), per_target: whole(this.value('each'), 1, 1, 20),
      same: this.same(),
      most_edits: this.value('edits') ? whole(this.value('edits'), 1, 1, 20) : undefined,
      without: this.value('without') || undefined, name: this.app.models.current.name,
    }
  }

  /** Matches all words, or, with other noise, those whose pseudowords are not locked. */
  private async match(others: boolean) {
    const turn = ++this.turn
    const { work, models } = this.app
    work.cancel()
    this.messages.clear()
    const all = [...new Set(wordsIn(this.targets.get()))]
    if (!all.length) return this.messages.say('Give some words: paste them, or drop a file.')
    if (all.length > MOST_TARGETS) {
      return this.messages.say(`There are ${grouped(all.length)} words; the page matches up to ${grouped(MOST_TARGETS)} at a time. The command takes thousands: wug match.`)
    }
    this.remember()
    const locked = others ? this.list.locked() : new Map<string, Pair[]>()
    const targets = all.filter((word) => !locked.has(word))
    if (!targets.length) return this.messages.say('All are locked.')
    const refused = others ? this.list.seen() : []
    this.working.hidden = false
    this.progress.removeAttribute('value')
    this.stage.textContent = 'Opening the model'
    try {
      const request = this.request(targets, refused, others ? freshSeed() : this.seed.get())
      const found: Matched = await work.of(models.current, request, ({ stage, share }) => {
        this.stage.textContent = STAGES[stage] ?? stage
        this.progress.value = share
      })
      if (turn !== this.turn) return
      if (!others) this.found = found
      this.list.fill(found, others ? locked : undefined)
      this.showReports(others)
      const short = found.shortages.map(([word, why]) => `${word}: ${why}`)
      if (short.length) this.messages.say(`Some words have too few pseudowords, or none. ${short.slice(0, 5).join('. ')}${short.length > 5 ? `, and ${short.length - 5} more` : ''}.`)
      this.app.announce(`${found.targets.length} words matched`)
    } catch (error) {
      if (turn === this.turn) this.messages.problem(error)
    }
    if (turn === this.turn) this.working.hidden = true
  }

  private showReports(changed: boolean) {
    this.results.hidden = false
    const { found } = this
    if (!found) return
    this.method.textContent = changed ? `${found.method}Some pseudowords were then replaced by hand.` : found.method
    fill(this.reports, qualityCard(found.quality), biasCard(found.bias))
    if (changed) void this.checkAgain()
  }

  /** Another pseudoword for one word; the others stay. */
  private async another(pair: Pair) {
    const { work, models } = this.app
    try {
      const found: Matched = await work.of(models.current, { ...this.request([pair.target.word], this.list.seen(), this.seed.get()), per_target: 1 })
      const match = found.targets[0]?.pseudowords[0]
      if (!match) return this.messages.say(`There is no other pseudoword for ${pair.target.word}.`)
      this.list.replace(pair, match)
      this.showReports(true)
      this.app.announce(match.word)
    } catch (error) {
      this.messages.problem(error)
    }
  }

  /** The test for bias, of the list as it is now. */
  private async checkAgain() {
    const request = { do: 'check', ...this.list.kinds(), seed: whole(this.seed.get(), 1, 0, Number.MAX_SAFE_INTEGER), orders: 100 }
    const answer = await this.app.work.ask(request).catch(() => undefined)
    if (answer && this.found) fill(this.reports, qualityCard(this.found.quality, true), biasCard(answer.json))
  }

  private command(): string {
    return commandLine(['wug', 'match', 'targets.txt', ...modelOption(this.app.models),
      '-n', this.value('each'), '--seed', this.value('seed'),
      ...(this.same().length ? ['--same', this.same().join(',')] : []),
      ...(this.value('edits') ? ['--max-edits', this.value('edits')] : []), ...(this.value('without') ? ['--without', this.value('without')] : []),
      '--format', 'csv'])
  }
}
