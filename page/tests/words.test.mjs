import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { open, plainWug, saved, shownWord, start, stop, words, wug } from './browser.mjs'

before(start)
after(stop)

const SAME = [
  ['#make?n=40&novel=0&unique=0&seed=7', ['-n', '40', '--seed', '7']],
  ['#make?n=25&novel=1&unique=1&seed=1', ['-n', '25', '--seed', '1', '--novel', '--unique']],
  ['#make?n=12&novel=0&unique=1&seed=3&prefix=wu&max=7', ['-n', '12', '--seed', '3', '--unique', '--prefix', 'wu', '--max-length', '7']],
  ['#make?n=10&novel=0&unique=0&seed=2&containing=oo&without=%5Bqx%5D&syllables=2-3', ['-n', '10', '--seed', '2', '--containing', 'oo', '--without', '[qx]', '--syllables', '2-3']],
  ['#make?n=15&novel=0&unique=0&seed=4&temperature=0.5', ['-n', '15', '--seed', '4', '--temperature', '0.5']],
]

for (const [hash, args] of SAME) {
  test(`the same seed gives the command's words: ${args.join(' ')}`, () => open(hash, async (page) => {
    assert.deepEqual(await words(page), wug('sample', ...args).trim().split('\n'))
  }))
}

// Such words come from populations of particles, where the last digits of numbers decide, and browsers have no fused multiply-add.
test('conditions that hardly any word meets are met as the command meets them', () => open('#make?n=6&novel=0&unique=0&seed=2&pattern=s%3F%3Fng*', async (page) => {
  const made = await words(page)
  assert.ok(made.every((word) => /^s..ng/.test(word)), made.join(' '))
  assert.deepEqual(made, plainWug('sample', '-n', '6', '--seed', '2', '--pattern', 's??ng*').trim().split('\n'))
}))

test('settings go into the address, words into a file, a word into its noise', () => open('#make', async (page) => {
  await words(page)
  await page.getByLabel('Begins with').fill('str')
  await page.getByLabel('Begins with').press('Enter')
  await page.waitForFunction(() => document.querySelector('#panel-make .word')?.textContent.startsWith('str'))
  const made = await words(page)
  assert.match(page.url(), /prefix=str/)
  const file = readFileSync(await saved(page, 'Save as CSV'), 'utf8')
  assert.deepEqual(file.trim().split('\r\n'), ['word', ...made])
  await page.locator('#panel-make .words .word').first().click()
  await page.waitForFunction((word) => document.querySelector('.about-word')?.textContent.startsWith(word), made[0])
  assert.equal(await shownWord(page), made[0])
  await page.goBack()
  assert.deepEqual(await words(page), made)
}))

test('conditions that no word meets are told, and the page goes on', () => open('#make?pattern=zzzzzzzzzzzz&max=5', async (page) => {
  await page.locator('#panel-make .messages p').waitFor()
  await page.getByLabel('Pattern').fill('')
  await page.getByLabel('Pattern').press('Enter')
  assert.equal((await words(page)).length, 60)
}))

test('a long job can be stopped, and the next one begins at once', () => open('#make?n=1000000&unique=0&novel=0', async (page) => {
  await page.locator('#panel-make .words .word').first().waitFor()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'hidden' })
  await page.getByLabel('How many').fill('5')
  await page.getByLabel('How many').press('Enter')
  await page.waitForFunction(() => document.querySelectorAll('#panel-make .words .word').length === 5)
}))

test('every language makes the words of the command', () => open('#make?n=8&novel=1&unique=1&seed=1', async (page) => {
  await words(page)
  const codes = await page.locator('#model option').evaluateAll((options) => options.map((option) => option.value))
  for (const code of codes) {
    await page.locator('#model').selectOption(code)
    const made = await words(page)
    assert.deepEqual(made, wug('sample', '-m', code, '-n', '8', '--seed', '1', '--novel', '--unique').trim().split('\n'), code)
  }
}))

test('capitals are no obstacle to a model that has none', () => open('#score?words=Blick+WINTER', async (page) => {
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'hidden' })
  await page.locator('#panel-score tbody tr').nth(1).waitFor()
  const rows = await page.locator('#panel-score tbody .profile').evaluateAll((links) => links.map((link) => link.getAttribute('aria-label').split(':')[0]))
  assert.deepEqual(rows, ['blick', 'winter'])
}))

test('scores are those of the command', () => open('#score?words=blick+bnick+psychology+caf%C3%A9', async (page) => {
  await page.locator('#panel-score tbody tr').nth(3).waitFor()
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'hidden' })
  const rows = readFileSync(await saved(page, 'Save as CSV'), 'utf8').trim().split('\r\n').map((line) => line.split(','))
  const told = wug('score', '--format', 'json', 'blick', 'bnick', 'psychology')
  const command = told.trim().startsWith('[') ? JSON.parse(told) : told.trim().split('\n').map((line) => JSON.parse(line))
  command.forEach((word, number) => {
    const row = Object.fromEntries(rows[0].map((name, place) => [name, rows[number + 1][place]]))
    assert.equal(row.word, word.word)
    assert.ok(Math.abs(Number(row.log_probability) - word.log_probability) < 1e-4, `${row.log_probability} ${word.log_probability}`)
    assert.ok(Math.abs(Number(row.lexicon_percentile) - word.lexicon_percentile) < 0.1)
    assert.equal(Number(row.coltheart_n), word.coltheart_n)
    for (const name of Object.keys(word)) assert.ok(name === 'spelling' || name in row, name)
  })
  assert.match(rows[4].at(-1), /é/)
}))
