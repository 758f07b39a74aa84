// Builds the page into one file that needs nothing else: no network, no server.
//
//   node build.mjs --wasm wug_web.wasm --models FOLDER --out wug.html
//
// Scripts and styles stand in the file and are allowed by their hashes alone. The WebAssembly module and the models are gzip in
// base64, in elements that browsers do not run. The Worker is started from its text. The policy allows no connection at all.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { models } from './models.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const { values: options } = parseArgs({
  options: { wasm: { type: 'string' }, models: { type: 'string' }, out: { type: 'string' } },
})
if (!options.wasm || !options.models || !options.out) {
  console.error('usage: node build.mjs --wasm FILE --models FOLDER --out FILE')
  process.exit(2)
}

/** The most that module and models may take; the page is to stay below 8 MB. */
const MAX = 7.6e6

/** The text of a script with all that it imports, and of the styles that it imports. */
async function bundle(entry, define = {}) {
  const result = await build({
    root: here,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define,
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      cssCodeSplit: false,
      rollupOptions: { input: join(here, 'src', entry), output: { format: 'iife' } },
    },
  })
  const { output } = Array.isArray(result) ? result[0] : result
  const script = output.find((part) => part.type === 'chunk').code
  const style = output.find((part) => part.fileName.endsWith('.css'))?.source ?? ''
  return { script, style: String(style) }
}

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString('base64')
// A script ends at the first sign of its end, wherever that stands.
const script = (text) => text.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')

const worker = await bundle('worker.ts')
const wasm = packed(readFileSync(resolve(options.wasm)))
const { inside: languages, outside } = models(options.models, packed, MAX - wasm.length)
const listed = languages.map(({ code, name, packed }) => ({ code, name, packed: packed !== '' }))
const version = readFileSync(join(here, '../Cargo.toml'), 'utf8').match(/^version = "(.*)"/m)[1]
const main = await bundle('main.ts', {
  WORKER: JSON.stringify(worker.script),
  LANGUAGES: JSON.stringify(listed),
  VERSION: JSON.stringify(version),
  MOONS: JSON.stringify(readFileSync(join(here, '../examples/moons.txt'), 'utf8')),
})

const [code, style] = [script(main.script), main.style.trim()]
const policy = [
  "default-src 'none'",
  `script-src ${hash(code)} 'wasm-unsafe-eval'`,
  `style-src ${hash(style)}`,
  'worker-src blob:',
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')
const data = (name, text) => `<script type="application/octet-stream" id="${name}">${text}</script>`
const parts = {
  policy,
  style: `<style>${style}</style>`,
  data: [
    data('wasm', wasm),
    ...languages.filter(({ packed }) => packed).map(({ code, packed }) => data(`model-${code}`, packed)),
  ].join('\n'),
  script: `<script>${code}</script>`,
}
const template = readFileSync(join(here, 'src/page.html'), 'utf8')
const html = template.replace(/<!--([a-z]+)-->|\{\{([a-z]+)\}\}/g, (_, comment, value) => parts[comment ?? value])
mkdirSync(dirname(resolve(options.out)), { recursive: true })
writeFileSync(options.out, html)
console.error(`${options.out}: ${(html.length / 1e6).toFixed(2)} MB, ${languages.length} languages${outside.length ? `; files for ${outside.join(', ')} are in ${options.models}` : ''}`)
