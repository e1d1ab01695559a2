/** The stages of `npm test`: all of them, or those that a selection needs. */

import { join, resolve } from 'node:path'
import { codeChecks } from '../code-checks.mjs'
import { root } from '../prepare.mjs'
import { runPlaywright } from './run-playwright.mjs'
import { runCheckProgram, runProgram } from './run-program.mjs'
import { runPython } from './run-python.mjs'
import { runVitest } from './run-vitest.mjs'

/**
 * @typedef {{ servers: Promise<{ env: Record<string, string> }>, places: number }} Run `servers` are there when the tests begin.
 */

/** @returns {import('./pool.mjs').Stage} */
function buildStage(what) {
  return {
    name: 'build',
    run: async () => {
      const command = process.execPath
      const { succeeded, tail } = await runProgram({
        name: 'build',
        command,
        args: [join('scripts', 'build.mjs'), what],
      })
      if (!succeeded) throw new Error(tail)
      return { passed: 0, failed: 0 }
    },
  }
}

const checkStage = ({ name, program, args }) => ({
  name,
  run: () => runCheckProgram(name, join(root, 'node_modules', '.bin', program), args),
})

const supplyStage = {
  name: 'supply chain',
  run: async () => {
    const args = [join('scripts', 'supply', 'check.mjs')]
    return await runCheckProgram('supply chain', process.execPath, args)
  },
}

function vitestStage({ servers }, name, args, { env = {}, command = ['run'], places = 1 } = {}) {
  return {
    name,
    places,
    run: async () => runVitest({ name, args, env: { ...(await servers).env, ...env }, command }),
  }
}

function playwrightStage({ servers }, name, args, { env = {}, places = 1 } = {}) {
  return {
    name,
    after: 'build',
    places,
    run: async () => runPlaywright({ name, args, env: { ...(await servers).env, ...env } }),
  }
}

const pythonStage = (name, args) => ({ name, after: 'build', run: () => runPython({ name, args }) })

/**
 * Returns every stage. The build is first, because most tests wait for it. Beside it run the tests that need no PostgreSQL. A stage with all
 * places has one process for all workers: they share their servers and what is transformed, and the next file goes to the worker that is
 * free, so all places work until the end.
 *
 * @param {Run} run
 * @param {boolean} isSlow
 * @returns {import('./pool.mjs').Stage[]}
 */
export function allStages(run, isSlow) {
  const { places } = run
  const slow = { SLOW: 'only' }
  return [
    buildStage('all'),
    // They mostly wait, for example for the next checkpoint of a log, so they run beside all other stages and take no place. Two of them at a
    // time were tried: tests beside them ran out of time. Playwright empties its folder of results when it starts, so both of its runs have one
    // of their own.
    ...(isSlow
      ? [
          playwrightStage(run, 'slow e2e', ['--workers=1', '--output=test-results/slow'], {
            env: slow,
            places: 0,
          }),
        ]
      : []),
    ...codeChecks.map(checkStage),
    supplyStage,
    vitestStage(run, 'tests beside the build', [
      '--project=repository',
      '--project=embedded',
      '--maxWorkers=1',
    ]),
    // Beside the tests, which need all places: otherwise half of the places would be empty until it ends.
    { ...pythonStage('python', []), places: 0 },
    vitestStage(run, 'tests', ['--project=service', `--maxWorkers=${places}`], { places }),
    ...(isSlow ? [vitestStage(run, 'slow tests', [`--maxWorkers=${places}`], { env: slow, places })] : []),
    // A browser, its server and other tests on the same cores take a quarter more time of the processors, so no other stage with a place
    // runs beside this one.
    playwrightStage(run, 'e2e', [`--workers=${places}`, '--output=test-results/fast'], { places }),
  ]
}

/**
 * Returns the stages of a selection. One stage alone prints its output as its program writes it.
 *
 * @param {Run} run
 * @param {import('./select-tests.mjs').Selection} selection
 * @returns {import('./pool.mjs').Stage[]}
 */
export function selectedStages(run, { source, built, python, title, options, isSlow, since }) {
  const runners = [source, built, python].filter((paths) => paths.length > 0).length
  const nameOf = (name) => (runners > 1 ? name : '')
  const env = isSlow ? { SLOW: 'too' } : {}
  const withTitle = (option) => (title === null ? [] : [option, title])
  const stages = []
  if (built.length > 0 || python.length > 0) stages.push(buildStage(built.length > 0 ? 'all' : 'server'))
  if (source.length > 0 || (runners === 0 && since === null)) {
    const command = since === null ? ['run'] : ['related', '--run', '--passWithNoTests']
    stages.push(
      vitestStage(run, nameOf('tests'), [...source, ...withTitle('-t'), ...options], { env, command }),
    )
  }
  if (built.length > 0)
    stages.push(
      playwrightStage(
        run,
        nameOf('e2e'),
        [...built, ...withTitle('-g'), '--pass-with-no-tests', ...options],
        { env },
      ),
    )
  if (python.length > 0) {
    // pytest takes an expression instead of a text.
    const words = title === null ? [] : ['-k', title.match(/\w+/g)?.join(' and ') ?? '']
    stages.push(
      pythonStage(nameOf('python'), [...words, ...options, ...python.map((path) => resolve(root, path))]),
    )
  }
  return stages
}
