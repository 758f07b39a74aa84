// The models that are in the page, as `pack_models` of crates/wug-web writes them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Code, name and file of each language. English has no file: it is in the WebAssembly module. */
export function models(folder) {
  const found = JSON.parse(readFileSync(join(folder, 'languages.json'), 'utf8'))
  return found.map(({ file, ...rest }) => ({ ...rest, bytes: file ? readFileSync(join(folder, file)) : undefined }))
}
