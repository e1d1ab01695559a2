import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { aDuckling } from '@/lib/factories/ducklings'
import { startInstance } from '@/lib/fixtures/bundle'
import { describeOnPostgres } from '@/lib/fixtures/source-files'
import { claimSeconds } from '@/lib/infrastructure/worker/claim'
import { readClock } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from './start'

/** Starts a worker process. It is killed at the end of the test. */
async function startProcess(env: Record<string, string>): Promise<{ child: ChildProcess; sent(): number }> {
  const { child, dataDir } = startInstance('lib/fixtures/outbox-worker.ts', env)
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return {
    child,
    sent: () => (readdirSync(dataDir).includes('outbox') ? readdirSync(join(dataDir, 'outbox')).length : 0),
  }
}

/** A mail server that accepts connections and never answers. Resolves `connected` at the first connection. */
async function aSilentMailServer(): Promise<{ url: string; connected: Promise<unknown> }> {
  const server = createServer((socket) => socket.on('error', () => undefined))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  return { url: `smtp://127.0.0.1:${port}`, connected: once(server, 'connection') }
}

const claimEnd = async () =>
  Number((await db().outbox.findFirst({ where: { kind: 'code' } }))?.claimedUntil ?? 0)

describeOnPostgres('two processes on one PostgreSQL', () => {
  it.each(['SIGKILL', 'SIGSTOP'] as const)(
    'send the code of a process that got %s about 10 seconds later, and not before',
    { timeout: 90_000 },
    async (signal) => {
      const { email } = await aDuckling()
      await drainOutbox()
      const { url, connected } = await aSilentMailServer()
      const slow = await startProcess({ SMTP_URL: url, MAIL_FROM: 'beak@localhost' })
      await call('POST /beak/signin/otp', { body: { email } })
      await connected
      const other = await startProcess({})
      // The first claim has been renewed: the slow process keeps the row.
      const first = await claimEnd()
      await expect.poll(claimEnd, { timeout: 10_000 }).toBeGreaterThan(first)
      expect(other.sent()).toBe(0)
      slow.child.kill(signal)
      const latestEnd = Number(readClock()) + claimSeconds * 1000
      const end = await claimEnd()
      expect(end).toBeLessThanOrEqual(latestEnd)
      await expect.poll(() => other.sent(), { timeout: 60_000 }).toBe(1)
      expect(Number(readClock())).toBeGreaterThan(end)
    },
  )
})
