// A browser with the page open as a person has it: from the disk, without a network.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const { WUG_PAGE, WUG_COMMAND, WUG_BROWSER } = process.env
if (!WUG_PAGE || !WUG_COMMAND || !WUG_BROWSER) throw new Error('run the tests with: cargo xtask test page')
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const ARGUMENTS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']

/** A folder of one's own for files that are dropped and saved. */
export const folder = mkdtempSync(join(tmpdir(), 'wug-page-'))
let browser

export async function start() {
  browser = await chromium.launch({ executablePath: WUG_BROWSER, args: ARGUMENTS })
}

export async function stop() {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
}

/** Opens the page, gives it to `use`, and wants it to have made no error and no request. */
export async function open(hash, use, options = {}) {
  const context = await browser.newContext({ offline: true, acceptDownloads: true, viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  const [errors, requests] = [[], []]
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('request', (request) => /^(https?|wss?|ftp):/.test(request.url()) && requests.push(request.url()))
  page.setDefaultTimeout(300_000)
  await page.goto(pathToFileURL(WUG_PAGE).href + hash)
  await use(page)
  assert.deepEqual(errors, [])
  assert.deepEqual(requests, [])
  await context.close()
}

/** What the command prints. */
export function wug(...args) {
  return execFileSync(WUG_COMMAND, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}

/** The same, computed without fused multiply-add, as browsers compute. */
export function plainWug(...args) {
  return execFileSync(WUG_COMMAND, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, WUG_SIMD: 'plain' } })
}

/** The words of the panel that makes words, once they are there. */
export async function words(page) {
  await page.locator('#panel-make .words .word').first().waitFor()
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' })
  return page.locator('#panel-make .words .word').allTextContents()
}

/** The word that the picture shows. */
export async function shownWord(page) {
  await page.locator('.column .letter.end').waitFor()
  const letters = await page.locator('.column .letter:not(.end)').allTextContents()
  return letters.join('')
}

/** Findings that keep people out. */
export async function barriers(page) {
  await page.evaluate(AXE)
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }))
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).slice(0, 3).join(' | ')}`)
}

/** The content of what a click saves. */
export async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()])
  const path = join(folder, download.suggestedFilename())
  await download.saveAs(path)
  return path
}
