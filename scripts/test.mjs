/**
 * `npm test`: types, lint, the supply chain, and every suite (unit, contract, races, house rules, the built server), on a bare
 * machine. The last line says how many checks passed and failed.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, generate, install, root, runScript } from './prepare.mjs'
import { runPlaywright } from './run-playwright.mjs'
import { runSupplyChecks } from './supply/checks.mjs'

const bin = (name) => join(root, 'node_modules', '.bin', name)

function run(title, command, args) {
  process.stdout.write(`\n${title}\n`)
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
    })
    child.on('exit', (code) => resolve(code === 0))
    child.on('error', () => resolve(false))
  })
}

/** Test counts of a Vitest run; a run that wrote none failed as a whole. */
function countsOf(report) {
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites, success } = JSON.parse(
      readFileSync(report, 'utf8'),
    )
    // A file that does not even load has failed without a failed test in it.
    return {
      passed: numPassedTests,
      failed: numFailedTests + (!success && numFailedTests === 0 ? Math.max(1, numFailedTestSuites) : 0),
    }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

await runScript(async () => {
  process.chdir(root)
  install()
  generate()
  build()
  const only = process.argv.slice(2)
  const checks =
    only.length > 0
      ? []
      : [
          await run('Types', bin('tsc'), ['--noEmit']),
          await run('Lint', bin('biome'), ['check', '--error-on-warnings', '.']),
          ...(await runSupplyChecks()),
        ]
  const folder = mkdtempSync(join(tmpdir(), 'beak-report-'))
  const report = join(folder, 'report.json')
  const succeeded = await run('Tests', bin('vitest'), [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...(only.length > 0 ? ['--passWithNoTests', ...only] : []),
  ])
  const counts = countsOf(report)
  rmSync(folder, { recursive: true, force: true })
  const inBrowser = only.filter((path) => path.startsWith('e2e'))
  const browserCounts =
    only.length > 0 && inBrowser.length === 0 ? { passed: 0, failed: 0 } : await runPlaywright(inBrowser)
  const passed = counts.passed + browserCounts.passed + checks.filter((ok) => ok).length
  const failed =
    Math.max(counts.failed, succeeded ? 0 : 1) + browserCounts.failed + checks.filter((ok) => !ok).length
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  if (failed > 0) process.exitCode = 1
})
