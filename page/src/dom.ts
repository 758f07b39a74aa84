// Elements. Text only ever becomes text: nothing here or elsewhere in the page parses markup.

type Attribute = string | number | boolean | undefined | null | ((event: any) => void)
export type Child = Node | string | number | null | undefined | false

/** Makes an element. Functions are listeners, `true` sets an attribute, `false` and nothing leave it out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Attribute> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) set(element, name, value)
  append(element, children)
  return element
}

/** Makes an element of a drawing. */
export function svg(tag: string, attributes: Record<string, Attribute> = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag)
  for (const [name, value] of Object.entries(attributes)) set(element, name, value)
  append(element, children)
  return element
}

function set(element: Element, name: string, value: Attribute) {
  if (value === undefined || value === null || value === false) return
  if (typeof value === 'function') element.addEventListener(name, value)
  else element.setAttribute(name, value === true ? '' : String(value))
}

function append(element: Element, children: Child[]) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue
    element.append(typeof child === 'number' ? String(child) : child)
  }
}

/** Replaces all that is in an element. */
export function fill(element: Element, ...children: Child[]) {
  element.replaceChildren()
  append(element, children)
}

/** Offers a file to be saved. */
export function save(name: string, content: BlobPart, type: string) {
  const url = URL.createObjectURL(new Blob([content], { type }))
  h('a', { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** A button that copies a text and says so. */
export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const button = h('button', { type: 'button', class: 'quiet', click: () => copy() }, label)
  const copy = async () => {
    await copyText(text())
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = label), 1500)
  }
  return button
}

async function copyText(text: string) {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // Browsers keep the clipboard from pages that are opened from a disk: the old way works there.
    const area = h('textarea', { class: 'aside', 'aria-hidden': 'true' })
    area.value = text
    document.body.append(area)
    area.select()
    document.execCommand('copy')
    area.remove()
  }
}
