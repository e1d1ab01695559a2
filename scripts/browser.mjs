/**
 * A Chromium for the browser tests: one that is installed, else Playwright's own, else one the project installs itself, from
 * Debian's packages where it may, else by Playwright's download.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const places = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/Applications/Google Chrome.app/Contents/MacOS']

function installed() {
  const { BEAK_BROWSER: chosen, PATH = '' } = process.env
  if (chosen) return chosen
  const folders = [...new Set([...PATH.split(':'), ...places])].filter((folder) => folder !== '')
  const candidates = folders.flatMap((folder) =>
    [...names, 'Google Chrome'].map((name) => join(folder, name)),
  )
  return candidates.find((path) => existsSync(path)) ?? null
}

async function playwrights() {
  const { chromium } = await import('playwright-core')
  const path = chromium.executablePath()
  return existsSync(path) ? path : null
}

function run(command, args) {
  return (
    spawnSync(command, args, {
      cwd: root,
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  )
}

/** Path of a Chromium, or null when none is there and none could be installed. */
export async function findBrowser() {
  const found = installed() ?? (await playwrights())
  if (found) return found
  process.stdout.write('Installing a browser for the tests … ')
  const isRoot = process.getuid?.() === 0
  const done =
    isRoot &&
    existsSync('/usr/bin/apt-get') &&
    run('apt-get', ['update', '-qq']) &&
    run('apt-get', ['install', '-y', '-qq', 'chromium'])
  if (!done) run(join(root, 'node_modules', '.bin', 'playwright-core'), ['install', 'chromium'])
  const path = installed() ?? (await playwrights())
  process.stdout.write(path ? 'done\n' : 'none could be had\n')
  return path
}
