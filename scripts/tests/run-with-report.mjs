/** Runs a test runner that writes a report, and reads the report. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from './run-program.mjs'

/**
 * A runner that fails without a failed test, for instance because it cannot start, counts as one failure with the end of its output.
 *
 * @param {{
 *   title: string,
 *   program: (report: string) => Parameters<typeof runProgram>[0],
 *   read: (report: string) => import('./pool.mjs').Outcome,
 * }} runner `program` gets the path where the runner must write its report, `title` names the failure
 * @returns {Promise<import('./pool.mjs').Outcome>}
 */
export async function runWithReport({ title, program, read }) {
  const folder = mkdtempSync(join(tmpdir(), 'beak-report-'))
  try {
    const report = join(folder, 'report.json')
    const { succeeded, tail } = await runProgram(program(report))
    const outcome = read(report)
    if (succeeded || outcome.failures?.length) return outcome
    return { ...outcome, failed: Math.max(1, outcome.failed), failures: [{ title, text: tail }] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
