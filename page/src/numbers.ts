// Numbers as people read them.

/** 0.213 as 21 %, 0.0004 as 0.04 %. */
export function percent(share: number): string {
  const value = 100 * share
  if (value >= 9.95) return `${value.toFixed(0)} %`
  if (value >= 0.95) return `${value.toFixed(1)} %`
  if (value >= 0.005) return `${value.toFixed(2)} %`
  return 'under 0.01 %'
}

const ROUND = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })
const GROUPED = new Intl.NumberFormat('en')

/** 1234567 as 1,234,567. */
export const grouped = (value: number) => GROUPED.format(value)

/** A probability, given by its logarithm, as “one word in 1.2 million”. */
export function oneIn(log: number): string {
  const words = Math.exp(-log)
  if (words < 1.05) return 'nearly every word'
  const names = ['', ' thousand', ' million', ' billion', ' trillion']
  const power = words < 10_000 ? 0 : Math.min(Math.floor(Math.log10(words) / 3), 5)
  if (power === 5 || !Number.isFinite(words)) return `one word in 10^${Math.round(-log / Math.LN10)}`
  return `one word in ${ROUND.format(words / 1000 ** power)}${names[power]}`
}

/** A signed number with two digits and a real minus. */
export function signed(value: number, digits = 2): string {
  return value.toFixed(digits).replace('-', '−')
}
