import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { barriers, open, start, stop } from './browser.mjs'

before(start)
after(stop)

const READY = {
  noise: '.column', make: '#panel-make .words .word', pseudowords: '#panel-pseudowords tbody tr', score: '#panel-score tbody tr', train: '#panel-train textarea',
}

for (const colorScheme of ['light', 'dark']) {
  for (const [panel, ready] of Object.entries(READY)) {
    test(`nothing serious stands in the way: ${panel}, ${colorScheme}`, () => open(`#${panel}`, async (page) => {
      await page.locator(ready).first().waitFor()
      await page.waitForTimeout(500)
      assert.deepEqual(await barriers(page), [])
    }, { colorScheme }))
  }
}

test('tabs are reached and turned by keys', () => open('#make', async (page) => {
  await page.getByRole('tab', { name: 'Make words' }).focus()
  await page.keyboard.press('ArrowRight')
  assert.equal(await page.getByRole('tab', { selected: true }).textContent(), 'Pseudowords for an experiment')
  assert.ok(await page.locator('#panel-pseudowords').isVisible())
  assert.ok(!(await page.locator('#panel-make').isVisible()))
}))

for (const panel of Object.keys(READY)) {
  test(`nothing sticks out of a narrow screen: ${panel}`, () => open(`#${panel}`, async (page) => {
    await page.locator(READY[panel]).first().waitFor()
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  }, { viewport: { width: 360, height: 740 } }))
}
