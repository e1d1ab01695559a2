/** Runs a TypeScript command line of this folder, `node scripts/run.mjs seed.ts …`, on a bare checkout too. */
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
