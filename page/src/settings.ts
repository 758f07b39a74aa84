// Settings in the part of the address after #: a link repeats a result. `#make?model=en&seed=3` is a panel and its settings.

export interface Place {
  panel: string
  values: URLSearchParams
}

/** Where the address says to go. */
export function place(): Place {
  const [panel = '', query = ''] = location.hash.slice(1).split('?', 2)
  return { panel, values: new URLSearchParams(query) }
}

/** Writes a place into the address, without a step in the history. */
export function remember(panel: string, values: Record<string, string>) {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ''))
  const text = query.size ? `#${panel}?${query}` : `#${panel}`
  if (text !== location.hash) history.replaceState(null, '', text)
}

/** A whole number in its range, or the nearest, or else the usual one. */
export function whole(text: string | null, usual: number, least: number, most: number): number {
  const found = Number.parseInt(text ?? '', 10)
  return Number.isFinite(found) ? Math.min(Math.max(found, least), most) : usual
}
