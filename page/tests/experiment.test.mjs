import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { folder, open, plainWug, saved, start, stop } from './browser.mjs'

before(start)
after(stop)

const NOUNS = `apple arrow basket beard bench blanket bottle branch bridge bucket button camel candle carpet castle chain cheese cherry
circle cloud coffee corner cotton cradle dragon drawer engine feather fence finger flower forest garden glove grape hammer harbour helmet
island jacket kettle ladder lemon letter mirror monkey needle orange palace pencil pepper pillow planet pocket rabbit ribbon saddle
shadow spoon window`.split(/\s+/)

const pairs = (page) => page.locator('#panel-pseudowords tbody tr').evaluateAll((rows) => rows.map((row) => [row.cells[0].textContent, row.cells[1].textContent]))

test('sixty targets are matched, changed by hand, saved and opened again', () => open('#pseudowords', async (page) => {
  assert.equal(NOUNS.length, 60)
  await page.getByLabel('Words of the experiment').fill(NOUNS.join('\n'))
  await page.getByRole('button', { name: 'Match', exact: true }).click()
  await page.waitForFunction(() => document.querySelectorAll('#panel-pseudowords tbody tr').length === 60, undefined, { timeout: 1_200_000 })
  const first = await pairs(page)
  assert.deepEqual(first.map(([word]) => word), NOUNS)
  assert.equal(new Set(first.map(([, other]) => other)).size, 60, 'none comes twice')
  assert.ok(first.every(([word, other]) => word.length === other.length && !NOUNS.includes(other)))
  // They are the command's, if it computes without fused multiply-add: the last digits may decide between two candidates.
  writeFileSync(join(folder, 'nouns.txt'), NOUNS.join('\n'))
  const command = plainWug('match', join(folder, 'nouns.txt'), '--seed', '1', '--format', 'csv').trim().split(/\r?\n/).slice(1)
  assert.deepEqual(first, command.map((line) => line.split(',').slice(0, 2)))
  await page.getByText(/LD1NN, the mean of 100 random orders/).waitFor()
  const method = await page.locator('#panel-pseudowords .text').textContent()
  assert.match(method, /60 words.*wug.*SHA-256.*seed 1/s)

  // One is rejected, and another comes in its place; the rest stays.
  await page.getByRole('button', { name: `Reject ${first[3][1]}`, exact: true }).click()
  await page.waitForFunction((old) => ![...document.querySelectorAll('#panel-pseudowords tbody tr')].some((row) => row.cells[1].textContent === old), first[3][1])
  const second = await pairs(page)
  assert.equal(second.filter(([, other], number) => other !== first[number][1]).length, 1)

  await page.getByText('One pseudoword was rejected by hand').waitFor()

  // Headings sort: up, down, and then as the list was.
  const distances = () => page.locator('#panel-pseudowords tbody tr').evaluateAll((rows) => rows.map((row) => Number(row.cells[3].textContent)))
  await page.getByRole('button', { name: 'Sort by distance' }).click()
  const up = await distances()
  assert.deepEqual(up, [...up].sort((a, b) => a - b))
  await page.getByRole('button', { name: 'Sort by distance' }).click()
  assert.deepEqual(await distances(), up.reverse())
  await page.getByRole('button', { name: 'Sort by distance' }).click()
  assert.deepEqual(await pairs(page), second)

  // What is locked stays when the rest is matched anew.
  await page.getByRole('button', { name: `Lock ${second[0][1]}`, exact: true }).click()
  await page.getByRole('button', { name: 'Others for those not locked' }).click()
  await page.waitForFunction((old) => document.querySelector('#panel-pseudowords tbody tr:nth-child(2)').cells[1].textContent !== old, second[1][1], { timeout: 1_200_000 })
  const third = await pairs(page)
  assert.equal(third[0][1], second[0][1])
  assert.equal(new Set(third.map(([, other]) => other)).size, 60)

  const csv = readFileSync(await saved(page, 'Save as CSV'), 'utf8').trim().split('\r\n')
  assert.equal(csv.length, 61)
  assert.match(csv[0], /^word,word_length,word_log_probability/)
  const place = csv[0].split(',').indexOf('pseudoword')
  assert.deepEqual(csv.slice(1).map((line) => [line.split(',')[0], line.split(',')[place]]), third)
  const xlsx = await saved(page, 'Save as XLSX')
  await page.locator('#panel-pseudowords input[type=file]').setInputFiles(xlsx)
  await page.waitForFunction((word) => document.querySelector('#panel-pseudowords textarea').value.startsWith(word), NOUNS[0])
  assert.deepEqual((await page.getByLabel('Words of the experiment').inputValue()).split('\n'), NOUNS)
}))
