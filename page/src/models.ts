// Models: those in the page, those that were opened, those that were trained here.
import { unpacked } from './packed'

declare const LANGUAGES: { code: string; name: string; packed: boolean }[]

/** A model by its code; its bytes are fetched when they are needed. */
export interface Model {
  code: string
  name: string
  /** Whether it is in the page: then the command has it by its code, and a link can name it. */
  bundled: boolean
  bytes(): Promise<Uint8Array>
}

/** What a Worker says of an open model. */
export interface ModelInfo {
  letters: string[]
  exact: boolean
  noise: number
  provenance: { lexicon: string; lexicon_digest: string; words_seen: number; version: string }
}

export class Models {
  /** English comes first, the others by their names. */
  readonly all: Model[] = LANGUAGES.map(({ code, name, packed }) => {
    let bytes: Promise<Uint8Array> | undefined
    // What is not packed by itself is in the module.
    const load = () => (packed ? unpacked(`model-${code}`) : Promise.resolve(new Uint8Array()))
    return { code, name, bundled: true, bytes: () => (bytes ??= load()) }
  })
  current: Model = this.all[0]!
  private listeners: (() => void)[] = []
  private own = 0

  /** Calls back whenever there is another current model, or another model at all. */
  listen(listener: () => void) {
    this.listeners.push(listener)
  }

  find(code: string): Model | undefined {
    return this.all.find((model) => model.code === code)
  }

  choose(model: Model) {
    this.current = model
    for (const listener of this.listeners) listener()
  }

  /** Adds a model by the bytes of its file. */
  add(name: string, bytes: Uint8Array): Model {
    this.own += 1
    const model = { code: `own-${this.own}`, name, bundled: false, bytes: () => Promise.resolve(bytes.slice()) }
    this.all.push(model)
    return model
  }

  remove(model: Model) {
    this.all.splice(this.all.indexOf(model), 1)
  }
}

/** Whether letters are written from right to left. */
export function isRightToLeft(letters: string[]): boolean {
  const first = letters.find((letter) => /\p{L}/u.test(letter)) ?? ''
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(first)
}
