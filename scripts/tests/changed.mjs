/** Finds the tests of changed files, for `npm test -- --changed`. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../prepare.mjs'
import { sortPaths } from './select-tests.mjs'

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`)
  return stdout.split('\n').filter((line) => line !== '')
}

const isTest = (path) => /\.test\.ts$/.test(path)
const isCode = (path) => /\.(ts|tsx|mjs)$/.test(path)

const readTest = (path) => ({ path, text: readFileSync(join(root, path), 'utf8') })

/**
 * Returns the address of the page whose files are in this folder, such as `/webhooks` for `app/(account)/webhooks/_form/fields.tsx`, or
 * null.
 */
export function addressOf(path) {
  const [top, ...folders] = path.split('/').slice(0, -1)
  if (top !== 'app') return null
  const visible = folders.filter((folder) => !folder.startsWith('('))
  const end = visible.findIndex((folder) => /^[_[]/.test(folder))
  const address = (end < 0 ? visible : visible.slice(0, end)).join('/')
  return address === '' ? null : `/${address}`
}

/** Returns the files that import these files, directly or through others of the same folder, and the files themselves. */
function withImporters(changed, files) {
  const found = new Set(changed)
  for (let size = 0; size !== found.size; ) {
    size = found.size
    const names = [...found].map((path) => `/${basename(path).replace(/\.\w+$/, '')}'`)
    for (const { path, text } of files) if (names.some((name) => text.includes(name))) found.add(path)
  }
  return found
}

/** Returns the tests of `e2e/` that a change concerns: changed ones, users of a changed helper, and those that name a changed page. */
export function builtTests(changed, files) {
  const addresses = changed.flatMap((path) => addressOf(path) ?? [])
  const concerned = withImporters(
    changed.filter((path) => path.startsWith('e2e/')),
    files,
  )
  const names = (text) =>
    addresses.some((address) => text.includes(`'${address}`) || text.includes(` ${address}`))
  return files
    .filter(({ path, text }) => isTest(path) && (concerned.has(path) || names(text)))
    .map(({ path }) => path)
}

/** Tests read files that are no code, such as documents, by their names. */
function testsThatName(files) {
  const names = files.filter((path) => !isCode(path)).map((path) => basename(path))
  if (names.length === 0) return []
  const tests = git('ls-files', '*.test.ts').filter((path) => !path.startsWith('e2e/'))
  return tests.filter((path) => names.some((name) => readTest(path).text.includes(name)))
}

/**
 * Returns the selection with the tests of the files that differ from the commit `since`, also of new files.
 *
 * @param {import('./select-tests.mjs').Selection} selection
 */
export function findChangedTests(selection) {
  const changed = [
    ...git('diff', '--name-only', '--diff-filter=d', selection.since ?? 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  const e2e = readdirSync(join(root, 'e2e'), { recursive: true, encoding: 'utf8' })
  const { source, python } = sortPaths(changed)
  const related = [...source.filter(isCode), ...testsThatName(changed)]
  return {
    ...selection,
    source: related,
    built: builtTests(
      changed,
      e2e.filter(isCode).map((name) => readTest(join('e2e', name))),
    ),
    python: python.length > 0 ? [join('packages', 'client-python')] : [],
  }
}
