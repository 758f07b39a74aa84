// The picture: a column for each letter, with the bar of probabilities cut into cells, and the point that falls into one.
import { fill, h, svg } from '../dom'
import { percent, signed } from '../numbers'

/** A step as the library tells of it. */
export interface Step {
  letter: string
  noise: number[]
  point: number
  interval: [number, number]
  probabilities: number[]
}

export interface Encoding {
  word: string
  log_probability: number
  symbols: string[]
  steps: Step[]
}

/** What a reader does to the picture. */
export interface Hands {
  move(step: number, point: number): void
  redraw(step: number): void
  select(step: number): void
}

/** Cells below this share are left to the background. */
const SMALLEST_CELL = 0.002
const LEAST_LABEL = 0.035
/** The most nats that a bar of surprise shows. */
const MAX_NATS = 9

export const END = 'end'
const shown = (letter: string) => letter || END

/** Minus log p of a step's symbol. */
export const surprisal = (step: Step) => -Math.log(Math.max(step.interval[1] - step.interval[0], 1e-300))

/** The row of columns. It is drawn again and again, and keeps its elements so that they glide. */
export class Columns {
  readonly element = h('div', { class: 'columns', role: 'group', 'aria-label': 'The letters of the word and their noise' })
  private line = svg('polyline', { class: 'walk' })
  private overlay = svg('svg', { class: 'overlay', 'aria-hidden': 'true' }, this.line)
  private columns: Column[] = []
  private selected = 0

  constructor(private hands: Hands) {
    this.element.append(axis(), this.overlay)
    new ResizeObserver(() => this.drawLine()).observe(this.element)
  }

  draw(encoding: Encoding, hues: Map<string, number>) {
    while (this.columns.length < encoding.steps.length) this.add()
    while (this.columns.length > encoding.steps.length) this.columns.pop()!.element.remove()
    encoding.steps.forEach((step, number) => this.columns[number]!.draw(step, encoding.symbols, hues))
    this.select(Math.min(this.selected, encoding.steps.length - 1))
    this.drawLine()
  }

  select(number: number) {
    this.selected = Math.max(number, 0)
    this.columns.forEach((column, other) => column.element.classList.toggle('selected', other === this.selected))
  }

  focus(number: number) {
    this.columns[Math.min(Math.max(number, 0), this.columns.length - 1)]?.bar.focus()
  }

  private add() {
    const number = this.columns.length
    const column = new Column(number, this.hands, (step) => this.focus(step))
    this.columns.push(column)
    this.element.append(column.element)
  }

  /** The way of the noise from letter to letter. */
  private drawLine() {
    const points = this.columns.map(({ element, bar, point }) => {
      const [x, y] = [element.offsetLeft + bar.offsetLeft + 0.8 * bar.offsetWidth, bar.offsetTop + bar.offsetHeight * (1 - point)]
      return `${x},${y}`
    })
    this.line.setAttribute('points', points.join(' '))
    this.overlay.setAttribute('width', String(this.element.scrollWidth))
    this.overlay.setAttribute('height', String(this.element.clientHeight))
  }
}

/** Values of the noise beside the bars: where standard normal numbers fall. */
function axis(): HTMLElement {
  const marks = [[-2, 0.0228], [-1, 0.1587], [0, 0.5], [1, 0.8413], [2, 0.9772]] as const
  const labels = marks.map(([value, place]) => {
    const mark = h('span', {}, signed(value, 0))
    mark.style.bottom = `${100 * place}%`
    return mark
  })
  return h('div', { class: 'axis', 'aria-hidden': 'true' }, h('span', { class: 'axis-nats' }, 'nats'), h('div', { class: 'axis-marks' }, ...labels), h('span', { class: 'axis-name' }, 'noise'))
}

class Column {
  point = 0.5
  private step: Step | undefined
  private symbols: string[] = []
  private cells = new Map<string, HTMLElement>()
  private letter = h('div', { class: 'letter', dir: 'auto' })
  private surprise = h('div', { class: 'surprise-bar' })
  private nats = h('div', { class: 'nats' })
  private dot = h('div', { class: 'point' })
  private handle = h('div', { class: 'cells' })
  readonly bar: HTMLElement
  readonly element: HTMLElement

  constructor(private number: number, private hands: Hands, private focus: (step: number) => void) {
    this.bar = h('div', {
      class: 'bar', role: 'slider', tabindex: 0, 'aria-orientation': 'vertical', 'aria-valuemin': 0, 'aria-valuemax': 100,
      'aria-label': `Noise of letter ${number + 1}`,
      pointerdown: (event: PointerEvent) => this.grab(event),
      pointermove: (event: PointerEvent) => this.bar.hasPointerCapture(event.pointerId) && this.drag(event),
      keydown: (event: KeyboardEvent) => this.key(event),
      focus: () => this.hands.select(this.number),
    }, this.handle, this.dot)
    const again = h('button', {
      type: 'button', class: 'redraw', title: 'Redraw this letter’s noise', 'aria-label': `Redraw the noise of letter ${number + 1}`,
      click: () => this.hands.redraw(this.number),
    }, '↻')
    this.element = h('div', { class: 'column' }, this.letter, h('div', { class: 'surprise', title: 'Surprisal in nats' }, this.surprise), this.nats, this.bar, again)
  }

