import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { barriers, open, start, stop } from './browser.mjs'

before(start)
after(stop)

/** Panels, and what is there when they are ready. */
const READY = {
  noise: '.column',
  make: '#panel-make .words .word',
  'pseudowords?targets=garden+window': '#panel-pseudowords tbody tr',
  score: '#panel-score tbody tr',
  train: '#panel-train .fresh .word',
}
const SIZES = { wide: { width: 1280, height: 900 }, narrow: { width: 360, height: 740 } }

for (const [panel, ready] of Object.entries(READY)) {
  test(`no serious barrier, and nothing sticks out: ${panel}`, () => open(`#${panel}`, async (page) => {
    if (panel === 'train') await page.getByRole('button', { name: 'Try it' }).click()
    await page.locator(ready).first().waitFor()
    for (const [name, size] of Object.entries(SIZES)) {
      for (const colorScheme of ['light', 'dark']) {
        await page.setViewportSize(size)
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.waitForTimeout(200)
        assert.deepEqual(await barriers(page), [], `${name}, ${colorScheme}`)
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name}: the page is wider than the window`)
      }
    }
  }))
}

test('tabs are reached and turned by keys, and the browser goes back', () => open('#make', async (page) => {
  await page.getByRole('tab', { name: 'Make words' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  assert.equal(await page.getByRole('tab', { selected: true }).textContent(), 'Score words')
  assert.ok(await page.locator('#panel-score').isVisible())
  assert.ok(!(await page.locator('#panel-make').isVisible()))
  await page.goBack()
  await page.goBack()
  await page.locator('#panel-make').waitFor()
  assert.equal(await page.getByRole('tab', { selected: true }).textContent(), 'Make words')
}))

test('every control has a name, and the keyboard reaches it', () => open('#make', async (page) => {
  const names = new Set()
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press('Tab')
    const name = await page.evaluate(() => {
      const { activeElement: element } = document
      return element === document.body ? '' : element.labels?.[0]?.textContent || element.getAttribute('aria-label') || element.textContent
    })
    if (names.has(name)) break
    names.add(name)
  }
  for (const wanted of ['Language', 'Make words', 'Begins with', 'Pattern', 'Seed', 'Other words', 'Make']) {
    assert.ok([...names].some((name) => name.startsWith(wanted)), `${wanted} is not among ${[...names].join(' | ')}`)
  }
}))
