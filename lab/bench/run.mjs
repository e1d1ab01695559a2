/** `npm run bench`: installs and builds what is missing, then starts `main.ts`. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build, generate, install, root, runScript } from '../../scripts/prepare.mjs'

await runScript(async () => {
  const args = process.argv.slice(2)
  await install()
  if (!args.includes('--help')) {
    await generate()
    await build()
  }
  const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'lab', 'bench', 'main.ts'), ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
})