  draw(step: Step, symbols: string[], hues: Map<string, number>) {
    const changed = this.step && this.step.letter !== step.letter
    this.step = step
    this.symbols = symbols
    this.point = step.point
    this.letter.textContent = shown(step.letter)
    this.letter.classList.toggle('end', step.letter === '')
    if (changed) this.letter.animate([{ transform: 'translateY(-6px)', opacity: 0.2 }, {}], { duration: 160, easing: 'ease-out' })
    const nats = surprisal(step)
    this.surprise.style.height = `${Math.min(nats / MAX_NATS, 1) * 100}%`
    this.nats.textContent = nats.toFixed(nats < 9.95 ? 1 : 0)
    this.drawCells(step, symbols, hues)
    this.dot.style.bottom = `${100 * step.point}%`
    const share = step.interval[1] - step.interval[0]
    this.bar.setAttribute('aria-valuenow', (100 * step.point).toFixed(1))
    this.bar.setAttribute('aria-valuetext', `${shown(step.letter)}, ${percent(share)} likely; point at ${percent(step.point)} of the bar`)
  }

  private drawCells(step: Step, symbols: string[], hues: Map<string, number>) {
    const stay = new Set<string>()
    let start = 0
    step.probabilities.forEach((share, place) => {
      const symbol = symbols[place] ?? ''
      if (share >= SMALLEST_CELL) {
        stay.add(symbol)
        const cell = this.cell(symbol, hues)
        cell.style.bottom = `${100 * start}%`
        cell.style.height = `${100 * share}%`
        cell.classList.toggle('named', share >= LEAST_LABEL)
        cell.classList.toggle('tall', share >= 0.09)
        cell.classList.toggle('chosen', symbol === step.letter)
      }
      start += share
    })
    for (const [symbol, cell] of this.cells) {
      if (stay.has(symbol)) continue
      cell.remove()
      this.cells.delete(symbol)
    }
  }

  private cell(symbol: string, hues: Map<string, number>): HTMLElement {
    let cell = this.cells.get(symbol)
    if (!cell) {
      cell = h('div', { class: 'cell' }, shown(symbol))
      cell.style.setProperty('--hue', String(hues.get(symbol) ?? 0))
      this.cells.set(symbol, cell)
      this.handle.append(cell)
    }
    return cell
  }

  private grab(event: PointerEvent) {
    if (event.button !== 0) return
    this.bar.setPointerCapture(event.pointerId)
    this.bar.focus({ preventScroll: true })
    this.drag(event)
    event.preventDefault()
  }

  private drag(event: PointerEvent) {
    const { bottom, height } = this.bar.getBoundingClientRect()
    this.move((bottom - event.clientY) / height)
  }

  private move(point: number) {
    this.point = Math.min(Math.max(point, 0.0005), 0.9995)
    this.dot.style.bottom = `${100 * this.point}%`
    this.hands.move(this.number, this.point)
  }

  /** Arrows move the point, page keys go from cell to cell, a letter goes to its cell, and the arrows sideways change columns. */
  private key(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const sideways = getComputedStyle(this.element).direction === 'rtl' ? -1 : 1
    const small = event.shiftKey ? 0.05 : 0.01
    const actions: Record<string, () => void> = {
      ArrowUp: () => this.move(this.point + small),
      ArrowDown: () => this.move(this.point - small),
      PageUp: () => this.neighbour(1),
      PageDown: () => this.neighbour(-1),
      Home: () => this.move(0),
      End: () => this.move(1),
      ArrowLeft: () => this.focus(this.number - sideways),
      ArrowRight: () => this.focus(this.number + sideways),
      Enter: () => this.hands.redraw(this.number),
    }
    const action = actions[event.key] ?? (event.key.length <= 2 ? this.jump(event.key) : undefined)
    if (!action) return
    event.preventDefault()
    action()
  }

  private jump(key: string): (() => void) | undefined {
    const place = this.symbols.findIndex((symbol) => symbol === key || symbol === key.toLowerCase())
    return place < 0 ? undefined : () => this.toCell(place)
  }

  /** The next cell that can be seen, up or down. */
  private neighbour(direction: number) {
    const shares = this.step?.probabilities ?? []
    let place = this.symbols.indexOf(this.step?.letter ?? '') + direction
    while (shares[place] !== undefined && shares[place]! < SMALLEST_CELL) place += direction
    if (shares[place] !== undefined) this.toCell(place)
  }

  private toCell(place: number) {
    const shares = this.step?.probabilities ?? []
    const start = shares.slice(0, place).reduce((sum, share) => sum + share, 0)
    this.hands.move(this.number, Math.min(start + (shares[place] ?? 0) / 2, 1))
  }
}

/** A hue for each symbol, spread over the order of the cells. */
export function huesOf(symbols: string[]): Map<string, number> {
  return new Map(symbols.map((symbol, place) => [symbol, Math.round((360 * place * 0.381966) % 360)]))
}

/** The sentences beside the picture about one letter. */
export function tellStep(element: Element, encoding: Encoding, number: number) {
  const step = encoding.steps[number]
  if (!step) return
  const share = step.interval[1] - step.interval[0]
  const noise = step.noise.length === 1 ? signed(step.noise[0]!) : ''
  fill(
    element,
    h('span', { class: 'of' }, step.letter ? `Letter ${number + 1} of ${encoding.steps.length - 1}. ` : 'The end. '),
    noise ? 'Its noise is ' : 'Its point is at ',
    h('b', {}, noise || percent(step.point)),
    noise ? `, at ${percent(step.point)} of the bar, ` : ' of the bar, ',
    'in the cell of ',
    h('b', { class: 'word', dir: 'auto' }, shown(step.letter)),
    `, which takes ${percent(share)} of it: `,
    h('b', {}, `${surprisal(step).toFixed(2)} nats`),
    ' of surprise.',
  )
}
