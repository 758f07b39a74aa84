// Files that people drop: their text, or their rows, within bounds.
import { parseCsv } from './csv'
import { readXlsx } from './xlsx'

/** The largest file that is read. */
export const MAX_BYTES = 20e6

export async function bytesOf(file: File): Promise<Uint8Array> {
  if (file.size > MAX_BYTES) {
    throw new Error(`${file.name} has ${Math.round(file.size / 1e6)} MB; the page reads up to ${MAX_BYTES / 1e6} MB. The command reads lists of any size.`)
  }
  return new Uint8Array(await file.arrayBuffer())
}

const isZip = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4

/** The text of a file, which must be text: UTF-8, or UTF-16 with its mark, or else Latin letters of Windows. */
function decoded(bytes: Uint8Array, name: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.subarray(0, 100_000).includes(0)) throw new Error(`${name} is not text: give a list of words, CSV or XLSX`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The rows of a file, whether text, CSV or XLSX. */
export async function rowsOf(file: File): Promise<string[][]> {
  const bytes = await bytesOf(file)
  const rows = isZip(bytes) ? await readXlsx(bytes) : parseCsv(decoded(bytes, file.name))
  if (!rows.length) throw new Error(`${file.name} has nothing in it`)
  return rows
}

/** The words of rows: of the column that is called so, or of the first; a heading is left out. */
export function wordsOf(rows: string[][]): string[] {
  const heading = /^(words?|targets?|items?|stimul(us|i)|strings?|nonwords?|pseudowords?|names?|spelling|orthography|wort|wörter|mot|mots|palabra|palabras)$/i
  const first = rows[0] ?? []
  const named = first.findIndex((field) => heading.test(field))
  const words = rows.slice(named < 0 ? 0 : 1).map((row) => row[Math.max(named, 0)] ?? '')
  // A text without columns may have several words on a line.
  return rows.some((row) => row.length > 1) ? words.map((word) => word.normalize('NFC')).filter(Boolean) : wordsIn(words.join('\n'))
}

/** The words of a text: one on a line, or with spaces, tabs, commas or semicolons between them. */
export function wordsIn(text: string): string[] {
  return text.normalize('NFC').split(/[\s,;]+/).filter(Boolean)
}
