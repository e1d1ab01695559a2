/** Reads the arguments of `npm test`: own options, then paths, then options of the test runners. */
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { root } from '../prepare.mjs'

/** Tests below this folder drive the built server or a browser. */
const builtFolder = 'e2e'

/** Tests below this folder run with pytest. */
const pythonFolder = join('packages', 'client-python')

const isBelow = (folder) => (path) => {
  const fromRoot = relative(root, isAbsolute(path) ? path : resolve(root, path))
  return fromRoot === folder || fromRoot.startsWith(folder + sep)
}

/** The title that tests must contain, in the spelling of either runner. */
const titleOption = /^(?:-t|--testNamePattern|-g|--grep)(?:=(.*))?$/

/** Separates the wanted title from other options. */
function readTitle(options) {
  const index = options.findIndex((option) => titleOption.test(option))
  if (index < 0) return { title: null, others: options }
  const inline = titleOption.exec(options[index])?.[1]
  const title = inline ?? options[index + 1] ?? ''
  return { title, others: options.toSpliced(index, inline === undefined ? 2 : 1) }
}

/** Takes `--changed` and `--changed=<commit>` out of the arguments. */
function readChanged(args) {
  const option = args.find((arg) => /^--changed(=|$)/.test(arg))
  return option === undefined ? null : option.slice('--changed='.length) || 'HEAD'
}

/** Sorts paths by the runner of their tests. */
export function sortPaths(paths) {
  return {
    source: paths.filter((path) => !isBelow(builtFolder)(path) && !isBelow(pythonFolder)(path)),
    built: paths.filter(isBelow(builtFolder)),
    python: paths.filter(isBelow(pythonFolder)),
  }
}

/**
 * @typedef {object} Selection
 * @property {boolean} isAll no path, title or other option was given
 * @property {boolean} isSlow the slow proofs run too: because of `--slow`, or because a path names one
 * @property {string | null} since `--changed`: the commit with which the files are compared
 * @property {string[]} source paths of tests that run on the source code
 * @property {string[]} built paths of tests that need the built server
 * @property {string[]} python paths of tests of the Python client
 * @property {string | null} title what the titles of the tests must contain, for all runners
 * @property {string[]} options other options, of the runner of the given paths
 */

/**
 * @param {string[]} args for example `['app/beak/peck', 'e2e/inbox.test.ts', '-t', 'a title']`
 * @returns {Selection}
 */
export function selectTests(args) {
  const since = readChanged(args)
  const given = args.filter((arg) => arg !== '--slow' && !/^--changed(=|$)/.test(arg))
  const end = given.findIndex((arg) => arg.startsWith('-'))
  const paths = end < 0 ? given : given.slice(0, end)
  const { title, others } = readTitle(end < 0 ? [] : given.slice(end))
  return {
    isAll: given.length === 0 && since === null,
    isSlow: args.includes('--slow') || paths.some((path) => path.includes('.slow.test.')),
    since,
    ...sortPaths(paths),
    title,
    options: others,
  }
}
