// How fast the page is, beside the command: opening, sampling, training, matching.
// Usage: cargo build --release && cargo xtask page && cd page && node speed.mjs [open,sample,train,match]
// The page and the command are those of `target`; WUG_BROWSER names another browser than /usr/bin/chromium.
import { execFileSync } from 'node:child_process'
import { chromium } from 'playwright-core'

const TARGET = new URL('../target/', import.meta.url)
const [PAGE, COMMAND] = [new URL('page/wug.html', TARGET).href, new URL('release/wug', TARGET).pathname]
const what = (process.argv[2] ?? 'open,sample,train,match').split(',')
const b = await chromium.launch({ executablePath: process.env.WUG_BROWSER ?? '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu'] })
const fresh = async (hash, init) => { const c = await b.newContext({offline:true, viewport:{width:1280,height:900}}); const p = await c.newPage(); p.setDefaultTimeout(200000); if (init) await p.addInitScript(init); await p.goto(PAGE+hash); return p }
const watch = (selector) => `new MutationObserver(() => { if (!window.__t && document.querySelector(${JSON.stringify(selector)})) window.__t = performance.now() }).observe(document, {childList:true, subtree:true})`
if (what.includes('open')) for (const [hash, sel] of [['', '.column .letter.end'], ['#make', '#panel-make .words .word']]) {
  const times = []
  for (let i = 0; i < 5; i++) { const p = await fresh(hash, watch(sel)); await p.waitForFunction(() => window.__t); times.push(Math.round(await p.evaluate(() => window.__t))); await p.context().close() }
  console.log('open', hash || '#noise', times.join(' '), 'ms')
}
if (what.includes('sample')) {
  const n = 100000
  const p = await fresh('#make?n=1000&novel=0&unique=0')
  await p.locator('#panel-make .words .word').first().waitFor(); await p.waitForTimeout(1500)
  for (let i = 0; i < 3; i++) {
    const ms = await p.evaluate(async (n) => {
      const stop = [...document.querySelectorAll('#panel-make button')].find(x => x.textContent === 'Stop')
      document.querySelector('#panel-make input[name=n]').value = String(n)
      const t = performance.now()
      document.querySelector('#panel-make form').requestSubmit()
      await new Promise(r => { const i = setInterval(() => { if (stop.hidden) { clearInterval(i); r() } }, 5) })
      return performance.now() - t
    }, n)
    const t = performance.now(); execFileSync(COMMAND, ['sample', '-n', String(n), '--threads', '1'], { stdio: ['ignore', 'ignore', 'ignore'] }); const native = performance.now() - t
    console.log('sample', n, 'page', Math.round(ms), 'ms; command', Math.round(native), 'ms; share', (native / ms).toFixed(3))
  }
}
if (what.includes('train')) {
  const [first, middle, last] = ['b d f g h k l m n r s t v z br dr gl kr sl tr'.split(' '), 'a e i o u ai ei ou'.split(' '), ['', 'n', 'l', 'r', 's', 'm', 'nd', 'th']]
  let state = 12345
  const pick = (list) => list[(state = (Math.imul(state, 1103515245) + 12345) >>> 0, state >>> 8) % list.length]
  const found = new Set(); while (found.size < 1000) found.add(pick(first) + pick(middle) + pick(first) + pick(middle) + pick(last))
  const p = await fresh('#train')
  await p.getByLabel('Words or names').fill([...found].join('\n'))
  const t = performance.now()
  await p.locator('#panel-train form').getByRole('button', { name: 'Train' }).click()
  await Promise.race([p.getByText(/^Done\./).waitFor(), p.waitForTimeout(100_000)])
  console.log('train', Math.round(performance.now() - t), 'ms', await p.locator('#panel-train .progress p').textContent())
}
if (what.includes('match')) {
  const nouns = `apple arrow basket beard bench blanket bottle branch bridge bucket button camel candle carpet castle chain cheese cherry circle cloud coffee corner cotton cradle dragon drawer engine feather fence finger flower forest garden glove grape hammer harbour helmet island jacket kettle ladder lemon letter mirror monkey needle orange palace pencil pepper pillow planet pocket rabbit ribbon saddle shadow spoon window`.replaceAll(' ', '+')
  const p = await fresh('#pseudowords?targets=' + nouns)
  const t = performance.now()
  await p.waitForFunction(() => document.querySelectorAll('#panel-pseudowords tbody tr').length === 60)
  console.log('match 60', Math.round(performance.now() - t), 'ms')
  const u = performance.now()
  const old = await p.locator('#panel-pseudowords tbody tr').nth(3).locator('td').first().textContent()
  await p.getByRole('button', { name: `Reject ${old}`, exact: true }).click()
  await p.waitForFunction((old) => document.querySelectorAll('#panel-pseudowords tbody tr')[3].cells[1].textContent !== old, old)
  console.log('another', Math.round(performance.now() - u), 'ms')
}
await b.close()
