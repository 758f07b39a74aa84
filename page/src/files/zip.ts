// ZIP archives: enough to read and write the few small files of a spreadsheet.
import { inflated } from '../packed'

/** The most bytes of one file in an archive, and of all that are read. */
const MAX = 64e6
const MAX_FILES = 2000

const problem = (text: string) => new Error(`this is not a whole ZIP archive: ${text}`)

/** The files of an archive by name, each read when it is asked for. */
export function unzip(bytes: Uint8Array): Map<string, () => Promise<Uint8Array>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const least = Math.max(bytes.length - 65_557, 0)
  let end = bytes.length - 22
  while (end >= least && view.getUint32(end, true) !== 0x06054b50) end -= 1
  if (end < least || end < 0) throw problem('it has no table of contents')
  const count = view.getUint16(end + 10, true)
  if (count > MAX_FILES) throw problem(`it has ${count} files`)
  const files = new Map<string, () => Promise<Uint8Array>>()
  let left = MAX
  let at = view.getUint32(end + 16, true)
  for (let number = 0; number < count; number += 1) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) throw problem('its table of contents is damaged')
    const [method, size] = [view.getUint16(at + 10, true), view.getUint32(at + 20, true)]
    const lengths = [28, 30, 32].map((place) => view.getUint16(at + place, true)) as [number, number, number]
    const local = view.getUint32(at + 42, true)
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + lengths[0]))
    files.set(name, async () => {
      if (local + 30 > bytes.length || view.getUint32(local, true) !== 0x04034b50) throw problem(`${name} is not where it should be`)
      const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
      const packed = bytes.subarray(start, start + size)
      if (method !== 0 && method !== 8) throw problem(`${name} is compressed in an unknown way`)
      // What the archive says of its size is not to be trusted: bytes are counted as they come.
      const whole = method === 0 ? packed : await inflated(packed, 'deflate-raw', left)
      left -= whole.length
      if (left < 0) throw new Error(`it is larger than ${MAX / 1e6} MB when decompressed`)
      return whole
    })
    at += 46 + lengths[0] + lengths[1] + lengths[2]
  }
  return files
}

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})
const crc32 = (bytes: Uint8Array) => ~bytes.reduce((sum, byte) => (sum >>> 8) ^ CRC[(sum ^ byte) & 255]!, ~0) >>> 0

/** An archive of texts, not compressed. */
export function zip(files: Record<string, string>): Uint8Array {
  const encode = new TextEncoder()
  const parts: Uint8Array[] = []
  const table: Uint8Array[] = []
  let offset = 0
  const entries = Object.entries(files)
  for (const [name, text] of entries) {
    const [path, content] = [encode.encode(name), encode.encode(text)]
    // From “version needed” to “length of extras”: not compressed, name in UTF-8, 1 January 1980.
    const fields = new DataView(new ArrayBuffer(26))
    ;[20, 0x0800, 0, 0, 0x21].forEach((value, place) => fields.setUint16(2 * place, value, true))
    ;[crc32(content), content.length, content.length].forEach((value, place) => fields.setUint32(10 + 4 * place, value, true))
    fields.setUint16(22, path.length, true)
    const shared = new Uint8Array(fields.buffer)
    parts.push(Uint8Array.of(0x50, 0x4b, 3, 4), shared, path, content)
    const more = new DataView(new ArrayBuffer(14))
    more.setUint32(10, offset, true)
    table.push(Uint8Array.of(0x50, 0x4b, 1, 2, 20, 0), shared, new Uint8Array(more.buffer), path)
    offset += 30 + path.length + content.length
  }
  const size = table.reduce((sum, part) => sum + part.length, 0)
  const end = new DataView(new ArrayBuffer(22))
  end.setUint32(0, 0x06054b50, true)
  end.setUint16(8, entries.length, true)
  end.setUint16(10, entries.length, true)
  end.setUint32(12, size, true)
  end.setUint32(16, offset, true)
  return joined([...parts, ...table, new Uint8Array(end.buffer)])
}

function joined(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
