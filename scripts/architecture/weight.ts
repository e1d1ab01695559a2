/** Counts what a person has to hold: the files of the repository, and the lines of its parts. */
import { readFileSync } from 'node:fs'

export interface Weight {
  /** Every file but the lock file. */
  files: number
  /** Physical lines of code, of tests and of documents, by part: a folder at the top, or a package. */
  code: Record<string, number>
  tests: Record<string, number>
  documents: Record<string, number>
}

const isCode = /\.(?:[cm]?[jt]sx?|py|css|sql|prisma|go|sh)$/
const isTest = /\.test\.\w+$|(?:^|\/)(?:e2e|tests?|fixtures)\//

/** Returns the part of a path, such as `lib` or `packages/client`. What stands at the top is `.`. */
function partOf(path: string): string {
  const [folder = '', inner = ''] = path.split('/')
  if (folder === path) return '.'
  return folder === 'packages' || folder === 'lab' ? `${folder}/${inner}` : folder
}

/** Weighs the paths that Git has. `read` returns the text of one. */
export function weigh(paths: string[], read = (path: string) => readFileSync(path, 'utf8')): Weight {
  const weight: Weight = { files: 0, code: {}, tests: {}, documents: {} }
  for (const path of paths) {
    if (path === 'package-lock.json') continue
    weight.files += 1
    const kind = path.endsWith('.md')
      ? 'documents'
      : !isCode.test(path)
        ? null
        : isTest.test(path)
          ? 'tests'
          : 'code'
    if (kind === null) continue
    const part = partOf(path)
    weight[kind][part] = (weight[kind][part] ?? 0) + read(path).split('\n').length - 1
  }
  return weight
}

const kinds = ['code', 'tests', 'documents'] as const
/** How far a count may be below its budget before the budget is lowered: this many, and a fiftieth. */
const slack = 100

/** Returns what does not fit: a count above its budget, a budget far above its count, or a part that has none. */
export function faultsOfWeight(weight: Weight, budgets: Weight): string[] {
  const counts: [name: string, count: number, budget: number | undefined][] = [
    ['files', weight.files, budgets.files],
    ...kinds.flatMap((kind) =>
      [...new Set([...Object.keys(weight[kind]), ...Object.keys(budgets[kind])])].map(
        (part): [string, number, number | undefined] => [
          `lines of ${kind} in ${part}`,
          weight[kind][part] ?? 0,
          budgets[kind][part],
        ],
      ),
    ),
  ]
  return counts.flatMap(([name, count, budget]) => {
    if (budget === undefined) return [`${name}: ${count}, and no budget`]
    if (count > budget)
      return [
        `${name}: ${count}, budget ${budget}. Make it less, or raise the budget in this commit and say why`,
      ]
    return budget > count + slack + count / 50
      ? [`${name}: ${count}, budget ${budget}. Lower the budget`]
      : []
  })
}
