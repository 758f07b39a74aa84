import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { folder, open, saved, start, stop, words, wug } from './browser.mjs'

before(start)
after(stop)

/** A thousand names, the same every time: what they are made of can be learnt. */
function names() {
  const [first, middle, last] = ['b d f g h k l m n r s t v z br dr gl kr sl tr'.split(' '), 'a e i o u ai ei ou'.split(' '), ['', 'n', 'l', 'r', 's', 'm', 'nd', 'th']]
  let state = 12345
  const pick = (list) => list[(state = (Math.imul(state, 1103515245) + 12345) >>> 0, state >>> 8) % list.length]
  const found = new Set()
  while (found.size < 1000) found.add(pick(first) + pick(middle) + pick(first) + pick(middle) + pick(last))
  return [...found]
}

test('a thousand names are trained on, used everywhere, saved, and read by the command', () => open('#train', async (page) => {
  const list = join(folder, 'names.txt')
  writeFileSync(list, names().join('\n'))
  await page.locator('#panel-train input[type=file]').first().setInputFiles(list)
  await page.getByText('names.txt: 1,000 lines').waitFor()
  await page.locator('#panel-train form').getByRole('button', { name: 'Train' }).click()
  await page.locator('.fresh .word').first().waitFor()
  await page.locator('.curve polyline').first().waitFor()
  await page.getByText(/^Done\./).waitFor({ timeout: 1_500_000 })
  assert.equal(await page.locator('#model option:checked').textContent(), 'names')
  const file = await saved(page, 'Save the model file')
  await page.getByRole('tab', { name: 'Make words' }).click()
  const made = await words(page)
  assert.equal(made.length, 60)
  const known = new Set(names())
  assert.ok(made.every((word) => !known.has(word)), 'only new words')
  // The command reads the file and makes the same words of it.
  assert.deepEqual(made, wug('sample', '-m', file, '-n', '60', '--seed', '1', '--novel', '--unique').trim().split('\n'))
  // So does a page that opens it.
  await open('#train', async (other) => {
    await other.locator('#panel-train input[type=file]').nth(1).setInputFiles(file)
    await other.getByText('names.safetensors is open').waitFor()
    await other.getByRole('tab', { name: 'Make words' }).click()
    assert.deepEqual(await words(other), made)
  })
}))

test('scripts from right to left and letters of several signs', () => open('#train', async (page) => {
  const list = 'שָׁלוֹם בַּיִת סֵפֶר יֶלֶד יַלְדָּה מַיִם לֶחֶם שֶׁמֶשׁ יָרֵחַ כּוֹכָב עֵץ פֶּרַח דֶּרֶךְ עִיר הַר נָהָר יָם אֶרֶץ אִשָּׁה אִישׁ'.split(' ')
  await page.getByLabel('Words or names').fill(list.join('\n'))
  await page.getByLabel('Words or names').press('Tab')
  await page.locator('#panel-train form').getByRole('button', { name: 'Train' }).click()
  await page.locator('.fresh .word').first().waitFor()
  await page.getByRole('button', { name: 'Stop here and keep it' }).click()
  await page.getByText(/^Done\./).waitFor()
  await page.getByRole('tab', { name: 'Look into the noise' }).click()
  await page.getByLabel('Word', { exact: true }).fill(list[0])
  await page.getByRole('button', { name: 'Show its noise' }).click()
  await page.getByText('has a log-probability').waitFor()
  await page.waitForFunction((word) => [...document.querySelectorAll('.column .letter:not(.end)')].map((letter) => letter.textContent).join('') === word, list[0].normalize('NFC'))
  const letters = await page.locator('.column .letter:not(.end)').allTextContents()
  assert.equal(letters.length, [...new Intl.Segmenter('he', { granularity: 'grapheme' }).segment(list[0])].length)
  const places = await page.locator('.column').evaluateAll((columns) => columns.map((column) => column.getBoundingClientRect().x))
  assert.ok(places[0] > places[1], 'the first letter is on the right')
}))

test('training can be stopped, and what there is stays', () => open('#train', async (page) => {
  await page.getByRole('button', { name: 'Try it with the names of moons' }).click()
  await page.locator('.fresh .word').first().waitFor()
  await page.getByRole('button', { name: 'Stop here and keep it' }).click()
  await page.getByText(/^Done\./).waitFor()
  const bytes = readFileSync(await saved(page, 'Save the model file'))
  assert.ok(bytes.length > 10_000)
}))
