/** `npm run dev`: the service with Next's development server, which reloads pages and API when a file changes. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { generate, install, root, runScript } from './prepare.mjs'

await runScript(() => {
  install()
  generate()
  const child = spawn(join(root, 'node_modules', '.bin', 'tsx'), ['server.ts', '--dev'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' },
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
})
