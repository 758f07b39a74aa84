// CSV as RFC 4180 has it, and as people have it: commas, semicolons or tabs.

/** Rows as text. */
export function csv(rows: (string | number | null | undefined)[][]): string {
  return rows.map((row) => row.map(field).join(',') + '\r\n').join('')
}

function field(value: string | number | null | undefined): string {
  const text = value === null || value === undefined ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The rows of a text. The sign between fields is the one that the first line has most of; blank lines are dropped. */
export function parseCsv(text: string): string[][] {
  const first = text.slice(0, text.search(/[\r\n]|$/))
  const count = (sign: string) => first.split(sign).length
  const separator = ['\t', ';', ','].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  const end = () => {
    if (row.some((field) => field !== '')) rows.push(row)
    row = []
  }
  while (at < text.length) {
    let value = ''
    if (text[at] === '"') {
      at += 1
      for (;;) {
        const quote = text.indexOf('"', at)
        const until = quote < 0 ? text.length : quote
        value += text.slice(at, until)
        at = until + 1
        if (text[at] !== '"') break
        value += '"'
        at += 1
      }
    }
    let until = at
    while (until < text.length && text[until] !== separator && text[until] !== '\n' && text[until] !== '\r') until += 1
    row.push((value + text.slice(at, until)).trim())
    at = until + 1
    if (text[until] === separator) continue
    if (text[until] === '\r' && text[at] === '\n') at += 1
    end()
  }
  end()
  return rows
}
