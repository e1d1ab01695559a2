/** Runs the tests of the Python client with pytest, checks its types with mypy, and counts both. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { root } from './prepare.mjs'
import { findPython } from './verifiers.mjs'

const folder = join(root, 'clients', 'python')
const environment = join(root, 'build', 'python')
const requirements = join(folder, 'tests', 'requirements.txt')

/** What Debian calls the packages, by the module that the tests import. */
const debianPackages = {
  cryptography: 'python3-cryptography',
  fastapi: 'python3-fastapi',
  hatchling: 'python3-hatchling',
  httpx: 'python3-httpx',
  jwt: 'python3-jwt',
  mypy: 'mypy',
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

function runPrinted(command, args, env) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'], env })
    child.on('exit', (code) => done(code === 0))
    child.on('error', () => done(false))
  })
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
 * Runs pytest and mypy and prints their progress. The server must be built. Without the packages and a way to install them, says so and
 * runs nothing.
 *
 * @param {string[]} paths files or folders; all tests when empty
 * @param {string[]} options of pytest
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runPython(paths = [], options = []) {
  process.stdout.write('\nTests of the Python client\n')
  const python =
    virtualEnvironment() ?? findPython(Object.keys(debianPackages), Object.values(debianPackages))
  if (python === null) {
    process.stdout.write(
      `Left out: they need Python 3.9 or newer, and pip with a package index or Debian's packages ${Object.values(debianPackages).join(', ')}.\n`,
    )
    return { passed: 0, failed: 0 }
  }
  const reports = mkdtempSync(join(tmpdir(), 'beak-report-'))
  const report = join(reports, 'report.xml')
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' }
  const files = paths.map((path) => resolve(root, path))
  const succeeded = await runPrinted(
    python,
    ['-m', 'pytest', `--junit-xml=${report}`, ...options, ...files],
    env,
  )
  const { passed, failed } = countsOf(report)
  rmSync(reports, { recursive: true, force: true })
  const isTyped = await runPrinted(python, ['-m', 'mypy'], env)
  return {
    passed: passed + (isTyped ? 1 : 0),
    failed: Math.max(failed, succeeded ? 0 : 1) + (isTyped ? 0 : 1),
  }
}
