// The models that are in the page.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Code, name and file of each language, the first one first in the page. */
export function models() {
  return [{ code: 'en', name: 'English', file: join(root, 'crates/wug-data/models/en-running.safetensors') }]
}
