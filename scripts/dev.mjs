/** `npm run dev`: the service with Next's development server, which reloads pages and API when a file changes. */
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { findTables } from './messages/tables.mjs'
import { generate, generateSentences, install, root, runScript } from './prepare.mjs'

let timer

/** Compiles the sentences after their table changed. An editor may write a file in several steps, or half of it. */
function compileSoon() {
  clearTimeout(timer)
  timer = setTimeout(async () => {
    try {
      await generateSentences()
    } catch (error) {
      process.stderr.write(`${error.message}\n`)
    }
  }, 100)
}

await runScript(async () => {
  await install()
  await generate()
  // Their folders, because editors replace a file. A table in a new folder is found at the next start.
  for (const folder of new Set(findTables(root).map(({ path }) => dirname(path))))
    watch(join(root, folder), (_, name) => {
      if (name?.endsWith('.json')) compileSoon()
    })
  const child = spawn(join(root, 'node_modules', '.bin', 'tsx'), ['server.ts', '--dev'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' },
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
})
