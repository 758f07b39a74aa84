// Files and words that want to do harm: a message, and the page lives.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { folder, open, start, stop, words } from './browser.mjs'

before(start)
after(stop)

const file = (name, content) => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

/** The panel says that something is wrong, and words are still made. */
async function survives(page, panel, message) {
  await page.locator(`#panel-${panel} .messages p`).filter({ hasText: message }).waitFor()
  await page.getByRole('tab', { name: 'Make words' }).click()
  assert.equal((await words(page)).length, 60)
}

function huge() {
  const path = join(folder, 'huge.txt')
  const handle = openSync(path, 'w')
  ftruncateSync(handle, 100e6)
  closeSync(handle)
  return path
}

/** An archive whose one sheet is `size` bytes of the same cell, or anything else. */
function bomb(size, sheet = Buffer.alloc(size, '<c><v>1</v></c>')) {
  const name = Buffer.from('xl/worksheets/sheet1.xml')
  const content = deflateRawSync(sheet, { level: 9 })
  const head = (signature, more) => {
    const bytes = Buffer.alloc(more)
    bytes.writeUInt32LE(signature)
    return bytes
  }
  const local = head(0x04034b50, 30)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(content.length, 18)
  local.writeUInt16LE(name.length, 26)
  const central = head(0x02014b50, 46)
  central.writeUInt16LE(8, 10)
  central.writeUInt32LE(content.length, 20)
  central.writeUInt32LE(100, 24) // it lies about its size
  central.writeUInt16LE(name.length, 28)
  const end = head(0x06054b50, 22)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length + name.length, 12)
  end.writeUInt32LE(local.length + name.length + content.length, 16)
  return Buffer.concat([local, name, content, central, name, end])
}

const LISTS = [
  ['a file of 100 MB', huge, 'has 100 MB'],
  ['random bytes', () => file('noise.csv', randomBytes(200_000)), 'not text'],
  ['an archive that blows up', () => file('bomb.xlsx', bomb(300e6)), 'when decompressed'],
  ['a tag without end', () => file('endless.xlsx', bomb(0, Buffer.from(`<sheetData><${'a'.repeat(20e6)}`))), 'nothing in it'],
  ['half an archive', () => file('half.xlsx', bomb(1000).subarray(0, 100)), 'not a whole ZIP archive'],
  ['an archive that is no spreadsheet', () => file('other.xlsx', bomb(1000)), 'not a spreadsheet'],
  ['an empty file', () => file('empty.txt', ''), 'nothing in it'],
]
for (const panel of ['score', 'train', 'pseudowords']) {
  test(`files that are no lists: ${panel}`, () => open(`#${panel}`, async (page) => {
    for (const [, make, message] of LISTS) {
      await page.locator(`#panel-${panel} input[type=file]`).first().setInputFiles(make())
      await page.locator(`#panel-${panel} .messages p`).filter({ hasText: message }).waitFor()
    }
    await survives(page, panel, LISTS.at(-1)[2])
  }))
}

test('a forged model file', () => open('#train', async (page) => {
  const header = JSON.stringify({ __metadata__: { format: 'wug', format_version: '3', config: '[model]\nstate = 100000000', alphabet: '["<img src=x onerror=alert(1)>"]' } })
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(header.length))
  for (const [name, content] of [['forged', Buffer.concat([length, Buffer.from(header)])], ['cut', Buffer.concat([length, Buffer.from(header).subarray(0, 50)])],
    ['vast', Buffer.from('ffffffffffffff7f7b7d', 'hex')], ['random', randomBytes(10_000)]]) {
    await page.locator('#panel-train input[type=file]').nth(1).setInputFiles(file(`${name}.safetensors`, content))
    await page.locator('#panel-train .problem').waitFor()
    assert.equal(await page.locator('#model option').filter({ hasText: name }).count(), 0)
  }
  await page.getByRole('tab', { name: 'Make words' }).click()
  assert.equal((await words(page)).length, 60)
}))

test('markup in words stays text', () => open('#score', async (page) => {
  let alarm = false
  page.on('dialog', (dialog) => (alarm = true, dialog.dismiss()))
  const evil = '<img/src=x/onerror=alert(1)> <script>alert(1)</script> "><svg/onload=alert(1)>'
  await page.getByLabel('Words, one on a line').fill(evil)
  await page.getByRole('button', { name: 'Score', exact: true }).click()
  await page.getByText('<script>alert(1)</script>').first().waitFor()
  assert.equal(await page.locator('#page img, #page script').count(), 0)
  await page.goto(page.url().replace(/#.*/, `#noise?word=${encodeURIComponent(evil)}`))
  await page.locator('#panel-noise .problem').waitFor()
  assert.equal(await page.locator('#page img, #page script').count(), 0)
  assert.ok(!alarm)
}))

test('ten thousand targets', () => open('#pseudowords', async (page) => {
  const many = Array.from({ length: 10_000 }, (_, number) => `word${number.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[digit])}`)
  await page.locator('#panel-pseudowords input[type=file]').setInputFiles(file('many.txt', many.join('\n')))
  await survives(page, 'pseudowords', '2,000')
}))

test('the policy forbids every connection', () => open('', async (page) => {
  const policy = await page.locator('meta[http-equiv=Content-Security-Policy]').getAttribute('content')
  assert.match(policy, /default-src 'none'/)
  assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|https?:|connect-src|\*/)
  const page_ = readFileSync(process.env.WUG_PAGE, 'utf8')
  assert.ok(page_.length < 8e6, `${page_.length} bytes`)
  assert.doesNotMatch(page_.replace(/<script type="application[^]*?<\/script>/g, ''), /\binnerHTML|insertAdjacentHTML|document\.write\b/)
}))
