/** Runs a TypeScript file of this folder, such as `node scripts/run.mjs operator.ts …`. Installs what is missing first. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { generate, install, root, runScript } from './prepare.mjs'

await runScript(() => {
  const [script = '', ...args] = process.argv.slice(2)
  install()
  generate()
  const child = spawn(
    join(root, 'node_modules', '.bin', 'tsx'),
    ['--tsconfig', join(root, 'tsconfig.json'), join(root, 'scripts', script), ...args],
    { cwd: root, stdio: 'inherit' },
  )
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
})
