/** Runs a TypeScript file of this folder, such as `node scripts/run.mjs operator.ts …`. Installs what is missing first. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { generate, install, root, runScript } from './prepare.mjs'

/** What needs the packages for development: a formatter, test servers. All others run after `npm start` without them. */
const forDevelopment = [
  '../lab/faults/main.ts',
  '../lab/programs/scorecard.ts',
  '../lab/programs/stock.ts',
  'audit-vectors.ts',
  'new.ts',
]

await runScript(async () => {
  const [script = '', ...args] = process.argv.slice(2)
  await install({ development: forDevelopment.includes(script) })
  await generate()
  const child = spawn(
    join(root, 'node_modules', '.bin', 'tsx'),
    ['--tsconfig', join(root, 'tsconfig.json'), join(root, 'scripts', script), ...args],
    { cwd: root, stdio: 'inherit' },
  )
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
})
