/** Runs the tests in `e2e/` with Playwright Test, and counts them. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowser } from './browser.mjs'
import { root } from './prepare.mjs'

/** Counts the tests in a JSON report. A missing report and a file that cannot be loaded count as failures. */
function countsOf(path) {
  try {
    const { stats, errors } = JSON.parse(readFileSync(path, 'utf8'))
    return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

/**
 * Runs Playwright Test with these arguments and prints its progress. The server must be built.
 *
 * @param {string[]} args files or options; all tests when empty
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runPlaywright(args = []) {
  process.stdout.write('\nTests of the built server, over HTTP and in a browser\n')
  const browser = await findBrowser()
  if (browser === null)
    process.stdout.write(
      'There is no Chromium: set BEAK_BROWSER to the path of one. The browser tests will fail.\n',
    )
  const folder = mkdtempSync(join(tmpdir(), 'beak-report-'))
  const report = join(folder, 'report.json')
  const succeeded = await new Promise((resolve) => {
    const child = spawn(
      join(root, 'node_modules', '.bin', 'playwright'),
      ['test', '--reporter=list,json', ...args],
      {
        cwd: root,
        stdio: ['ignore', 'inherit', 'inherit'],
        env: {
          ...process.env,
          BEAK_BROWSER: browser ?? '',
          NEXT_TELEMETRY_DISABLED: '1',
          PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        },
      },
    )
    child.on('exit', (code) => resolve(code === 0))
    child.on('error', () => resolve(false))
  })
  const { passed, failed } = countsOf(report)
  rmSync(folder, { recursive: true, force: true })
  return { passed, failed: Math.max(failed, succeeded ? 0 : 1) }
}
