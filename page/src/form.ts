// Controls with their labels. Their values are texts, so that they fit into the address.
import { h } from './dom'

export interface Control {
  name: string
  element: HTMLElement
  get(): string
  set(value: string): void
}

let count = 0

interface Options {
  hint?: string
  value?: string
  placeholder?: string
  least?: number
  most?: number
  step?: number
  /** How a number is shown beside its slider. */
  show?: (value: number) => string
}

function labelled(label: string, input: HTMLElement, hint?: string, ...more: HTMLElement[]): HTMLElement {
  input.id = `control-${++count}`
  const help = hint ? h('span', { class: 'hint', id: `hint-${count}` }, hint) : null
  if (help) input.setAttribute('aria-describedby', help.id)
  return h('div', { class: 'control' }, h('label', { for: input.id }, label, ...more), input, help)
}

/** A line of text. */
export function text(name: string, label: string, options: Options = {}): Control {
  const { value = '', placeholder, hint } = options
  const input = h('input', {
    type: 'text', name, placeholder, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', dir: 'auto',
  })
  input.value = value
  const element = labelled(label, input, hint)
  return { name, element, get: () => input.value.trim(), set: (text) => (input.value = text || value) }
}

/** A whole number; nothing is possible too. */
export function number(name: string, label: string, options: Options = {}): Control {
  const { value = '', placeholder, hint, least, most } = options
  const input = h('input', { type: 'number', name, placeholder, min: least, max: most, step: 1, inputmode: 'numeric' })
  input.value = value
  const element = labelled(label, input, hint)
  return { name, element, get: () => input.value.trim(), set: (text) => (input.value = text || value) }
}

/** A tick. Its value is 1 or nothing. */
export function tick(name: string, label: string, options: Options = {}): Control {
  const input = h('input', { type: 'checkbox', name, id: `control-${++count}` })
  input.checked = options.value === '1'
  const element = h('div', { class: 'control tick' }, input, h('label', { for: input.id }, label))
  return {
    name,
    element,
    get: () => (input.checked ? '1' : '0'),
    set: (text) => (input.checked = (text || options.value) === '1'),
  }
}

/** A slider that says its value. */
export function slider(name: string, label: string, options: Options = {}): Control {
  const { value = '0', least = 0, most = 1, step = 0.01, show = String, hint } = options
  const input = h('input', { type: 'range', name, min: least, max: most, step })
  const output = h('output', {})
  const tell = () => {
    output.textContent = show(Number(input.value))
    input.setAttribute('aria-valuetext', output.textContent)
  }
  input.addEventListener('input', tell)
  input.value = value
  const element = labelled(label, input, hint, output)
  tell()
  const set = (text: string) => {
    input.value = text || value
    tell()
  }
  return { name, element, get: () => input.value, set }
}

/** Many lines of text. */
export function area(name: string, label: string, options: Options & { rows?: number } = {}): Control {
  const { value = '', placeholder, hint, rows = 8 } = options
  const input = h('textarea', { name, rows, placeholder, spellcheck: 'false', autocapitalize: 'none', dir: 'auto' })
  input.value = value
  const element = labelled(label, input, hint)
  return { name, element, get: () => input.value, set: (text) => (input.value = text || value) }
}

/** Controls that are folded away where there is little room. */
export function fold(label: string, ...elements: HTMLElement[]): HTMLElement {
  const element = h('details', { class: 'fold' }, h('summary', {}, label), ...elements)
  element.open = matchMedia('(min-width: 60.01rem)').matches
  return element
}

/** The values of controls by their names. */
export function values(controls: Control[]): Record<string, string> {
  return Object.fromEntries(controls.map((control) => [control.name, control.get()]))
}

/** Sets controls from an address. */
export function restore(controls: Control[], from: URLSearchParams) {
  for (const control of controls) control.set(from.get(control.name) ?? '')
}
