// What is packed into the page: gzip in base64, in an element that browsers do not run.

/** The bytes of an element. */
export async function unpacked(id: string): Promise<Uint8Array> {
  const text = atob(document.getElementById(id)?.textContent ?? '')
  const packed = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at += 1) packed[at] = text.charCodeAt(at)
  return inflated(packed, 'gzip', Infinity)
}

/** Decompresses, but no more than `most` bytes. */
export async function inflated(packed: Uint8Array, format: CompressionFormat, most: number): Promise<Uint8Array> {
  const stream = new Blob([packed as BlobPart]).stream().pipeThrough(new DecompressionStream(format))
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > most) {
      await reader.cancel()
      throw new Error(`it is larger than ${Math.round(most / 1e6)} MB when decompressed`)
    }
    chunks.push(value)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
