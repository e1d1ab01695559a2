import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { command } from '../command'
import { numberOf } from '../duration'
import { Exit, exitCodes, usageFault } from '../exit'

export const dev = command({
  name: 'dev',
  summary: 'Start a service with sample data on this computer.',
  details:
    'Works in a copy of the source of Beak. Signs in as mallard@pond.example with a code from the outbox, whose address is printed. Webhooks may lead to this computer.',
  options: {
    port: { type: 'string', value: 'number', summary: 'Default: 3000.' },
    data: {
      type: 'string',
      value: 'folder',
      summary: 'Keep the data here. Default: a new folder that is deleted at the end.',
    },
    source: {
      type: 'string',
      value: 'folder',
      summary: 'The source of Beak. Default: the folder above this one that has it.',
    },
  },
  async run({ options, session }) {
    const root = findSource(options.source ?? process.cwd())
    if (root === null)
      throw usageFault(
        'The source of Beak is not here.',
        'Run this in a copy of its repository, or name it: --source <folder>.',
      )
    const port = numberOf('port', options.port) ?? 3000
    const dataDir =
      options.data === undefined ? mkdtempSync(join(tmpdir(), 'beak-dev-')) : resolve(options.data)
    const env = { ...session.env, PORT: String(port), DATA_DIR: dataDir, WEBHOOK_ALLOW_PRIVATE: 'true' }
    const run = (...args: string[]) =>
      ended(spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' }), session.signal)
    try {
      const isNew = !existsSync(join(dataDir, 'db'))
      const seeded = isNew ? await run('scripts/run.mjs', 'operator.ts', 'seed') : 0
      if (seeded === 0) session.output.note(`Next: beak login --url http://localhost:${port}`)
      const code = seeded === 0 ? await run('scripts/start.mjs') : seeded
      if (code !== 0 && !session.signal.aborted)
        throw new Exit(exitCodes.refused, 'The service did not start.')
    } finally {
      if (options.data === undefined) rmSync(dataDir, { recursive: true, force: true })
    }
  },
})

/** Returns the folder with the source of the service: this one or one above. */
function findSource(folder: string): string | null {
  const manifest = join(resolve(folder), 'package.json')
  if (existsSync(manifest)) {
    const { name } = JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string }
    if (name === 'beak') return resolve(folder)
  }
  const above = dirname(resolve(folder))
  return above === resolve(folder) ? null : findSource(above)
}

/** Resolves with the exit code of a process. Ctrl+C reaches the process too: this waits until it has ended. */
function ended(child: ChildProcess, signal: AbortSignal): Promise<number> {
  const stop = () => child.kill('SIGTERM')
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  return new Promise((resolvePromise, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      signal.removeEventListener('abort', stop)
      resolvePromise(code ?? 1)
    })
  })
}
