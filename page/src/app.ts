// What all panels share.
import type { Engine } from './engine'
import { Cancelled } from './engine'
import type { ModelInfo, Models } from './models'
import { h } from './dom'

export interface App {
  /** For what must answer at once. */
  live: Engine
  /** For what takes a moment and may be cancelled. Panels with long work have Workers of their own. */
  work: Engine
  models: Models
  /** Goes to a panel with settings. */
  go(panel: string, values?: Record<string, string>): void
  /** Says something to screen readers. */
  announce(text: string): void
  /** What would be lost if the page were closed now. */
  unsaved: Set<object>
}

export interface Panel {
  id: string
  title: string
  element: HTMLElement
  /** Is shown, with the settings of the address. */
  show(values: URLSearchParams): void
  /** The model is another one. */
  modelChanged?(): void
}

/** A place for problems: what was found, and what to do. */
export class Messages {
  readonly element = h('div', { class: 'messages', role: 'status' })

  say(text: string) {
    this.element.replaceChildren(...(text ? [h('p', {}, text)] : []))
  }

  /** Shows an error, unless it is that somebody cancelled. */
  problem(error: unknown) {
    if (error instanceof Cancelled) return
    const text = error instanceof Error ? error.message : String(error)
    this.element.replaceChildren(h('p', { class: 'problem' }, text.charAt(0).toUpperCase() + text.slice(1)))
  }

  clear() {
    this.element.replaceChildren()
  }
}

/** A word that can be looked into. */
export function wordLink(app: App, word: string): HTMLElement {
  return h('button', {
    type: 'button', class: 'word link', dir: 'auto', title: 'Look into its noise',
    click: () => app.go('noise', { word }),
  }, word)
}

/** Words as the model spells them: in lower case if it has no capitals. */
export async function spelled(app: App, words: string[]): Promise<string[]> {
  const { letters } = (await app.live.use(app.models.current)).json as ModelInfo
  const capitals = letters.some((letter) => letter !== letter.toLowerCase())
  return capitals ? words : words.map((word) => word.toLowerCase())
}

/** Words of the model's list to begin with. */
export async function examples(app: App, count: number): Promise<string[]> {
  return (await app.work.of(app.models.current, { do: 'examples', count })).words
}

/** A random seed that people can type. */
export const freshSeed = () => String(1 + Math.floor(Math.random() * 99_999))

/** How the command is told of a model; the first one needs no word. */
export function modelOption(models: Models): string[] {
  const { current } = models
  return current === models.all[0] ? [] : ['-m', current.bundled ? current.code : 'model.safetensors']
}

/** A command line that does the same; arguments are quoted where a shell asks for it. */
export function commandLine(parts: (string | false | undefined)[]): string {
  const quote = (part: string) => (/^[\w./:=,+-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`)
  return parts.filter((part) => part !== false && part !== undefined && part !== '').map((part) => quote(part as string)).join(' ')
}
