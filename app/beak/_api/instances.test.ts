/** Two instances on one PostgreSQL: this process, and a process of its own. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { db } from '@/lib/db/client'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { aPeck } from '@/lib/factories/pecks'
import { anotherSession } from '@/lib/fixtures/accounts'
import { startInstance } from '@/lib/fixtures/bundle'
import { describeOnPostgres } from '@/lib/fixtures/source-files'
import { watch, watchers } from '@/lib/infrastructure/events/signals'
import { forget } from '@/lib/kernel/runtime/singleton'
import { startWorker } from '@/lib/worker/start'
import { call, callRaw } from './call'

let instance: { child: ChildProcess; port: number }
let asker: ADuckling
let target: ADuckling
let agent: AnAgent

async function startOther(): Promise<typeof instance> {
  const { child } = startInstance('app/beak/_api/instance.ts')
  const [port] = await once(child.stdout, 'data')
  return { child, port: Number(String(port)) }
}

/** Calls the other instance. */
async function there(path: string, token: string, body: object = {}): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${instance.port}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
}

/** Opens a stream on this instance. `next` returns null at the end of the stream. */
async function follow(token: string) {
  const { body } = await callRaw('GET /beak/peck/stream', { token })
  const reader = body?.getReader()
  const next = async () => {
    const read = await reader?.read()
    return read?.value === undefined ? null : new TextDecoder().decode(read.value)
  }
  expect(await next()).toContain('event: ready')
  onTestFinished(() => reader?.cancel())
  return next
}

const never = new AbortController().signal

/** Waits until both instances listen. */
async function untilConnected(): Promise<void> {
  const connections = async () => {
    const rows = await db().rows<{ pid: number }>`
      SELECT "pid" FROM pg_stat_activity
      WHERE "datname" = current_database() AND ("query" = 'LISTEN beak' OR "query" LIKE 'SELECT pg_notify%')`
    return rows.length
  }
  while ((await connections()) < 2) await new Promise((resolve) => setTimeout(resolve, 50))
}

describeOnPostgres('two instances', () => {
  beforeAll(async () => {
    instance = await startOther()
    watch('start').stop()
    await untilConnected()
  })
  afterAll(() => void instance.child.kill('SIGKILL'))
  beforeEach(async () => {
    asker = await aDuckling()
    target = await aDuckling()
    agent = await anAgent(asker)
  })

  it('send changes of the other instance to streams and long polls', async () => {
    const { peck_id } = await aPeck(agent, target)
    const next = await follow(target.token)
    const poll = call(`GET /beak/peck/status?peck_id=${peck_id}&wait=30`, { key: agent.beakKey })
    await expect.poll(() => watchers(peck_id)).toBe(1)
    await there('/beak/peck/approve', target.token, { peck_id })
    expect(await next()).toContain('"status":"approved"')
    expect((await poll).body.status).toBe('approved')
  })

  it('end a stream when the other instance ends its session', async () => {
    const other = await anotherSession(target)
    const next = await follow(target.token)
    await there('/beak/session/revoke', other, { all_others: true })
    expect(await next()).toBeNull()
  })

  it('end a stream when the other instance closes the account', async () => {
    const next = await follow(target.token)
    await there('/beak/account/delete', target.token)
    expect(await next()).toBeNull()
  })

  it.each([
    ['rotates its key', '/beak/key/rotate', 401],
    ['suspends the agent', '/beak/agent/suspend', 403],
    ['deregisters the agent', '/beak/agent/deregister', 401],
  ])('end a long poll of an agent when the other instance %s', async (_what, path, status) => {
    const { peck_id } = await aPeck(agent, target)
    const poll = call(`GET /beak/peck/status?peck_id=${peck_id}&wait=30`, { key: agent.beakKey })
    await expect.poll(() => watchers(peck_id)).toBe(1)
    await there(path, asker.token, { agent_id: agent.agentId })
    expect((await poll).status).toBe(status)
  })

  it('send mails that the other instance, which has no worker, enqueued', async () => {
    const worker = await startWorker()
    onTestFinished(async () => {
      await worker.stop()
      forget('worker')
    })
    await fetch(`http://127.0.0.1:${instance.port}/beak/signin/otp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: target.email }),
    })
    await expect
      .poll(async () => (await sentTo(target.email)).map(({ kind }) => kind), { timeout: 10_000 })
      .toContain('signin_code')
  })

  it('lose no change while the connection that listens is lost', async () => {
    const { peck_id } = await aPeck(asker, target)
    const next = await follow(target.token)
    await db().run`
      SELECT pg_terminate_backend("pid") FROM pg_stat_activity
      WHERE "datname" = current_database() AND ("query" = 'LISTEN beak' OR "query" LIKE 'SELECT pg_notify%')`
    await there('/beak/peck/reject', target.token, { peck_id, reason: 'No' })
    expect(await next()).toContain('"status":"rejected"')
    await untilConnected()
    await aPeck(asker, target, { action: 'read:nest' })
    expect(await next()).toContain('"action":"read:nest"')
  })

  it('wake everything when the other instance was killed, which may have lost its last signals', async () => {
    // An instance is missed only by those that have heard it on their present connection.
    const { peck_id } = await aPeck(asker, target)
    const next = await follow(target.token)
    await there('/beak/peck/reject', target.token, { peck_id, reason: 'No' })
    expect(await next()).toContain('"status":"rejected"')
    const watched = watch('unrelated')
    instance.child.kill('SIGKILL')
    expect(await watched.next(20_000, never)).toBe(true)
    watched.stop()
    instance = await startOther()
  })
})
