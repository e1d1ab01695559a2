/** `npm run liar`: installs and builds what is missing, finds a browser, then starts `main.ts`. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { findBrowser } from '../../scripts/browser.mjs'
import { build, generate, install, root, runScript } from '../../scripts/prepare.mjs'

await runScript(async () => {
  await install()
  await generate()
  await build()
  if ((await findBrowser()) === null) throw new Error('There is no Chromium. Set BEAK_BROWSER to its path.')
  const main = ['--import', 'tsx', join(root, 'lab', 'liar', 'main.ts'), ...process.argv.slice(2)]
  const child = spawn(process.execPath, main, { cwd: root, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
})
