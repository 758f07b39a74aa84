// Columns of measured words, as the library describes them.
import type { Engine } from './engine'
import { signed } from './numbers'

export interface Column {
  name: string
  title: string
  about: string
  type: 'number' | 'count' | 'text' | 'numbers' | 'texts'
  digits: number
  unit: string
  /** Whether the page shows it without being asked. */
  shown: boolean
}

export type Value = number | string | number[] | string[] | null

/** A word's measures as the library tells of them, or why there are none. */
export type Measured = { word: string; spelling: string[]; surprisals: number[]; problem?: string } & Record<string, unknown>

let known: Promise<Column[]> | undefined

/** All columns; they are asked for once. */
export function columns(engine: Engine): Promise<Column[]> {
  known ??= engine.ask({ do: 'columns' }).then(({ json }) => json.columns as Column[])
  known.catch(() => (known = undefined))
  return known
}

export const valueOf = (word: Measured, { name }: Column) => (word[name] ?? null) as Value
export const isNumber = ({ type }: Column) => type === 'number' || type === 'count'

/** A value for people. */
export function shown(value: Value, { digits, unit }: Column): string {
  if (value === null) return '–'
  if (typeof value === 'number') return signed(value, digits) + unit
  return Array.isArray(value) ? value.slice(0, 3).join(' ') : value
}

/** A value for a file. */
export function exported(value: Value): string | number {
  if (Array.isArray(value)) return value.map((one) => (typeof one === 'number' ? one.toFixed(4) : one)).join(' ')
  return value ?? ''
}

/** By number or by the alphabet; what is missing comes first. */
export function compared(left: Value, right: Value): number {
  if (typeof left === 'string' || typeof right === 'string') return String(left ?? '').localeCompare(String(right ?? ''))
  return Number(left ?? -Infinity) - Number(right ?? -Infinity) || 0
}
