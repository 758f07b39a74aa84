// Pseudowords for an experiment: targets in, matched pseudowords out, with everything that a method section needs.
import type { App, Panel } from '../app'
import { Messages, commandLine, examples, freshSeed, modelOption, spelled } from '../app'
import { Cancelled, Engine } from '../engine'
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

const MAX_TARGETS = 2000
const EXAMPLE = 'garden window bridge candle mirror basket forest hammer island ladder'
const STAGES: Record<string, string> = {
  targets: 'Measuring the words', candidates: 'Making candidates and measuring them', assignment: 'Choosing among them', checks: 'Testing the list',
}
/** Candidates for one pseudoword in place of another: fewer than for a list, so that it comes soon. */
const CANDIDATES_FOR_ONE = 800
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export class ExperimentPanel implements Panel {
  readonly id = 'pseudowords'
  readonly title = 'Match pseudowords'
  readonly element: HTMLElement
  private messages = new Messages()
  private targets = form.area('targets', 'Words of the experiment', { rows: 7, hint: 'One on a line, or with spaces or commas between them.' })
  private seed = form.number('seed', 'Seed', { value: '1', least: 0, most: Number.MAX_SAFE_INTEGER })
  private controls = [
    form.number('each', 'Pseudowords for each word', { value: '1', least: 1, most: 20 }),
    form.tick('first', 'Same first letter'),
    form.tick('skeleton', 'Consonants and vowels at the same places'),
    form.tick('syllables', 'Same number of syllables'),
    form.number('edits', 'Most letters changed', { least: 1, most: 20, placeholder: 'any number' }),
    form.text('without', 'Does not contain', { placeholder: 'sex|xx', hint: 'Letters and strings found in no pseudoword.' }),
    this.seed,
  ]
  private progress = h('progress', { max: 1, 'aria-label': 'How far the matching is' })
  private stage = h('span', {})
  private working = h('div', { class: 'progress', hidden: true }, this.progress, h('div', { class: 'buttons' }, this.stage,
    h('button', { type: 'button', click: () => this.engine.cancel() }, 'Cancel')))
  private reports = h('div', { class: 'report' })
  private method = h('div', { class: 'text', dir: 'auto' })
  private results = h('div', { hidden: true })
  private list: StimulusList
  private found: Matched | undefined
  private turn = 0
  /** Its own, so that other panels can be used meanwhile. */
  private engine = new Engine()
  /** The example that stands in the field, until somebody writes there. */
  private example = ''

  constructor(private app: App) {
    this.list = new StimulusList(app, (pair) => void this.another(pair))
    const again = h('button', { type: 'button', click: () => void this.match(true) }, 'Others for those not locked')
    const keep = (name: string, content: BlobPart, type: string) => {
      save(name, content, type)
      app.unsaved.delete(this)
    }
    const table = () => this.list.table()
    fill(this.results, this.list.element,
      h('div', { class: 'buttons' }, again,
        h('button', { type: 'button', class: 'quiet', click: () => keep('pseudowords.csv', csv(table()), 'text/csv') }, 'Save as CSV'),
        h('button', { type: 'button', class: 'quiet', click: () => keep('pseudowords.xlsx', writeXlsx('pseudowords', table()) as BlobPart, XLSX) }, 'Save as XLSX'),
        copyButton('Copy as command', () => this.command())),
      this.reports,
      h('div', { class: 'card' }, h('h3', {}, 'For the method section'), this.method,
        h('div', { class: 'buttons' }, copyButton('Copy the method text', () => this.method.textContent ?? ''), copyButton('Copy the BibTeX', () => this.found?.bibtex ?? ''))))
    this.element = h('section', {}, h('div', { class: 'sided' },
      h('form', { class: 'settings', submit: (event: Event) => (event.preventDefault(), void this.match(false)) },
        this.targets.element,
        dropPlace('Open a list', 'or drop one here: text, CSV, XLSX', '.txt,.csv,.tsv,.xlsx', (file) => void this.drop(file)),
        form.fold('Settings', ...this.controls.map((control) => control.element)),
        h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'main' }, 'Match'))),
      h('div', {},
        h('h2', {}, 'A matched pseudoword for every word'),
        h('p', {}, 'Each has the length of its word and comes as close as possible in log-probability, number of neighbours, OLD20 and bigram frequency. None is a word, and none comes twice. Reject those you do not like, lock those you do. Your words never leave this page.'),
        this.messages.element, this.working, this.results)))
  }

  show(values: URLSearchParams) {
    if (!values.has('targets') && this.found) return this.remember()
    this.targets.set(values.get('targets') ?? '')
    form.restore(this.controls, values)
    void this.begin()
  }

  /** Matches what is there, or an example in the model's language. */
  private async begin() {
    if (!this.targets.get().trim() || this.targets.get() === this.example) {
      const { models } = this.app
      this.example = models.current === models.all[0] ? EXAMPLE : (await examples(this.app, 10).catch(() => [])).join(' ')
      this.targets.set(this.example)
    }
    await this.match(false)
  }

  modelChanged() {
    this.found = undefined
    this.results.hidden = true
    this.engine.cancel()
    if (!this.element.hidden) void this.begin()
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
      this.targets.set(words.slice(0, 3 * MAX_TARGETS).join('\n'))
      await this.match(false)
    } catch (error) {
      this.messages.problem(error)
    }
  }

  /** What pseudowords share with their words. */
  private same(): string[] {
    const features = { first: 'first-letter', skeleton: 'skeleton', syllables: 'syllables' }
    return Object.entries(features).filter(([name]) => this.value(name) === '1').map(([, feature]) => feature)
  }

  private request(targets: string[], excluded: string[], seed: string) {
    return {
      do: 'match', targets, excluded, seed: whole(seed, 1, 0, Number.MAX_SAFE_INTEGER), per_target: whole(this.value('each'), 1, 1, 20),
      same: this.same(),
      max_edits: this.value('edits') ? whole(this.value('edits'), 1, 1, 20) : undefined,
      without: this.value('without') || undefined, name: this.app.models.current.name,
    }
  }

  /** Matches all words, or, with other noise, those whose pseudowords are not locked. */
  private async match(others: boolean) {
    const turn = ++this.turn
    const { app: { models }, engine } = this
    engine.cancel()
    this.messages.clear()
    const all = [...new Set(await spelled(this.app, wordsIn(this.targets.get())))]
    if (turn !== this.turn) return
    if (!all.length) return this.messages.say('Give some words: paste them, or drop a file.')
    if (all.length > MAX_TARGETS) {
      return this.messages.say(`There are ${grouped(all.length)} words; the page matches up to ${grouped(MAX_TARGETS)} at a time. The command takes more: wug match.`)
    }
    this.remember()
    const locked = others ? this.list.locked() : new Map<string, Pair[]>()
    const targets = all.filter((word) => !locked.has(word))
    if (!targets.length) return this.messages.say('All pseudowords are locked.')
    const excluded = others ? this.list.seen() : []
    this.working.hidden = false
    this.progress.removeAttribute('value')
    this.stage.textContent = 'Opening the model'
    try {
      const request = this.request(targets, excluded, others ? freshSeed() : this.seed.get())
      const found: Matched = await engine.of(models.current, request, ({ stage, share }) => {
        this.stage.textContent = STAGES[stage] ?? stage
        this.progress.value = share
      })
      if (turn !== this.turn) return
      if (!others) this.found = found
      this.list.fill(found, others ? locked : undefined)
      this.results.hidden = false
      if (others) await this.measure()
      else this.report(found)
      const short = found.shortages.map(([word, why]) => `${word}: ${why}`)
      if (short.length) this.messages.say(`Some words have too few pseudowords, or none. ${short.slice(0, 5).join('. ')}${short.length > 5 ? `, and ${short.length - 5} more` : ''}.`)
      this.app.announce(`${found.targets.length} words matched`)
    } catch (error) {
      if (turn === this.turn && error instanceof Cancelled) this.messages.say('Cancelled.')
      else if (turn === this.turn) this.messages.problem(error)
    }
    if (turn === this.turn) this.working.hidden = true
  }

  private report(found: Matched, changed = '') {
    this.method.textContent = found.method + changed
    fill(this.reports, qualityCard(found.quality), biasCard(found.bias))
  }

  /** Another pseudoword for one word; the others stay. */
  private async another(pair: Pair) {
    const { turn } = this
    try {
      const request = this.request([pair.target.word], this.list.seen(), this.seed.get())
      const found: Matched = await this.engine.of(this.app.models.current, { ...request, per_target: 1, candidates: CANDIDATES_FOR_ONE })
      const match = found.targets[0]?.pseudowords[0]
      if (turn !== this.turn) return
      if (!match) return this.messages.say(`There is no other pseudoword for ${pair.target.word}.`)
      this.list.replace(pair, match)
      this.app.announce(match.word)
      await this.measure()
    } catch (error) {
      this.messages.problem(error)
    }
  }

  /** All figures and the method text, of the list as it is now. */
  private async measure() {
    this.app.unsaved.add(this)
    const { turn } = this
    const pairs = this.list.words()
    const request = { ...this.request([], [], this.seed.get()), pairs, candidates: this.found?.candidates }
    const found: Matched = await this.engine.of(this.app.models.current, request)
    if (turn !== this.turn) return
    const { replaced } = this.list
    this.report(found, replaced ? `${replaced === 1 ? 'One pseudoword was' : `${replaced} pseudowords were`} rejected by hand and replaced.\n` : 'Some pseudowords were made anew with another seed.\n')
  }

  private command(): string {
    // The last digits of numbers decide between candidates: the command must compute as a browser does.
    return commandLine(['WUG_SIMD=plain', 'wug', 'match', 'targets.txt', ...modelOption(this.app.models),
      '-n', this.value('each'), '--seed', this.value('seed'),
      ...(this.same().length ? ['--same', this.same().join(',')] : []),
      ...(this.value('edits') ? ['--max-edits', this.value('edits')] : []), ...(this.value('without') ? ['--without', this.value('without')] : []),
      '--format', 'csv'])
  }
}
