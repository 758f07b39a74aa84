import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { open, shownWord, start, stop } from './browser.mjs'

before(start)
after(stop)

/** Waits until the picture shows another word. */
async function other(page, word) {
  await page.waitForFunction((word) => [...document.querySelectorAll('.column .letter:not(.end)')].map((letter) => letter.textContent).join('') !== word, word)
  return shownWord(page)
}

test('a newcomer finds a word, drags a point, and the word changes', () => open('', async (page) => {
  const word = await shownWord(page)
  assert.ok(word.length >= 6, word)
  const bar = page.getByRole('slider', { name: 'Noise of letter 2', exact: true })
  const { width, height } = await bar.boundingBox()
  const hover = (share) => bar.hover({ position: { x: width / 2, y: height * (1 - share) } })
  const before = await bar.getAttribute('aria-valuetext')
  const now = Number(await bar.getAttribute('aria-valuenow'))
  await hover(now / 100)
  await page.mouse.down()
  await hover(0.5)
  await hover(now > 50 ? 0.05 : 0.95)
  await page.mouse.up()
  const changed = await other(page, word)
  assert.notEqual(await bar.getAttribute('aria-valuetext'), before)
  assert.equal(changed[0], word[0], 'letters before it stay')
  // The address repeats the result.
  await open(new URL(page.url()).hash, async (again) => assert.equal(await shownWord(again), changed))
}))

test('a finger drags on a narrow screen', () => open('#noise?word=winter', async (page) => {
  assert.equal(await shownWord(page), 'winter')
  const box = await page.getByRole('slider', { name: 'Noise of letter 1', exact: true }).boundingBox()
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height * 0.98)
  assert.notEqual((await other(page, 'winter'))[0], 'w')
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out')
}, { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }))

test('the keyboard does all of it', () => open('#noise?word=winter', async (page) => {
  await shownWord(page)
  await page.getByRole('slider', { name: 'Noise of letter 1', exact: true }).focus()
  await page.keyboard.press('ArrowRight')
  const second = page.getByRole('slider', { name: 'Noise of letter 2', exact: true })
  assert.ok(await second.evaluate((bar) => bar === document.activeElement))
  await page.keyboard.press('o')
  assert.match(await other(page, 'winter'), /^wo/)
  const before = Number(await second.getAttribute('aria-valuenow'))
  await page.keyboard.press('ArrowUp')
  await page.waitForFunction((before) => Number(document.activeElement.getAttribute('aria-valuenow')) > before, before)
  const word = await shownWord(page)
  await page.keyboard.press('PageUp')
  await other(page, word)
}))

test('from a word to its noise, near it, and on to another', () => open('', async (page) => {
  await shownWord(page)
  await page.getByLabel('Word', { exact: true }).fill('winter')
  await page.getByRole('button', { name: 'Show its noise' }).click()
  await page.getByText('winter has a log-probability').waitFor()
  assert.equal(await shownWord(page), 'winter')
  await page.getByText('It is a word of the list.').waitFor()
  await page.locator('[aria-label="Words near this one"] .word').first().waitFor()
  await page.getByLabel('Other word').fill('summer')
  const far = page.getByRole('slider', { name: 'How far' })
  await far.fill('1')
  await page.getByText('summer has a log-probability').waitFor()
  const way = await page.locator('[aria-label="Words on the way"] .word').allTextContents()
  assert.deepEqual([way[0], way.at(-1)], ['winter', 'summer'])
  await far.fill('0')
  await page.getByText('winter has a log-probability').waitFor()
}))

test('new noise, for all letters or one', () => open('#noise?word=winter', async (page) => {
  await shownWord(page)
  await page.getByRole('button', { name: 'New noise', exact: true }).click()
  const word = await other(page, 'winter')
  await page.getByRole('button', { name: 'Redraw the noise of letter 1', exact: true }).click()
  await page.waitForFunction(() => location.hash.includes('points='))
  assert.ok(word.length > 0)
}))

test('letters that the model lacks are refused by name', () => open('', async (page) => {
  await shownWord(page)
  await page.getByLabel('Word', { exact: true }).fill('wütend')
  await page.getByRole('button', { name: 'Show its noise' }).click()
  await page.locator('#panel-noise .problem').filter({ hasText: 'ü' }).waitFor()
  await page.getByLabel('Word', { exact: true }).fill('angry')
  await page.getByRole('button', { name: 'Show its noise' }).click()
  await page.getByText('angry has a log-probability').waitFor()
}))
