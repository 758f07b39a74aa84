// Make words: everything that the model makes, under conditions.
import type { App, Panel } from './app'
import { Messages, commandLine, freshSeed, modelOption, spelled, wordLink } from './app'
import { csv } from './files/csv'
import { copyButton, fill, h, save } from './dom'
import type { Control } from './form'
import * as form from './form'
import { grouped } from './numbers'
import { remember, whole } from './settings'

/** Words that are shown; all are in the file. */
const SHOWN = 600
const MAX = 1_000_000

export class MakePanel implements Panel {
  readonly id = 'make'
  readonly title = 'Make words'
  readonly element: HTMLElement
  private messages = new Messages()
  private made = h('div', { class: 'words', role: 'group', 'aria-label': 'Words' })
  private count = h('p', { class: 'count' })
  private stop = h('button', { type: 'button', hidden: true, click: () => this.app.work.cancel() }, 'Stop')
  private words: string[] = []
  /** Whether the words came from particles: then the command must compute as a browser does to make the same ones. */
  private particles = false
  private turn = 0
  private seed = form.number('seed', 'Seed', { value: '1', least: 0, most: Number.MAX_SAFE_INTEGER, hint: 'The same seed makes the same words, here and in the command.' })
  private controls: Control[] = [
    form.number('n', 'How many', { value: '60', least: 1, most: MAX }),
    form.tick('novel', 'Only new words', { value: '1' }),
    form.tick('unique', 'No word twice', { value: '1' }),
    form.slider('temperature', 'Temperature', {
      value: '1', least: 0.3, most: 1.7, step: 0.05,
      show: (value) => (value < 0.95 ? `${value.toFixed(2)}, more usual` : value > 1.05 ? `${value.toFixed(2)}, stranger` : '1, as the model is'),
    }),
    form.number('min', 'Minimum letters', { least: 1, most: 64, placeholder: 'any' }),
    form.number('max', 'Maximum letters', { least: 1, most: 64, placeholder: 'any' }),
    form.text('prefix', 'Begins with', { placeholder: 'anything' }),
    form.text('suffix', 'Ends with', { placeholder: 'anything' }),
    form.text('pattern', 'Pattern', { placeholder: 's??ng*', hint: '? is one letter, * any letters, [aeiou] one of these, [!aeiou] none of these, C a consonant, V a vowel.' }),
    form.text('containing', 'Contains', { placeholder: 'oo', hint: 'A pattern found somewhere in the word.' }),
    form.text('without', 'Does not contain', { placeholder: 'sex|xx|[qx]', hint: 'Letters and strings found nowhere in the word.' }),
    form.text('syllables', 'Syllables', { placeholder: '2 or 2-3', hint: 'Counted as groups of vowels.' }),
    this.seed,
  ]

  constructor(private app: App) {
    const [n, novel, unique, temperature, min, max, prefix, suffix, pattern, containing, without, syllables, seed] = this.controls.map((control) => control.element)
    const again = () => {
      this.seed.set(freshSeed())
      this.make()
    }
    const controls = h('form', { class: 'settings', submit: (event: Event) => (event.preventDefault(), this.make()), change: () => this.make() },
      h('div', { class: 'row' }, min!, max!), h('div', { class: 'row' }, prefix!, suffix!), temperature!, novel!,
      form.fold('More settings', n!, pattern!, containing!, without!, syllables!, unique!, seed!),
      h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'main', click: again }, 'Other words'), h('button', { type: 'submit' }, 'Make'), this.stop))
    this.element = h('section', {}, h('div', { class: 'sided' },
      controls,
      h('div', {},
        h('h2', {}, 'Words that could be words'),
        h('p', {}, 'Click one to see the noise behind it.'),
        this.messages.element, this.made, this.count,
        h('div', { class: 'buttons' },
          copyButton('Copy the words', () => this.words.join('\n')),
          h('button', { type: 'button', class: 'quiet', click: () => save('words.csv', csv([['word'], ...this.words.map((word) => [word])]), 'text/csv') }, 'Save as CSV'),
          copyButton('Copy as command', () => this.command())))))
  }

  show(values: URLSearchParams) {
    form.restore(this.controls, values)
    this.make()
  }

  modelChanged() {
    if (!this.element.hidden) this.make()
  }

  private value = (name: string) => this.controls.find((control) => control.name === name)?.get() ?? ''

  private async make() {
    const turn = ++this.turn
    const { work, models } = this.app
    work.cancel()
    const { current } = models
    remember(this.id, { model: current.bundled ? current.code : '', ...form.values(this.controls) })
    this.words = []
    this.particles = false
    fill(this.made)
    this.count.textContent = ''
    this.messages.clear()
    this.stop.hidden = false
    try {
      const request = await this.request()
      if (turn !== this.turn) return
      const answer = await work.of(current, request, (told) => turn === this.turn && this.add(told.words))
      if (turn !== this.turn) return
      this.particles = answer.particles
      if (answer.problem) this.messages.say(answer.problem)
    } catch (error) {
      if (turn === this.turn) this.messages.problem(error)
    }
    if (turn === this.turn) {
      this.stop.hidden = true
      this.app.announce(`${this.words.length} words`)
    }
  }

  private async request() {
    const [prefix = '', suffix = ''] = await spelled(this.app, [this.value('prefix'), this.value('suffix')])
    return {
      do: 'words',
      count: whole(this.value('n'), 60, 1, MAX),
      request: {
        seed: whole(this.value('seed'), 1, 0, Number.MAX_SAFE_INTEGER),
        constraints: stated({
          prefix, suffix, pattern: this.value('pattern'), containing: this.value('containing'), without: this.value('without'),
          syllables: this.value('syllables'), min_length: this.value('min'), max_length: this.value('max'),
        }),
        novel: this.value('novel') === '1', unique: this.value('unique') === '1', temperature: Number(this.value('temperature')),
      },
    }
  }

  private add(words: string[]) {
    const room = Math.max(SHOWN - this.words.length, 0)
    this.words.push(...words)
    this.made.append(...words.slice(0, room).map((word) => wordLink(this.app, word)))
    this.count.textContent = this.words.length > SHOWN ? `${SHOWN} of ${grouped(this.words.length)} words are shown; all are in the file.` : ''
  }

  private command(): string {
    const option = (name: string, value: string, usual = '') => (value === usual ? [] : [name, value])
    return commandLine([
      this.particles && 'WUG_SIMD=plain', 'wug', 'sample', ...modelOption(this.app.models),
      '-n', this.value('n'), '--seed', this.value('seed'),
      ...option('--min-length', this.value('min')), ...option('--max-length', this.value('max')),
      ...option('--prefix', this.value('prefix')), ...option('--suffix', this.value('suffix')), ...option('--pattern', this.value('pattern')),
      ...option('--containing', this.value('containing')), ...option('--without', this.value('without')), ...option('--syllables', this.value('syllables')),
      ...option('--temperature', this.value('temperature'), '1'),
      this.value('novel') === '1' && '--novel', this.value('unique') === '1' && '--unique',
    ])
  }
}

/** The fields that are not empty. */
function stated(fields: Record<string, string>) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value))
}
