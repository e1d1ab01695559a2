/** `npm run dev`: the service with Next's development server, which reloads pages and API when a file changes. */
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { generate, generateSentences, install, root, runScript } from './prepare.mjs'

let timer

/** Compiles the sentences after their table changed. An editor may write a file in several steps, or half of it. */
function compileSoon() {
  clearTimeout(timer)
  timer = setTimeout(() => {
    try {
      generateSentences()
    } catch (error) {
      process.stderr.write(`${error.message}\n`)
    }
  }, 100)
}

await runScript(() => {
  install()
  generate()
  watch(join(root, 'messages'), compileSoon)
  const child = spawn(join(root, 'node_modules', '.bin', 'tsx'), ['server.ts', '--dev'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' },
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
})
