// A place where files are dropped or chosen.
import { h } from '../dom'

let count = 0

export function dropPlace(label: string, text: string, accept: string, take: (file: File) => void): HTMLElement {
  const id = `file-${++count}`
  const input = h('input', {
    type: 'file', id, accept,
    change: () => {
      const file = input.files?.[0]
      input.value = ''
      if (file) take(file)
    },
  })
  const place = h('div', {
    class: 'drop',
    dragover: (event: DragEvent) => (event.preventDefault(), place.classList.add('over')),
    dragleave: () => place.classList.remove('over'),
    drop: (event: DragEvent) => {
      event.preventDefault()
      place.classList.remove('over')
      const file = event.dataTransfer?.files[0]
      if (file) take(file)
    },
  }, input, h('label', { for: id }, label), text)
  return place
}
