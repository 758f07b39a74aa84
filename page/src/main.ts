// The page: a header with the model, the panels as tabs, and the address that remembers where one is.
import './style.css'
import type { App, Panel } from './app'
import { h } from './dom'
import { Engine } from './engine'
import { ExperimentPanel } from './experiment/panel'
import { MakePanel } from './make'
import { Models } from './models'
import { NoisePanel } from './noise/panel'
import { ScorePanel } from './score'
import { place, remember } from './settings'
import { TrainPanel } from './train'

declare const VERSION: string

const live = new Engine()
const models = new Models()
const voice = h('div', { class: 'aside', 'aria-live': 'polite' })
const app: App = {
  live,
  work: new Engine(),
  models,
  go: (panel, values = {}) => turnTo(panel, new URLSearchParams(values)),
  announce: (text) => (voice.textContent = text),
  unsaved: new Set(),
}
// The Worker starts while the page is drawn.
void live.start()

const panels: Panel[] = [new NoisePanel(app), new MakePanel(app), new ExperimentPanel(app), new ScorePanel(app), new TrainPanel(app)]
const tabs = panels.map((panel) =>
  h('button', {
    type: 'button', role: 'tab', id: `tab-${panel.id}`, 'aria-controls': `panel-${panel.id}`, class: 'tab',
    click: () => turnTo(panel.id, remembered.get(panel.id) ?? new URLSearchParams()),
    keydown: (event: KeyboardEvent) => turn(event),
  }, panel.title),
)
for (const panel of panels) {
  panel.element.id = `panel-${panel.id}`
  panel.element.setAttribute('role', 'tabpanel')
  panel.element.setAttribute('aria-labelledby', `tab-${panel.id}`)
  panel.element.hidden = true
}

/** Where each panel was left. */
const remembered = new Map<string, URLSearchParams>()

/** Goes to a panel; the browser's button goes back to where one was. */
function turnTo(id: string, values: URLSearchParams) {
  const leaving = panels.find((panel) => !panel.element.hidden)
  if (leaving) remembered.set(leaving.id, place().values)
  if (leaving?.id !== id) history.pushState(null, '', `#${id}`)
  open(id, values)
}

function open(id: string, values: URLSearchParams) {
  const panel = panels.find((panel) => panel.id === id) ?? panels[0]!
  const model = models.find(values.get('model') ?? '')
  if (model && model !== models.current) models.choose(model)
  panels.forEach((other, number) => {
    const chosen = other === panel
    other.element.hidden = !chosen
    tabs[number]!.setAttribute('aria-selected', String(chosen))
    tabs[number]!.tabIndex = chosen ? 0 : -1
  })
  remember(panel.id, Object.fromEntries(values))
  panel.show(values)
}

/** Arrow keys go from tab to tab. */
function turn(event: KeyboardEvent) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (!step) return
  const now = tabs.indexOf(event.currentTarget as HTMLButtonElement)
  const next = tabs[(now + step + tabs.length) % tabs.length]!
  next.focus()
  next.click()
  event.preventDefault()
}

const picker = h('select', { id: 'model', change: () => models.choose(models.find(picker.value)!) })
const list = () => {
  picker.replaceChildren(...models.all.map((model) => h('option', { value: model.code }, model.name)))
  picker.value = models.current.code
}
list()
models.listen(() => {
  list()
  for (const panel of panels) panel.modelChanged?.()
})

document.getElementById('page')!.append(
  h('header', {},
    h('div', { class: 'name' }, h('h1', {}, 'wug'), h('p', {}, 'words from white noise')),
    h('div', { class: 'model' }, h('label', { for: 'model' }, 'Language'), picker)),
  h('nav', { class: 'tabs', role: 'tablist', 'aria-label': 'What to do' }, ...tabs),
  h('main', {}, ...panels.map((panel) => panel.element)),
  h('footer', {},
    h('p', {}, 'Everything happens in this page. It works without a network, stores nothing, and its security policy forbids every connection: what you type or drop here stays with you.'),
    h('p', {}, `wug ${VERSION} · the model of Schmidt & Hofmann, Deep State Space Models for Unconditional Word Generation (2018), with the choice flow`)),
  voice,
)
addEventListener('popstate', () => open(place().panel, place().values))
// A file that misses its place must not take the reader away from the page.
for (const kind of ['dragover', 'drop']) addEventListener(kind, (event) => event.preventDefault())
// A model that took minutes to train, or a list that was worked on by hand, is not lost by a slip.
addEventListener('beforeunload', (event) => app.unsaved.size && event.preventDefault())
open(place().panel, place().values)
