/** Runs the tests of the Python client with pytest, checks its types with mypy, and counts both. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../prepare.mjs'
import { findPython, makePythonClient } from '../verifiers.mjs'
import { runProgram } from './run-program.mjs'

const folder = join(root, 'packages', 'client-python')
const environment = join(root, 'build', 'python')
const requirements = join(folder, 'tests', 'requirements.txt')

/** What Debian calls the packages, by the module that the tests import. */
const debianPackages = {
  cryptography: 'python3-cryptography',
  django: 'python3-django',
  fastapi: 'python3-fastapi',
  flask: 'python3-flask',
  httpx: 'python3-httpx',
  jwt: 'python3-jwt',
  pytest: 'python3-pytest',
  typing_extensions: 'python3-typing-extensions',
}

/** Returns the Python of a virtual environment inside the project, or null where pip cannot install the packages. */
function virtualEnvironment() {
  const python = join(environment, 'bin', 'python')
  const stamp = join(environment, '.stamp')
  const wanted = readFileSync(requirements, 'utf8')
  if (existsSync(python) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return python
  rmSync(environment, { recursive: true, force: true })
  process.stdout.write('Installing the packages for the Python tests … ')
  const started = Date.now()
  const run = (command, args) => spawnSync(command, args, { cwd: root, stdio: 'ignore' }).status === 0
  // Without an answer of the package index in a few seconds, Debian's packages are the shorter way.
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--retries',
    '0',
    '--timeout',
    '10',
  ]
  const isReady = run('python3', ['-m', 'venv', environment]) && run(python, [...pip, '-r', requirements])
  process.stdout.write(
    `${isReady ? 'done' : 'not possible'} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`,
  )
  if (isReady) writeFileSync(stamp, wanted)
  else rmSync(environment, { recursive: true, force: true })
  return isReady ? python : null
}

/** Counts the tests in a JUnit report. A missing report counts as one failure. Skipped tests count as neither. */
function countsOf(report) {
  try {
    const [suite = ''] = /<testsuite [^>]*>/.exec(readFileSync(report, 'utf8')) ?? []
    const count = (name) => Number(new RegExp(` ${name}="(\\d+)"`).exec(suite)?.[1])
    const failed = count('failures') + count('errors')
    return { passed: count('tests') - failed - count('skipped'), failed }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

/**
 * Runs pytest and mypy. The server must be built. Without the packages and a way to install them, the tests are left out.
 *
 * @param {{ name: string, args: string[] }} run arguments of pytest
 * @returns {Promise<import('./pool.mjs').Outcome>}
 */
export async function runPython({ name, args }) {
  const packages = Object.values(debianPackages)
  const ownPython = virtualEnvironment()
  const python = ownPython ?? findPython(Object.keys(debianPackages), packages)
  if (python === null)
    return {
      passed: 0,
      failed: 0,
      leftOut: [
        `packages/client-python (needs Python 3.9 or newer, and pip with a package index or Debian's ${packages.join(', ')})`,
      ],
    }
  const reports = mkdtempSync(join(tmpdir(), 'beak-report-'))
  const report = join(reports, 'report.xml')
  makePythonClient(python)
  const run = (...given) =>
    runProgram({ name, command: python, args: given, cwd: folder, env: { PYTHONDONTWRITEBYTECODE: '1' } })
  const tests = await run('-m', 'pytest', `--junit-xml=${report}`, ...args)
  const { passed, failed } = countsOf(report)
  rmSync(reports, { recursive: true, force: true })
  // Older versions of the packages have other types, and an older mypy other rules: only the pinned ones check the types.
  const types = ownPython === null ? null : await run('-m', 'mypy')
  const failures = [tests, ...(types === null ? [] : [types])].filter(({ succeeded }) => !succeeded)
  return {
    passed: passed + (types?.succeeded ? 1 : 0),
    failed: Math.max(failed, tests.succeeded ? 0 : 1) + (types === null || types.succeeded ? 0 : 1),
    leftOut:
      types === null ? ['the types of packages/client-python (pip cannot install the pinned mypy)'] : [],
    failures: failures.map(({ tail }) => ({ title: 'Python client', text: tail })),
  }
}
