import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { version } from '../../version'
import { command } from '../command'
import { Exit, exitCodes, usageFault } from '../exit'
import type { Session } from '../session'

export const dev = command({
  name: 'dev',
  summary: 'Start a service for tests on this computer.',
  details: `Starts the API with a database of its own, an agent with its key, and test accounts that answer by themselves. It has no pages.
Works in a copy of the source of Beak. Elsewhere it prints the command that starts the same service from a package.`,
  options: {
    port: { type: 'string', value: 'number', summary: 'Default: 4010 or, when that is taken, a free one.' },
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
    if (root === null) throw await packageHint(session)
    const words = [
      ...(options.port === undefined ? [] : ['--port', options.port]),
      ...(options.data === undefined ? [] : ['--data', resolve(options.data)]),
      ...(session.output.isJson ? ['--json'] : []),
    ]
    const args = ['scripts/run.mjs', '../packages/dev/main.ts', ...words]
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: session.env,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const code = await ended(child, session.signal)
    if (code !== 0 && !session.signal.aborted) throw new Exit(exitCodes.refused, 'The service did not start.')
  },
})

/** Says which command starts the service without the source. It runs nothing by itself, because the package is code of the service. */
async function packageHint(session: Session): Promise<Exit> {
  const url = (await session.findUrl()) ?? '<address of your Beak>'
  return usageFault(
    'The source of Beak is not here.',
    `Start the same service from the package of your Beak: npx ${url}/clients/beak-dev-${version}.tgz`,
  )
}

/** Returns the folder with the source of the service: this one or one above. */
export function findSource(folder: string): string | null {
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
