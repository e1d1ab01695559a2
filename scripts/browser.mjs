/**
 * Finds a Chromium for the browser tests. An installed one is used first, because that needs no download. Otherwise Playwright downloads
 * its own, and where that is impossible, root on Debian installs the package.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'

const names = [
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

/** Whether a browser starts. A downloaded browser does not start when system libraries are missing. */
const starts = (path) => existsSync(path) && run(path, ['--version'], { timeout: 30_000 })

/** Returns the path that BEAK_BROWSER names, or of an installed Chromium, or null. */
export function installedBrowser() {
  const { BEAK_BROWSER: chosen, PATH = '' } = process.env
  if (chosen) return chosen
  const folders = [...new Set([...PATH.split(':'), ...places])].filter((folder) => folder !== '')
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  return candidates.find(existsSync) ?? null
}

async function findPlaywrightsOwn() {
  const { chromium } = await import('playwright')
  const path = chromium.executablePath()
  return starts(path) ? path : null
}

/** Runs Playwright's download. Stops it when it makes no progress, because without a network it would retry for minutes. */
function download() {
  return new Promise((resolve) => {
    const child = spawn(
      join(root, 'node_modules', '.bin', 'playwright'),
      ['install', '--no-shell', 'chromium'],
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
  if (run('apt-get', ['update', '-qq'], options))
    run('apt-get', ['install', '-y', '-qq', 'chromium'], options)
}

/** Returns the path of a Chromium, or null when there is none and none could be installed. */
export async function findBrowser() {
  const found = installedBrowser() ?? (await findPlaywrightsOwn())
  if (found) return found
  process.stdout.write('Installing a browser for the tests … ')
  await download()
  let path = await findPlaywrightsOwn()
  if (path === null) {
    installPackage()
    path = installedBrowser()
  }
  process.stdout.write(path ? 'done\n' : 'not possible\n')
  return path
}
