import { findChainFaults } from '@beak/proofs/audit/chain'
import { isIntact } from '@beak/proofs/audit/hash'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { drainOutbox } from '@/lib/worker/start'
import { presentEvent } from './schema'

/** Makes a duckling with an event that has an IP address and a user agent. */
async function withContext(): Promise<ADuckling> {
  const duckling = await aDuckling()
  await call('POST /beak/cert/issue', {
    token: duckling.token,
    from: '192.0.2.7',
    headers: { 'User-Agent': 'Tester 1.0' },
  })
  return duckling
}

/** Returns the audit log in its JSON form. */
async function logOf({ id }: ADuckling) {
  const rows = await db().auditEvent.findMany({ where: { ducklingId: id }, orderBy: { seq: 'asc' } })
  const wire = rows.map((row) => ({ ...presentEvent(row), occurred_at: row.occurredAt.toISOString() }))
  return JSON.parse(JSON.stringify(wire)) as {
    seq: number
    event_id: string
    prev_hash: string
    hash: string
    context: Record<string, string | null>
  }[]
}

describe('closing an account', () => {
  // security: backup-20
  it('erases IP addresses, user agents and salts from its log, and the chain stays valid', async () => {
    const duckling = await withContext()
    expect((await logOf(duckling)).some(({ context }) => context.ip === '192.0.2.7')).toBe(true)
    expect((await call('POST /beak/account/delete', { token: duckling.token })).status).toBe(200)
    await drainOutbox()
    const log = await logOf(duckling)
    for (const { context } of log)
      expect([context.ip, context.user_agent, context.salt ?? null]).toEqual([null, null, null])
    expect(await findChainFaults(log, duckling.id, true)).toEqual([])
  })
})

describe('an event', () => {
  it('is reported as changed when its address does not match the digest, or when it is partly erased', async () => {
    const duckling = await withContext()
    const event = (await logOf(duckling)).find(({ context }) => context.ip === '192.0.2.7')
    if (!event) throw new Error('no event with an address')
    const withContextOf = (change: object) => ({ ...event, context: { ...event.context, ...change } })
    expect(await isIntact(event)).toBe(true)
    for (const change of [
      { ip: '192.0.2.8' },
      { user_agent: null },
      { salt: null },
      { ip: null, user_agent: null },
    ])
      expect(await isIntact(withContextOf(change)), JSON.stringify(change)).toBe(false)
    expect(await isIntact(withContextOf({ ip: null, user_agent: null, salt: null }))).toBe(true)
  })
})

describe('the trigger', () => {
  const erase = (id: string) =>
    db()
      .run`UPDATE "AuditEvent" SET "salt" = NULL, "ip" = NULL, "userAgent" = NULL WHERE "ducklingId" = ${id} AND "salt" IS NOT NULL`

  it('rejects erasure from the log of an open account', async () => {
    const { id } = await withContext()
    await expect(erase(id)).rejects.toThrow('append-only')
  })

  // security: database-2
  it('rejects every other change for a closed account, alone or together with the erasure', async () => {
    const { id, token } = await withContext()
    await call('POST /beak/account/delete', { token })
    const changes = [
      db().run`DELETE FROM "AuditEvent" WHERE "ducklingId" = ${id}`,
      db().run`UPDATE "AuditEvent" SET "ip" = '192.0.2.9' WHERE "ducklingId" = ${id}`,
      db()
        .run`UPDATE "AuditEvent" SET "salt" = NULL, "ip" = NULL, "userAgent" = NULL, "action" = 'x' WHERE "ducklingId" = ${id}`,
      db()
        .run`UPDATE "AuditEvent" SET "salt" = NULL, "ip" = NULL, "userAgent" = NULL, "contextDigest" = 'x' WHERE "ducklingId" = ${id} AND "salt" IS NOT NULL`,
    ]
    for (const change of await Promise.allSettled(changes)) expect(change.status).toBe('rejected')
    expect(await erase(id)).toBeGreaterThan(0)
  })
})
