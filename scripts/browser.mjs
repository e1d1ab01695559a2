/**
 * Finds a Chromium for the browser tests. An installed one is used first, because that needs no download. Otherwise Playwright downloads
 * its own, and where that is impossible, root on Debian installs a package.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'

/** The headless shell is first: without the windows of a whole browser, the tests take two thirds of the time. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'Google Chrome',
]
const places = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/Applications/Google Chrome.app/Contents/MacOS']

/** The download is stopped when it makes no progress for this time. */
const stallSeconds = 30

const run = (command, args, options = {}) =>
  spawnSync(command, args, { cwd: root, stdio: 'ignore', ...options }).status === 0

/** Returns the path that BEAK_BROWSER names, or of an installed Chromium, or null. */
export function installedBrowser() {
  const { BEAK_BROWSER: chosen, PATH = '' } = process.env
  if (chosen) return chosen
  const folders = [...new Set([...PATH.split(':'), ...places])].filter((folder) => folder !== '')
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return candidates.find(existsSync) ?? null
}

/** Whether Playwright can start its own browser. It cannot without the system's libraries. */
async function hasPlaywrightsOwn() {
  const { chromium } = await import('playwright')
  try {
    await (await chromium.launch()).close()
    return true
  } catch {
    return false
  }
}

/** Runs Playwright's download. Stops it when it makes no progress, because without a network it would retry for minutes. */
function download() {
  return new Promise((resolve) => {
    const child = spawn(
      join(root, 'node_modules', '.bin', 'playwright'),
      ['install', '--only-shell', 'chromium'],
      {
        cwd: root,
        detached: true,
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000', ...process.env },
      },
    )
    const end = () => {
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // The process has ended already.
      }
    }
    let timer = setTimeout(end, stallSeconds * 1000)
    child.stdout.on('data', (chunk) => {
      if (!/\d+% of/.test(String(chunk))) return
      clearTimeout(timer)
      timer = setTimeout(end, stallSeconds * 1000)
    })
    child.once('error', () => resolve())
    child.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

function installPackage() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  const install = (name) => run('apt-get', ['install', '-y', '-qq', name], options)
  // Older releases have no package of the shell.
  if (run('apt-get', ['update', '-qq'], options)) install('chromium-headless-shell') || install('chromium')
}

/**
 * Returns the path of a Chromium, an empty text for Playwright's own, or null when there is none and none could be installed.
 *
 * @returns {Promise<string | null>}
 */
export async function findBrowser() {
  const found = installedBrowser() ?? ((await hasPlaywrightsOwn()) ? '' : null)
  if (found !== null) return found
  process.stdout.write('Installing a browser for the tests … ')
  await download()
  const hasOwn = await hasPlaywrightsOwn()
  if (!hasOwn) installPackage()
  const path = hasOwn ? '' : installedBrowser()
  process.stdout.write(path === null ? 'not possible\n' : 'done\n')
  return path
}
