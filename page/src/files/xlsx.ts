// Spreadsheets in XLSX: the first sheet as rows of text, and rows of text as a sheet.
import { unzip, zip } from './zip'

/** The most cells that are read. */
const MAX_CELLS = 2_000_000
const MAX_COLUMNS = 1000

/** The first sheet's rows. Formulas give their last value; formats are not looked at. */
export async function readXlsx(bytes: Uint8Array): Promise<string[][]> {
  const files = unzip(bytes)
  const text = async (name: string) => {
    const file = files.get(name)
    const found = file ? new TextDecoder().decode(await file()) : ''
    if (/<!DOCTYPE|<!ENTITY/i.test(found)) throw new Error('the spreadsheet defines entities of its own, which none needs')
    return found
  }
  const sheet = await text(await firstSheet(text, [...files.keys()]))
  if (!sheet.includes('<sheetData') && !sheet.includes(':sheetData')) throw new Error('this ZIP archive is not a spreadsheet: it has no sheet')
  return rows(sheet, await sharedStrings(await text('xl/sharedStrings.xml')))
}

interface Tag {
  name: string
  closes: boolean
  attributes: string
  /** The text before it. */
  before: string
}

/** The tags of a document one after the other, in one pass whatever stands there, with a rest now and then. */
async function* tags(xml: string): AsyncGenerator<Tag> {
  let [end, count] = [0, 0]
  for (;;) {
    const open = xml.indexOf('<', end)
    const close = open < 0 ? -1 : xml.indexOf('>', open)
    if (close < 0) return
    const before = xml.slice(end, open)
    const inside = xml.slice(open + 1, close)
    end = close + 1
    const [whole = '', slash, name = ''] = /^(\/?)(?:\w+:)?(\w+)/.exec(inside) ?? []
    const attributes = inside.slice(whole.length)
    if (name) yield { name, closes: slash === '/', attributes, before }
    if (name && attributes.endsWith('/')) yield { name, closes: true, attributes, before: '' }
    if (++count % 20_000 === 0) await new Promise((resolve) => setTimeout(resolve))
  }
}

/** The texts that cells refer to by number, without their phonetic guides. */
async function sharedStrings(xml: string): Promise<string[]> {
  const found: string[] = []
  let [text, guide] = ['', false]
  for await (const { name, closes, before } of tags(xml)) {
    if (name === 'rPh') guide = !closes
    else if (name === 't' && closes && !guide) text += plain(before)
    else if (name === 'si' && !closes) text = ''
    else if (name === 'si') found.push(text)
    if (found.length > MAX_CELLS) throw new Error(`the spreadsheet has more than ${MAX_CELLS} texts`)
  }
  return found
}

/** The sheet that is named first, which need not be the file numbered first. */
async function firstSheet(text: (name: string) => Promise<string>, names: string[]): Promise<string> {
  const id = /<sheet\b[^<>]*\br:id="([^"<>]*)"/.exec(await text('xl/workbook.xml'))?.[1]
  for (const [relation] of (await text('xl/_rels/workbook.xml.rels')).matchAll(/<Relationship\b[^<>]*>/g)) {
    const target = /\bTarget="([^"]*)"/.exec(relation)?.[1] ?? ''
    const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`
    if (/\bId="([^"]*)"/.exec(relation)?.[1] === id && names.includes(path)) return path
  }
  return names.find((name) => /^xl\/worksheets\/[^/]+\.xml$/.test(name)) ?? ''
}

async function rows(sheet: string, shared: string[]): Promise<string[][]> {
  const found: string[][] = []
  let row: string[] = []
  let cells = 0
  let cell = { place: 0, type: '', value: '' }
  for await (const { name, closes, attributes, before } of tags(sheet)) {
    if (name === 'row' && !closes) row = []
    else if (name === 'row') row.some((text) => text !== '') && found.push(row)
    else if (name === 'c' && !closes) {
      if (++cells > MAX_CELLS) throw new Error(`the sheet has more than ${MAX_CELLS} cells`)
      const place = column(/\br="([A-Z]{1,3})\d/.exec(attributes)?.[1]) ?? row.length
      cell = { place, type: /\bt="(\w+)"/.exec(attributes)?.[1] ?? '', value: '' }
    } else if ((name === 'v' || name === 't') && closes) cell.value += plain(before)
    else if (name === 'c' && cell.place < MAX_COLUMNS) {
      while (row.length < cell.place) row.push('')
      row[cell.place] = (cell.type === 's' ? (shared[Number(cell.value)] ?? '') : cell.value).trim()
    }
  }
  return found
}

/** A, B, …, AA as 0, 1, …, 26. */
function column(letters: string | undefined): number | undefined {
  return letters === undefined ? undefined : [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1
}

/** A text of XML with its entities resolved. */
function plain(xml: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  return xml.replace(/&(#x?[0-9a-fA-F]{1,8}|\w{1,8});/g, (whole, name: string) => {
    if (!name.startsWith('#')) return named[name] ?? whole
    const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

/** A workbook with one sheet. Numbers are numbers in it. */
export function writeXlsx(name: string, table: (string | number | null | undefined)[][]): Uint8Array {
  const escape = (text: string) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
  const cell = (value: string | number | null | undefined) =>
    typeof value === 'number' && Number.isFinite(value) ? `<c><v>${value}</v></c>`
      : value === null || value === undefined || value === '' ? '<c/>'
        : `<c t="inlineStr"><is><t xml:space="preserve">${escape(String(value))}</t></is></c>`
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const packages = 'http://schemas.openxmlformats.org/package/2006'
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  return zip({
    '[Content_Types].xml': `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="${escape(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `${head}<worksheet xmlns="${main}"><sheetData>${table.map((row) => `<row>${row.map(cell).join('')}</row>`).join('')}</sheetData></worksheet>`,
  })
}
