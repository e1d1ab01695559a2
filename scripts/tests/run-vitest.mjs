/** Runs tests with Vitest, and reads its report. */
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../prepare.mjs'
import { runWithReport } from './run-with-report.mjs'

const need = / \(needs [^)]*\)/

/** Returns the suite of a test, as it is named in the last lines. */
const suiteOf = (file, { ancestorTitles, title }) => `${file}: ${ancestorTitles[0] ?? title}`

function readFile({ name, status, message, assertionResults, startTime, endTime }) {
  const file = relative(root, name)
  const failures = assertionResults
    .filter((test) => test.status === 'failed')
    .map(({ fullName, failureMessages }) => ({
      title: `${file}: ${fullName}`,
      text: failureMessages.join('\n'),
    }))
  // A file that cannot be loaded has no failed test, but has failed.
  if (status === 'failed' && failures.length === 0) failures.push({ title: file, text: message })
  const suites = (isWanted) => assertionResults.filter(isWanted).map((test) => suiteOf(file, test))
  return {
    passed: assertionResults.filter((test) => test.status === 'passed').length,
    failures,
    leftOut: suites((test) => test.status !== 'passed' && test.status !== 'failed'),
    ran: suites((test) => test.status === 'passed'),
    files: [{ file, seconds: (endTime - startTime) / 1000 }],
  }
}

/**
 * Reads a report. A missing report counts as one failure.
 *
 * @returns {import('./pool.mjs').Outcome}
 */
function readVitestReport(path) {
  let report
  try {
    report = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return { passed: 0, failed: 1 }
  }
  const files = report.testResults.map(readFile)
  const all = (name) => files.flatMap((file) => file[name])
  const failures = all('failures')
  return {
    passed: files.reduce((sum, { passed }) => sum + passed, 0),
    failed: failures.length,
    failures,
    leftOut: [...new Set(all('leftOut'))].map((suite) =>
      need.test(suite) ? suite : `${suite} (not possible on this machine)`,
    ),
    ran: [...new Set(all('ran'))],
    files: all('files'),
  }
}

/**
 * @param {{ name: string, args: string[], env: Record<string, string>, command?: string[] }} run
 * @returns {Promise<import('./pool.mjs').Outcome>}
 */
export function runVitest({ name, args, env, command = ['run'] }) {
  return runWithReport({
    title: name || 'Vitest',
    read: readVitestReport,
    program: (report) => ({
      name,
      command: join(root, 'node_modules', '.bin', 'vitest'),
      args: [...command, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args],
      env,
    }),
  })
}
