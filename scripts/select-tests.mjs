/** Reads the arguments of `npm test`: first paths, then options of the test runner. */
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { root } from './prepare.mjs'

/** Tests below this folder drive the built server or a browser. */
const builtFolder = 'e2e'

/** Tests below this folder run with pytest. */
const pythonFolder = join('clients', 'python')

const isBelow = (folder) => (path) => {
  const fromRoot = relative(root, isAbsolute(path) ? path : resolve(root, path))
  return fromRoot === folder || fromRoot.startsWith(folder + sep)
}

/**
 * @param {string[]} args for example `['app/beak/peck', 'e2e/inbox.test.ts', '-t', 'a title']`
 * @returns {{ isAll: boolean, source: string[], built: string[], python: string[], options: string[] }} `source` are paths of tests that
 *   run on the source code. `built` are paths of tests that need the built server. `python` are paths of tests of the Python client.
 *   `isAll` says that no path was given.
 */
export function selectTests(args) {
  const end = args.findIndex((arg) => arg.startsWith('-'))
  const paths = end < 0 ? args : args.slice(0, end)
  return {
    isAll: args.length === 0,
    source: paths.filter((path) => !isBelow(builtFolder)(path) && !isBelow(pythonFolder)(path)),
    built: paths.filter(isBelow(builtFolder)),
    python: paths.filter(isBelow(pythonFolder)),
    options: end < 0 ? [] : args.slice(end),
  }
}
