// The WebAssembly module under Node, without a browser: words of a model, and a training.
// Usage: node tools/wasm_words.mjs MODULE sample MODEL COUNT SEED          words on standard output
//        node tools/wasm_words.mjs MODULE train LIST STEPS SEED MODEL SETTING...   writes the model to a file
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

const [module, task, ...rest] = process.argv.slice(2)
const told = []
const imports = { page: { tell: (start, length) => told.push(JSON.parse(text(start, length))) } }
const { instance } = await WebAssembly.instantiate(readFileSync(module), imports)
const { memory, reserve, answer, answer_part: part, answer_length: length } = instance.exports

function text(start, count) {
  return new TextDecoder().decode(new Uint8Array(memory.buffer, start, count))
}

/** The answer to a request, in JSON and bytes. */
function ask(request, bytes = new Uint8Array()) {
  const json = new TextEncoder().encode(JSON.stringify(request))
  const room = reserve(json.length + bytes.length)
  new Uint8Array(memory.buffer, room).set(json)
  new Uint8Array(memory.buffer, room + json.length).set(bytes)
  const good = answer(json.length)
  const found = JSON.parse(text(part(0), length(0)))
  if (!good) throw new Error(found.error)
  return { ...found, bytes: new Uint8Array(memory.buffer, part(1), length(1)).slice() }
}

if (task === 'sample') {
  const [model, count, seed] = rest
  ask({ do: 'open', model }, readFileSync(model))
  ask({ do: 'words', model, count: Number(count), seed: Number(seed) })
  console.log(told.flatMap(({ words }) => words).join('\n'))
} else {
  const [list, steps, seed, model, ...settings] = rest
  ask({ do: 'train', name: basename(list), seed: Number(seed), settings }, readFileSync(list))
  ask({ do: 'steps', steps: Number(steps) })
  writeFileSync(model, ask({ do: 'trained', model }).bytes)
}
