/** Runs the tests in `e2e/` with Playwright Test, and reads its report. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findBrowser } from '../browser.mjs'
import { root } from '../prepare.mjs'
import { runWithReport } from './run-with-report.mjs'

/** Returns every test of a suite and the suites in it, with the titles above it. */
function testsIn({ title, specs = [], suites = [] }, above = []) {
  const titles = [...above, title]
  return [
    ...specs.flatMap((spec) =>
      spec.tests.map((test) => ({
        ...test,
        titles: [...titles, test.projectName ? `${spec.title} (${test.projectName})` : spec.title],
      })),
    ),
    ...suites.flatMap((suite) => testsIn(suite, titles)),
  ]
}

const secondsOf = ({ results }) => results.reduce((sum, { duration }) => sum + duration, 0) / 1000

/**
 * Reads a report. A missing report and a file that cannot be loaded count as failures.
 *
 * @returns {import('./pool.mjs').Outcome}
 */
function readPlaywrightReport(path) {
  let report
  try {
    report = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return { passed: 0, failed: 1 }
  }
  const tests = report.suites.flatMap((suite) => testsIn(suite))
  const broken = tests.filter(({ status }) => status === 'unexpected' || status === 'flaky')
  const failures = broken.map(({ titles, results }) => ({
    title: `e2e/${titles.join(' › ')}`,
    text: results.flatMap(({ errors = [] }) => errors.map(({ message }) => message)).join('\n'),
  }))
  const files = new Map()
  for (const test of tests) files.set(test.titles[0], (files.get(test.titles[0]) ?? 0) + secondsOf(test))
  return {
    passed: report.stats.expected,
    failed: failures.length + report.errors.length,
    failures: [...failures, ...report.errors.map(({ message }) => ({ title: 'Playwright', text: message }))],
    leftOut: tests
      .filter(({ status }) => status === 'skipped')
      .map(({ titles, annotations }) => {
        const reason = annotations.find(({ type }) => type === 'skip')?.description
        return `e2e/${titles.join(' › ')} (${reason ?? 'not possible on this machine'})`
      }),
    files: [...files].map(([file, seconds]) => ({ file: `e2e/${file}`, seconds })),
  }
}

/**
 * Runs Playwright Test. The server must be built.
 *
 * @param {{ name: string, args: string[], env: Record<string, string> }} run
 * @returns {Promise<import('./pool.mjs').Outcome>}
 */
export async function runPlaywright({ name, args, env }) {
  const browser = await findBrowser()
  if (browser === null)
    process.stdout.write(
      'There is no Chromium: set BEAK_BROWSER to the path of one. The browser tests will fail.\n',
    )
  return runWithReport({
    title: name || 'Playwright',
    read: readPlaywrightReport,
    program: (report) => ({
      name,
      command: join(root, 'node_modules', '.bin', 'playwright'),
      args: ['test', '--reporter=list,json', ...args],
      env: { ...env, BEAK_BROWSER: browser ?? '', PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    }),
  })
}
