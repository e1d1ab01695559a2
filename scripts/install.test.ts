/** What `install` asks npm for. A small program is in the place of npm: it writes down its options, and "installs" what they name. */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'

const npm = `#!/bin/sh
echo "$@" >> npm-runs
mkdir -p node_modules/next
echo '{}' > node_modules/next/package.json
case "$*" in
  *--include=dev*) mkdir -p node_modules/vitest; echo '{}' > node_modules/vitest/package.json;;
  *--omit=dev*) rm -rf node_modules/vitest;;
esac
`

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beak-install-'))
  mkdirSync(join(folder, 'scripts'))
  for (const name of ['install.mjs', 'steps.mjs'])
    cpSync(join('scripts', name), join(folder, 'scripts', name))
  writeFileSync(join(folder, 'package-lock.json'), '{}')
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin', 'npm'), npm)
  chmodSync(join(folder, 'bin', 'npm'), 0o755)
})

/** Installs in the folder. Returns which packages npm was asked for since the start. */
function install(options: { development?: boolean } = {}): string[] {
  const program = `const { install } = await import('./scripts/install.mjs'); await install(${JSON.stringify(options)})`
  execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: folder,
    env: { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}` },
  })
  const runs = readFileSync(join(folder, 'npm-runs'), 'utf8').trim().split('\n')
  return runs.map((line) => /--(?:include|omit)=dev/.exec(line)?.[0] ?? 'all')
}

it('installs what the service needs for npm start, and the rest for npm test', () => {
  expect(install({ development: false })).toEqual(['--omit=dev'])
  expect(install({ development: false })).toHaveLength(1)
  expect(install()).toEqual(['--omit=dev', '--include=dev'])
  expect(install()).toHaveLength(2)
})

it('keeps the packages of the development when npm start follows npm test, also with another lock file', () => {
  install()
  expect(install({ development: false })).toHaveLength(1)
  writeFileSync(join(folder, 'package-lock.json'), '{ "version": 2 }')
  expect(install({ development: false })).toEqual(['--include=dev', '--include=dev'])
  expect(existsSync(join(folder, 'node_modules', 'vitest', 'package.json'))).toBe(true)
})
