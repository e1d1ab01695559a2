/** How many files the commands of the main job pass through, against `budgets.json`. */
import { expect, it } from 'vitest'
import { trips as budgets } from './budgets.json'
import { readTree, type Tree } from './tree'
import { filesOfTrip } from './trips'

const starts = {
  approvePeck: 'lib/domain/pecks/decide/approve.ts',
  signInWithCode: 'lib/domain/identity/sign-in.ts',
  requestPeck: 'lib/domain/pecks/request/request.ts',
} satisfies Record<keyof typeof budgets, string>

/** How far a count may be below its budget before the budget is lowered. */
const slack = 2

const tree = readTree(process.cwd())

it.each(Object.entries(starts))(
  '%s passes at most the files of its budget, and not many fewer',
  (name, file) => {
    const budget = budgets[name as keyof typeof budgets]
    const files = filesOfTrip(tree, { file, name })
    const listed = `${files.length} files, budget ${budget}:\n${files.join('\n')}`
    expect(files.length, listed).toBeLessThanOrEqual(budget)
    expect(files.length, listed).toBeGreaterThanOrEqual(budget - slack)
  },
)

it('follows a context through aliases, members, destructured parameters and functions that are exported again', () => {
  const made: Tree = new Map([
    [
      'lib/a.ts',
      `import { b } from './b'
import { c } from './c'
import { f } from './f'
export function start(context) {
  const current = { ...context, now: 1 }
  b({ context: current }, 2)
  return c(async () => d(context.now), withCurrentTime(context))
}
const d = (now) => f(now)`,
    ],
    ['lib/b.ts', `import { e } from './e'\nexport const b = ({ context }, n) => e(n, context)`],
    ['lib/c.ts', `export { other as c } from './e'`],
    [
      'lib/e.ts',
      `export function e(n, context) {}\nexport function other(work, context) { return g(context) }`,
    ],
    ['lib/f.ts', 'export function f(now) {}'],
  ])
  expect(filesOfTrip(made, { file: 'lib/a.ts', name: 'start' })).toEqual(['lib/a.ts', 'lib/b.ts', 'lib/e.ts'])
})
