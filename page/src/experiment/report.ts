// How well the list is matched, and whether words and pseudowords can be told apart by their neighbours.
import { h } from '../dom'
import { signed } from '../numbers'
import type { Bias, Quality } from './list'

const differs = (p: number | null) => p !== null && p < 0.05
const digits = (value: number) => (Math.abs(value) >= 100 ? 0 : 2)
const probability = (p: number) => (p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`)
const mean = (value: number | null) => (value === null ? '–' : signed(value, digits(value)))

/** Means of words and pseudowords side by side. */
export function qualityCard(quality: Quality[]): HTMLElement {
  const rows = quality.flatMap(({ prose, target_mean, pseudoword_mean, p }) => [
    h('dt', { title: p === null ? undefined : `paired t test: ${probability(p)}` }, prose),
    h('dd', {}, mean(target_mean)), h('dd', { class: differs(p) ? 'differs' : '' }, mean(pseudoword_mean)),
  ])
  const apart = quality.filter(({ p }) => differs(p)).map(({ prose, p }) => `${prose} (${probability(p!)})`)
  const verdict = apart.length ? `Words and pseudowords differ on average in ${apart.join(' and ')}.` : 'No mean differs significantly in a paired t test.'
  const worst = Math.max(...quality.map((one) => one.standardised_distance), 0)
  return h('div', { class: 'card' }, h('h3', {}, 'How well they are matched'),
    h('dl', {}, h('dt', {}, 'means of'), h('dd', {}, 'words'), h('dd', {}, 'pseudowords'), ...rows),
    h('p', {}, verdict),
    h('p', {}, `No measure differs by more than ${worst.toFixed(2)} standard deviations within a pair on average.`))
}

/** The LD1NN test. */
export function biasCard(bias: Bias | null): HTMLElement {
  const title = h('h3', {}, 'Do the pseudowords give themselves away?')
  if (!bias) return h('div', { class: 'card' }, title, h('p', {}, 'The LD1NN test could not be computed for this list.'))
  const verdict = {
    biased: 'Yes: words and pseudowords can be told apart by their neighbours in the list.',
    doubtful: 'Perhaps: in some orders of presentation they can be told apart.',
    'none-found': 'No sign of it.',
  }[bias.verdict]
  return h('div', { class: 'card' }, title, h('p', {}, verdict),
    h('p', {}, `LD1NN, the mean of 100 random orders: odds ${bias.odds.toFixed(2)}, z = ${signed(bias.z)}, ${probability(bias.p)}; p < .05 in ${bias.significant_orders} orders.`))
}
