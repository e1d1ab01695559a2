/**
 * Finds the programs for the tests that check the service from outside: Python with the packages of the client, and Go with the packages
 * of golang.org/x/mod. As root on Debian, missing Python packages are installed; Go only with TEST_INSTALL_GO=1, because that takes a
 * minute.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './prepare.mjs'

const run = (command, args, env = {}) =>
  spawnSync(command, args, { cwd: root, stdio: 'ignore', env: { ...process.env, ...env } }).status === 0

function installPackages(...packages) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  // Several test files install at the same time, and apt-get refuses to run twice.
  const apt = (...args) =>
    run(
      'flock',
      [join(tmpdir(), 'beak-apt.lock'), 'apt-get', '-o', 'DPkg::Lock::Timeout=300', '-qq', ...args],
      env,
    )
  if (apt('update')) apt('install', '-y', ...packages)
}

const installedPython = (modules) =>
  ['/usr/bin/python3', 'python3'].find((name) => run(name, ['-c', `import ${modules.join(', ')}`])) ?? null

/** Returns the command of a Python with these modules, or null when there is none and Debian's packages could not be installed. */
export function findPython(modules, packages) {
  const found = installedPython(modules)
  if (found) return found
  installPackages('python3', ...packages)
  return installedPython(modules)
}

const hasProgram = (name) => run('sh', ['-c', `command -v ${name}`])

/** Returns the name of a program of the Debian package of the same name, or null when it is missing and could not be installed. */
export function findProgram(name) {
  if (!hasProgram(name)) installPackages(name)
  return hasProgram(name) ? name : null
}

/** Writes the generated modules of the Python client beside the others, where programs of this repository import them. */
export function makePythonClient(python) {
  execFileSync(python, ['-B', join(root, 'packages', 'client-python', 'make.py')], { stdio: 'inherit' })
}

/** Builds a Go program of one file with the packages of Debian, without the network. Returns its path, or null without Go. */
export function buildGo(source) {
  const target = join(mkdtempSync(join(tmpdir(), 'beak-go-')), 'program')
  const env = {
    GO111MODULE: 'off',
    GOPATH: '/usr/share/gocode',
    GOCACHE: join(tmpdir(), 'beak-go-cache'),
    GOFLAGS: '',
  }
  const build = () =>
    existsSync('/usr/share/gocode/src/golang.org/x/mod/sumdb/tlog') &&
    run('go', ['build', '-o', target, source], env)
  if (build()) return target
  if (process.env.TEST_INSTALL_GO !== '1') return null
  installPackages('golang-go', 'golang-golang-x-mod-dev')
  return build() ? target : null
}
