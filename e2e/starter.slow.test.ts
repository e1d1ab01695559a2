/** The starter in `examples/starter`, copied into an empty folder, with the client that a running service serves. */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from './own-server'
import { offlineInstall, packDependencies } from './packed-dependencies'
import { aBondedAgent, aPerson, type Session } from './people'
import { type Server, send } from './server'

const run = promisify(execFile)

/** Approves every request to a person until the work has ended. */
async function whileApproving<Result>(server: Server, { token }: Session, work: Promise<Result>) {
  let isDone = false
  const ended = work.finally(() => {
    isDone = true
  })
  ended.catch(() => {})
  while (!isDone) {
    const path = 'GET /beak/peck/history?direction=received&status=pending'
    const { body } = await send(server, path, { token })
    for (const { peck_id } of body.items)
      await send(server, 'POST /beak/peck/approve', { token, body: { peck_id } })
    await new Promise((resolve) => setImmediate(resolve))
  }
  return ended
}

test('works as copied into an empty folder', async ({ start }) => {
  test.setTimeout(180_000)
  const server = await start({
    env: { BEAK_ROLES: 'api,worker' },
  })
  const folder = mkdtempSync(join(tmpdir(), 'beak-starter-'))
  cpSync('examples/starter', folder, { recursive: true })
  const archives = await packDependencies(mkdtempSync(join(tmpdir(), 'beak-packed-')))
  const list = await fetch(`${server.url}/clients/`, { headers: { Accept: 'application/json' } })
  const files: { name: string; kind: string }[] = (await list.json()).files
  const client = files.find(({ kind }) => kind === 'typescript')?.name
  const cwd = { cwd: folder }
  await run('npm', ['install', ...archives, `${server.url}/clients/${client}`, ...offlineInstall], cwd)

  const person = await aPerson(server, 'Mallard')
  const { key } = await aBondedAgent(server, person)
  const env = { ...process.env, BEAK_URL: server.url, BEAK_KEY: key, PERSON: person.id }
  const runScript = (args: string[]) =>
    whileApproving(
      server,
      person,
      run('npm', args, { cwd: folder, env }).then(({ stdout }) => stdout),
    )
  expect(await runScript(['test'])).toMatch(/# pass 5\n[\s\S]*# fail 0\n/)
  expect(await runScript(['start'])).toContain('"item":"tea"')
})
