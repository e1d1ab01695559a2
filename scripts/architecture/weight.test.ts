/** The weight of the repository against `budgets.json`: it grows only in a commit that says why. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { weight as budgets } from './budgets.json'
import { faultsOfWeight, weigh } from './weight'

describe('the weight of the repository', () => {
  // A folder without the history of Git has no list of its files.
  it.skipIf(!existsSync('.git'))('is within its budgets', () => {
    const paths = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0')
    const present = paths.filter((path) => path !== '' && existsSync(path))
    expect(present.length).toBeGreaterThan(1000)
    expect(faultsOfWeight(weigh(present), budgets)).toEqual([])
  })

  it.skipIf(!existsSync('.git'))('has at most 16 folders at the top', () => {
    const folders = execFileSync('git', ['ls-tree', '-d', '--name-only', 'HEAD'], { encoding: 'utf8' })
    expect(
      folders
        .trim()
        .split('\n')
        .filter((name) => !name.startsWith('.')).length,
    ).toBeLessThanOrEqual(16)
  })
})

it('counts lines of code, tests and documents by part, and leaves out the lock file', () => {
  const paths = [
    'lib/a.ts',
    'lib/a.test.ts',
    'e2e/b.ts',
    'packages/client/src/c.ts',
    'package-lock.json',
    'README.md',
    'public/d.png',
  ]
  expect(weigh(paths, () => 'one\ntwo\n')).toEqual({
    files: 6,
    code: { lib: 2, 'packages/client': 2 },
    tests: { lib: 2, e2e: 2 },
    documents: { '.': 2 },
  })
})

it('finds a count above its budget, a budget far above its count, and a part without a budget', () => {
  const weight = { files: 10, code: { lib: 1000, app: 5000 }, tests: {}, documents: { docs: 7 } }
  const fits = { files: 10, code: { lib: 1120, app: 5200 }, tests: {}, documents: { docs: 7 } }
  expect(faultsOfWeight(weight, fits)).toEqual([])
  expect(
    faultsOfWeight(weight, { files: 9, code: { lib: 1121, app: 5000 }, tests: {}, documents: {} }),
  ).toEqual([
    'files: 10, budget 9. Make it less, or raise the budget in this commit and say why',
    'lines of code in lib: 1000, budget 1121. Lower the budget',
    'lines of documents in docs: 7, and no budget',
  ])
})
