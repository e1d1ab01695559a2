/** The app server of Codex, which alone can say and set which hooks Codex trusts. It speaks JSON-RPC, one message a line. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { EventName } from '../launcher'

const limitMs = 20_000

const Listed = z.looseObject({
  data: z.array(
    z.looseObject({
      hooks: z.array(
        z.looseObject({
          key: z.string(),
          eventName: z.string(),
          command: z.string().nullish(),
          enabled: z.boolean(),
          currentHash: z.string(),
          trustStatus: z.string(),
        }),
      ),
    }),
  ),
})
type Hook = z.infer<typeof Listed>['data'][number]['hooks'][number]

/** How Codex regards the own hook of each event: `trusted`, `untrusted`, `modified` or `disabled`. Missing: it does not find it. */
export type HookStates = Partial<Record<EventName, string>>

type Ask = (method: string, params: unknown) => Promise<unknown>

/** Starts the app server for some questions, and ends it. */
async function withServer<T>(
  env: NodeJS.ProcessEnv,
  executable: string,
  use: (ask: Ask) => Promise<T>,
): Promise<T> {
  const child = spawn(executable, ['app-server'], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  const failed = new Promise<never>((_, reject) => {
    const fail = (why: string) => reject(new Error(`The app server of Codex ${why}.`))
    child.once('error', (error) => fail(`does not start: ${error.message}`))
    child.once('exit', () => fail('ended'))
    AbortSignal.timeout(limitMs).addEventListener('abort', () => fail('does not answer'))
  })
  failed.catch(() => undefined)
  child.stdin.on('error', () => undefined)
  createInterface({ input: child.stdout }).on('line', (line) => {
    try {
      const { id, result, error } = JSON.parse(line)
      const asked = waiting.get(id)
      if (error) asked?.reject(new Error(`Codex refused: ${error.message}`))
      else asked?.resolve(result)
    } catch {}
  })
  const write = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`)
  let next = 1
  const ask: Ask = (method, params) => {
    const id = next++
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
    write({ id, method, params })
    return Promise.race([answer, failed])
  }
  try {
    await ask('initialize', { clientInfo: { name: 'beak', title: 'Beak', version: '1' }, capabilities: null })
    write({ method: 'initialized' })
    return await use(ask)
  } finally {
    child.stdin.end()
    child.kill()
  }
}

/** Returns the own hooks, by their events. */
async function ownHooks(ask: Ask, launcher: string, folder: string): Promise<Hook[]> {
  const { data } = Listed.parse(await ask('hooks/list', { cwds: [folder] }))
  return data.flatMap(({ hooks }) => hooks).filter(({ command }) => command?.includes(launcher))
}

function statesOf(hooks: Hook[]): HookStates {
  const nameOf = (eventName: string) => `${eventName[0]?.toUpperCase()}${eventName.slice(1)}`
  return Object.fromEntries(
    hooks.map(({ eventName, enabled, trustStatus }) => [
      nameOf(eventName),
      enabled ? trustStatus : 'disabled',
    ]),
  )
}

/** Returns how Codex regards the hooks that start the launcher, for work in a folder. */
export const listHooks = (
  env: NodeJS.ProcessEnv,
  executable: string,
  launcher: string,
  folder: string,
): Promise<HookStates> =>
  withServer(env, executable, async (ask) => statesOf(await ownHooks(ask, launcher, folder)))

/** Makes Codex trust the hooks that start the launcher. Returns how it regards them then, and how it names them. */
export const trustHooks = (
  env: NodeJS.ProcessEnv,
  executable: string,
  launcher: string,
): Promise<{ states: HookStates; keys: string[] }> =>
  withServer(env, executable, async (ask) => {
    const folder = process.cwd()
    const hooks = await ownHooks(ask, launcher, folder)
    const value = Object.fromEntries(
      hooks.map(({ key, currentHash }) => [key, { enabled: true, trusted_hash: currentHash }]),
    )
    const edits = [{ keyPath: 'hooks.state', value, mergeStrategy: 'upsert' }]
    await ask('config/batchWrite', { edits, reloadUserConfig: true })
    return { states: statesOf(await ownHooks(ask, launcher, folder)), keys: Object.keys(value) }
  })
