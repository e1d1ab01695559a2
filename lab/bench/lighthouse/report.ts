/** What the measurements say: medians, and what is below the goals. */
import { median } from '../measure/statistics'
import { type Category, categories, type Measured } from './browser'

export interface Result {
  title: string
  measured: Measured[]
}

/** Search engines: only on pages that they may show. */
const least: Record<Category, number> = { performance: 95, accessibility: 95, 'best-practices': 95, seo: 100 }

export const goals = '95 in performance, accessibility and best practices, and 100 for search engines'

const scoreOf = ({ measured }: Result, name: Category) => median(measured.map(({ scores }) => scores[name]))

const isHidden = ({ measured }: Result) => measured.some((each) => each.isHidden)

/** Returns a Markdown table. */
export function table(results: Result[]): string[] {
  const middle = ({ measured }: Result, read: (each: Measured) => number) => median(measured.map(read))
  return [
    '| page | performance | accessibility | best practices | search | largest paint | blocked | shift | machine |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...results.map((result) => {
      const scores = categories.map((name) =>
        name === 'seo' && isHidden(result) ? 'hidden' : scoreOf(result, name),
      )
      const paint = `${(middle(result, ({ paint }) => paint) / 1000).toFixed(1)} s`
      const blocked = `${Math.round(middle(result, ({ blocked }) => blocked))} ms`
      const shift = middle(result, ({ shift }) => shift).toFixed(2)
      const machine = Math.round(middle(result, ({ machine }) => machine))
      return `| ${[result.title, ...scores, paint, blocked, shift, machine].join(' | ')} |`
    }),
  ]
}

/** Returns a line for each score below its goal. */
export function judge(result: Result): string[] {
  const faults = [...new Set(result.measured.flatMap((each) => each.faults))].join('; ')
  return categories
    .filter((name) => !(name === 'seo' && isHidden(result)))
    .filter((name) => scoreOf(result, name) < least[name])
    .map((name) => `${result.title}: ${name} ${scoreOf(result, name)}${faults ? ` (${faults})` : ''}`)
}
