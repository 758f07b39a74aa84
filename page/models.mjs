// The models that are in the page, as `pack_models` of crates/wug-web writes them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Code, name and packed file of each language. English has no file: it is in the WebAssembly module. Of the others, the smallest are in the page
 * as far as there is room; the rest can be opened as files.
 */
export function models(folder, pack, room) {
  const found = JSON.parse(readFileSync(join(folder, 'languages.json'), 'utf8'))
    .map(({ file, ...rest }) => ({ ...rest, packed: file ? pack(readFileSync(join(folder, file))) : '' }))
  for (const model of [...found].sort((a, b) => a.packed.length - b.packed.length)) {
    room -= model.packed.length
    model.fits = room >= 0
  }
  return { inside: found.filter(({ fits }) => fits), outside: found.filter(({ fits }) => !fits).map(({ code }) => code) }
}
