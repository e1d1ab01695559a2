/** `npm run lighthouse`: builds what has changed, gets Lighthouse, then starts `main.ts`. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findBrowser } from '../../../scripts/browser.mjs'
import { build, generate, install, npmCommand, root, runScript } from '../../../scripts/prepare.mjs'

/** The newest version that runs on Node.js 20. No dependency: only this command needs it, and it brings 200 packages. */
const version = '12.8.2'
const folder = join(root, 'node_modules', '.cache', `lighthouse-${version}`)

await runScript(async () => {
  await install()
  await generate()
  await build()
  const entry = join(folder, 'node_modules', 'lighthouse', 'core', 'index.js')
  if (!existsSync(entry)) await installLighthouse()
  const browser = (await findBrowser()) || (await import('playwright')).chromium.executablePath()
  const args = [
    '--import',
    'tsx',
    join(root, 'lab', 'bench', 'lighthouse', 'main.ts'),
    ...process.argv.slice(2),
  ]
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, LIGHTHOUSE_FOLDER: folder, BEAK_BROWSER: browser },
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
})

function installLighthouse() {
  mkdirSync(folder, { recursive: true })
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  const args = ['install', '--prefix', folder, ...options, `lighthouse@${version}`]
  return new Promise((resolve, reject) => {
    const child = spawn(npmCommand, args, { stdio: 'inherit' })
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error('Lighthouse was not installed.'))))
  })
}
