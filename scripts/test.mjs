/**
 * `npm test`: checks the code and the supply chain and runs every test, also on a bare machine. `npm test -- <paths>` runs only those
 * tests, and builds only for tests below e2e/. The last line says how many checks and tests passed and failed.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { architectureTests, runCodeChecks } from './code-checks.mjs'
import { build, buildServer, generate, install, root, runScript } from './prepare.mjs'
import { runPlaywright } from './run-playwright.mjs'
import { runPython } from './run-python.mjs'
import { selectTests } from './select-tests.mjs'
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

/** Counts the tests in the report of a Vitest run. A missing report counts as one failure. */
function countsOf(report) {
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites, success } = JSON.parse(
      readFileSync(report, 'utf8'),
    )
    // A file that cannot be loaded has no failed test, but has failed.
    return {
      passed: numPassedTests,
      failed: numFailedTests + (!success && numFailedTests === 0 ? Math.max(1, numFailedTestSuites) : 0),
    }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

/** Runs the tests at the given paths, or all of them. */
async function runVitest(paths, options) {
  const folder = mkdtempSync(join(tmpdir(), 'beak-report-'))
  const report = join(folder, 'report.json')
  const succeeded = await run('Tests', bin('vitest'), [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...paths,
    ...options,
  ])
  const { passed, failed } = countsOf(report)
  rmSync(folder, { recursive: true, force: true })
  return { passed, failed: Math.max(failed, succeeded ? 0 : 1) }
}

await runScript(async () => {
  process.chdir(root)
  const { isAll, source, built, python, options } = selectTests(process.argv.slice(2))
  install()
  generate()
  const needsBuild = isAll || built.length > 0
  if (needsBuild) build()
  else if (python.length > 0) buildServer()
  const checks = isAll
    ? [...(await runCodeChecks()).map(({ passed }) => passed), ...(await runSupplyChecks())]
    : []
  const suites = []
  // The code checks have run the architecture tests.
  if (isAll || source.length > 0 || built.length + python.length === 0)
    suites.push(await runVitest(source, isAll ? [`--exclude=${architectureTests}**`] : options))
  if (isAll || python.length > 0) suites.push(await runPython(python, isAll ? [] : options))
  if (needsBuild) suites.push(await runPlaywright(built))
  const sum = (name) => suites.reduce((total, suite) => total + suite[name], 0)
  const passed = sum('passed') + checks.filter((ok) => ok).length
  const failed = sum('failed') + checks.filter((ok) => !ok).length
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  if (failed > 0) process.exitCode = 1
})
