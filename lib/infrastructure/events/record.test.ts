import { describe, expect, it } from 'vitest'
import { database, db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { describeOnPostgres } from '@/lib/fixtures/source-files'
import { statementsOf, waitingConnections } from '@/lib/fixtures/statements'
import { aWebhook } from '@/lib/fixtures/webhooks'
import { readClock } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'
import { onEnqueued } from './outbox'
import { enqueueWebhooks, record } from './record'

/** An endpoint that nobody answers, and data of an event of its owner. */
async function anEndpoint() {
  const { owner, id } = await aWebhook('http://127.0.0.1:9/none')
  const revoked = {
    cert_id: newId('certificate', readClock()),
    duckling_id: owner.id,
    tier: 'T1' as const,
    revoked_at: readClock(),
  }
  const messages = () =>
    db().webhookMessage.findMany({ where: { ducklingId: owner.id, type: { startsWith: 'cert.' } } })
  return { context: await owner.context(), revoked, messages, owner, id }
}

describe('the data of a webhook', () => {
  it('has only what the schema of the kind has', async () => {
    const { context, revoked, messages } = await anEndpoint()
    const data = { ...revoked, reason: 'stolen', certificate: { credential: 'secret' } }
    await transaction(async (tx) => record(tx, context, 'cert.revoked', { data }))
    const [message] = await messages()
    expect(message?.data).toEqual({ ...revoked, revoked_at: revoked.revoked_at.toISOString() })
  })

  it('fails the command when a member is missing, which then records nothing', async () => {
    const { context, revoked, messages, owner } = await anEndpoint()
    const { tier: _, ...data } = revoked
    // @ts-expect-error: the tier is missing
    const failing = transaction(async (tx) => record(tx, context, 'cert.revoked', { data }))
    await expect(failing).rejects.toThrow('tier')
    expect(await messages()).toEqual([])
    expect(await db().auditEvent.count({ where: { ducklingId: owner.id, action: 'cert.revoked' } })).toBe(0)
  })

  it('reaches an endpoint among more messages than a statement can have values', async () => {
    const { revoked, messages, owner } = await anEndpoint()
    const now = readClock()
    const strangers = Array.from({ length: 66_000 }, (_, index) => `DUCK-${index}`)
    await transaction(async (tx) => {
      enqueueWebhooks(tx, now, 'cert.revoked', [...strangers, owner.id], revoked)
    })
    expect(await messages()).toMatchObject([{ data: { cert_id: revoked.cert_id } }])
  })

  it('wakes the worker after the commit when an endpoint wants it, and else not', async () => {
    const { context, revoked } = await anEndpoint()
    const [others, nobody] = [
      await aWebhook('http://127.0.0.1:9/other', { kinds: ['peck.sent'] }),
      await aDuckling(),
    ]
    let woken = 0
    const off = onEnqueued(['webhook'], () => void woken++)
    const wakes = async (ducklingId: string) => {
      woken = 0
      await transaction(async (tx) => enqueueWebhooks(tx, context.now, 'cert.revoked', [ducklingId], revoked))
      return woken
    }
    expect(await wakes(nobody.id)).toBe(0)
    expect(await wakes(others.owner.id)).toBe(0)
    expect(await wakes(context.caller.id)).toBe(1)
    off()
    const { id } = others.owner
    expect(await db().webhookMessage.count({ where: { ducklingId: id, type: 'cert.revoked' } })).toBe(0)
  })

  it('has the time of its own event, and the account is due at the earliest', async () => {
    const { revoked, messages, owner } = await anEndpoint()
    await db().webhookQueue.deleteMany({ where: { ducklingId: owner.id } })
    const [early, late] = [new Date('2036-01-01T00:00:00Z'), new Date('2036-01-01T00:00:05Z')]
    await transaction(async (tx) => {
      for (const now of [late, early]) enqueueWebhooks(tx, now, 'cert.revoked', [owner.id], revoked)
    })
    const times = (await messages()).map(({ createdAt }) => createdAt.getTime()).sort()
    expect(times).toEqual([early.getTime(), late.getTime()])
    expect(await db().webhookQueue.findUnique({ where: { ducklingId: owner.id } })).toMatchObject({
      dueAt: early,
    })
  })

  it('is not sent and not needed for a refusal', async () => {
    const { context, messages } = await anEndpoint()
    await transaction(async (tx) => record(tx, context, 'cert.revoked', { outcome: 'denied' }))
    expect(await messages()).toEqual([])
  })

  it('is checked by the compiler', () => {
    // Never called: these are calls that do not compile.
    const calls = async () => {
      const { context, revoked } = await anEndpoint()
      await transaction(async (tx) => {
        // @ts-expect-error: a kind that is sent needs its data
        record(tx, context, 'cert.revoked')
        // @ts-expect-error: a kind that is sent needs its data
        record(tx, context, 'peck.sent', { targets: [] })
        // @ts-expect-error: the data is that of another kind
        record(tx, context, 'peck.sent', { data: revoked })
        // @ts-expect-error: a time is a Date
        record(tx, context, 'cert.revoked', { data: { ...revoked, revoked_at: '2026-11-22' } })
        // @ts-expect-error: a member that the schema does not have
        record(tx, context, 'cert.revoked', { data: { ...revoked, reason: 'stolen' } })
        // @ts-expect-error: a kind that is not sent has no data
        record(tx, context, 'cert.superseded', { data: revoked })
        record(tx, context, 'cert.superseded')
      })
    }
    expect(calls).toBeTypeOf('function')
  })
})

describe('the events of one transaction', () => {
  it('are appended by one statement, in their order, to the logs of all concerned', async () => {
    const [owner, other] = [await aDuckling(), await aDuckling()]
    const context = await owner.context()
    const statements = await statementsOf(() =>
      transaction(async (tx) => {
        record(tx, context, 'passkey.challenged', { metadata: { number: 1 } })
        record(tx, context, 'passkey.challenged', {
          concerning: [other.id, owner.id],
          metadata: { number: 2 },
        })
        record(tx, context, 'passkey.challenged', { metadata: { number: 3 } })
      }),
    )
    expect(statements.filter((text) => text.includes('append_audit_event'))).toHaveLength(1)
    const events = await db().auditEvent.findMany({
      where: { ducklingId: owner.id },
      orderBy: { seq: 'desc' },
    })
    expect(events.slice(0, 3).map(({ metadata }) => metadata)).toEqual(
      [3, 2, 1].map((number) => ({ number })),
    )
    for (const [index, event] of events.slice(0, 3).entries())
      expect(event.prevHash).toBe(events[index + 1]?.hash)
    const head = await db().auditChain.findUnique({ where: { ducklingId: owner.id } })
    expect(head).toMatchObject({ seq: events[0]?.seq, hash: events[0]?.hash, prevHash: events[0]?.prevHash })
    expect(
      await db().auditEvent.count({ where: { ducklingId: other.id, action: 'passkey.challenged' } }),
    ).toBe(1)
  })

  it('are appended by several statements when they are many, in one chain, and webhooks go with the last', async () => {
    const { context, revoked, messages, owner } = await anEndpoint()
    const count = 1_001
    const statements = await statementsOf(() =>
      transaction(async (tx) => {
        for (let number = 1; number <= count; number++)
          record(tx, context, 'passkey.challenged', { metadata: { number } })
        enqueueWebhooks(tx, context.now, 'cert.revoked', [owner.id], revoked)
      }),
    )
    const appending = statements.filter((text) => text.includes('append_audit_event'))
    expect(appending.map((text) => text.includes('enqueue_webhooks'))).toEqual([false, true])
    expect(await messages()).toHaveLength(1)
    const events = await db().auditEvent.findMany({
      where: { ducklingId: owner.id, action: 'passkey.challenged' },
      orderBy: { seq: 'asc' },
    })
    expect(events.map(({ metadata }) => metadata)).toEqual(
      Array.from({ length: count }, (_, index) => ({ number: index + 1 })),
    )
    for (const [index, event] of events.slice(1).entries()) expect(event.prevHash).toBe(events[index]?.hash)
  })

  it('are all rolled back when the log of the caller is closed, and the failure is the one of the caller', async () => {
    const [owner, other] = [await aDuckling(), await aDuckling()]
    const context = await owner.context()
    await db().auditChain.update({ where: { ducklingId: owner.id }, data: { closed: true } })
    const failing = transaction(async (tx) => {
      record(tx, context, 'passkey.challenged', { concerning: [other.id] })
      record(tx, context, 'passkey.challenged')
    })
    await expect(failing).rejects.toMatchObject({ name: 'Failure', failure: 'session_invalid' })
    expect(
      await db().auditEvent.count({ where: { ducklingId: other.id, action: 'passkey.challenged' } }),
    ).toBe(0)
  })

  it('fail as the caller does, even when a webhook was enqueued first', async () => {
    const { revoked, owner } = await anEndpoint()
    const agent = await anAgent(owner)
    const context = await agent.context()
    await db().auditChain.update({ where: { ducklingId: owner.id }, data: { closed: true } })
    const failing = transaction(async (tx) => {
      enqueueWebhooks(tx, context.now, 'cert.revoked', [owner.id], revoked)
      record(tx, context, 'passkey.challenged')
    })
    await expect(failing).rejects.toMatchObject({ name: 'Failure', failure: 'beak_key_invalid' })
  })
})

describeOnPostgres('an event that waited for the log of its account', () => {
  it('goes to the endpoints that the account has afterwards', async () => {
    const { context, revoked, owner, id } = await anEndpoint()
    const created = newId('webhook', readClock())
    const event = await database().prisma.$transaction(async (tx) => {
      await tx.$executeRaw`UPDATE "AuditChain" SET "seq" = "seq" WHERE "ducklingId" = ${owner.id}`
      const waiting = transaction(async (inner) => record(inner, context, 'cert.revoked', { data: revoked }))
      await expect.poll(waitingConnections).toBe(1)
      const endpoint = await tx.webhookEndpoint.delete({ where: { id } })
      await tx.webhookEndpoint.create({ data: { ...endpoint, id: created } })
      // A promise in an object, so that the transaction does not wait for it.
      return { waiting }
    })
    await event.waiting
    const deliveries = await db().webhookDelivery.findMany({
      where: { message: { ducklingId: owner.id, type: 'cert.revoked' } },
    })
    expect(deliveries).toMatchObject([{ endpointId: created }])
  })
})
