import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { database, db } from '@/lib/db/client'
import { flush, transaction } from '@/lib/db/transaction'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { describeOnPostgres } from '@/lib/fixtures/source-files'
import { waitingConnections } from '@/lib/fixtures/statements'
import {
  type AWebhook,
  aBacklog,
  anElevation,
  aWebhook,
  deleteWaitingWebhooks,
} from '@/lib/fixtures/webhooks'
import { type ClaimedRow, claimSeconds } from '@/lib/infrastructure/worker/claim'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'
import { claimWebhooks } from './claim'
import { deleteWebhook } from './delete'
import { enqueueDelivery } from './queue'
import { addTimeout } from './record-attempt'
import { updateWebhook } from './update'

const closedUrl = 'http://127.0.0.1:9/'
/** More slots than any test needs. */
const manySlots = 400

beforeEach(deleteWaitingWebhooks)

/** Creates an account with that many endpoints. Its waiting rows are deleted after the test. */
async function anAccount(
  endpoints: number,
  options: { isYoung?: true } = {},
): Promise<{ owner: ADuckling; webhooks: AWebhook[] }> {
  const owner = await aDuckling({ tier: 'T0' })
  const webhooks: AWebhook[] = []
  for (let index = 0; index < endpoints; index++)
    webhooks.push(await aWebhook(closedUrl, { owner, ...options }))
  onTestFinished(async () => void (await db().outbox.deleteMany({ where: { ducklingId: owner.id } })))
  return { owner, webhooks }
}

/** Returns account and endpoint of each row. */
async function readRows(claimed: ClaimedRow[]) {
  const ids = claimed.map(({ id }) => id)
  return db().outbox.findMany({
    where: { id: { in: ids } },
    select: { id: true, ducklingId: true, endpointId: true },
  })
}

const claimsOf = async (owner: ADuckling, claimed: ClaimedRow[]) =>
  (await readRows(claimed)).filter(({ ducklingId }) => ducklingId === owner.id)
const queueOf = ({ id }: ADuckling) => db().webhookQueue.findUnique({ where: { ducklingId: id } })
const finishAll = (claimed: ClaimedRow[], now: Date) =>
  Promise.all(claimed.map((row) => row.finish?.('done', now)))
const happenTo = async (owner: ADuckling) => {
  const context = await owner.context()
  await transaction(async (tx) => anElevation(tx, context))
}

describe('the limits of a claim', () => {
  it('claim at most 2 rows of an endpoint and 6 of an account, one for each endpoint first', async () => {
    const now = readClock()
    const [wide, narrow] = [await anAccount(8), await anAccount(1)]
    for (const webhook of [...wide.webhooks, ...narrow.webhooks]) await aBacklog(webhook, 5, now)
    const claimed = await claimWebhooks(manySlots, manySlots, now)
    const ofWide = await claimsOf(wide.owner, claimed)
    expect([ofWide.length, new Set(ofWide.map(({ endpointId }) => endpointId)).size]).toEqual([6, 6])
    expect(await claimsOf(narrow.owner, claimed)).toHaveLength(2)
    expect(await claimWebhooks(manySlots, manySlots, secondsAfter(now, 1))).toEqual([])
  })

  // security: receiver-2
  it('hold, and no row is claimed twice, when 20 workers claim at the same time', async () => {
    const now = readClock()
    const accounts = [await anAccount(4), await anAccount(4), await anAccount(1)]
    for (const { webhooks } of accounts) for (const webhook of webhooks) await aBacklog(webhook, 10, now)
    const claims = await Promise.all(Array.from({ length: 20 }, () => claimWebhooks(64, 64, now)))
    // Accounts that another worker had locked at that moment are served by the next claim.
    claims.push(await claimWebhooks(64, 64, now))
    const rows = await readRows(claims.flat())
    expect(rows).toHaveLength(claims.flat().length)
    for (const { owner, webhooks } of accounts) {
      const own = rows.filter(({ ducklingId }) => ducklingId === owner.id)
      expect(own).toHaveLength(webhooks.length === 1 ? 2 : 6)
      for (const { id } of webhooks)
        expect(own.filter(({ endpointId }) => endpointId === id).length).toBeLessThanOrEqual(2)
    }
  })

  it('include deliveries in flight after an endpoint was disabled and enabled again, or deleted', async () => {
    const { owner, webhooks } = await anAccount(3)
    const context = await owner.context()
    for (const webhook of webhooks) await aBacklog(webhook, 9, context.now)
    expect(await claimsOf(owner, await claimWebhooks(manySlots, manySlots, context.now))).toHaveLength(6)
    const [first, second] = webhooks as [AWebhook, AWebhook]
    await updateWebhook(context, first.id, { enabled: false })
    await updateWebhook(context, first.id, { enabled: true })
    await deleteWebhook(context, second.id)
    expect(await db().outbox.count({ where: { ducklingId: owner.id } })).toBe(2 + 2 + 9)
    await aBacklog(first, 9, context.now)
    expect(await claimWebhooks(manySlots, manySlots, readClock())).toEqual([])
  })

  it('reserve half of the slots for accounts with nothing in flight', async () => {
    const now = readClock()
    const [greedy, modest] = [await anAccount(5), await anAccount(1)]
    for (const webhook of greedy.webhooks) await aBacklog(webhook, 2, now)
    expect(await claimsOf(greedy.owner, await claimWebhooks(4, 4, now))).toHaveLength(2)
    expect(await claimWebhooks(2, 4, now)).toEqual([])
    for (const webhook of modest.webhooks) await aBacklog(webhook, 2, now)
    expect(await claimsOf(modest.owner, await claimWebhooks(2, 4, now))).toHaveLength(1)
  })
})

describe('the places of slow and young accounts', () => {
  /** Accounts with due deliveries at two endpoints each. */
  async function accountsWithBacklog(count: number, options: { isYoung?: true }, now: Date) {
    const accounts = []
    for (let index = 0; index < count; index++) {
      const account = await anAccount(2, options)
      for (const webhook of account.webhooks) await aBacklog(webhook, 3, now)
      accounts.push(account.owner)
    }
    return accounts
  }

  /** Records a timeout of each account that ended at `now`. */
  async function timeOut(owners: ADuckling[], now: Date): Promise<void> {
    for (const { id } of owners)
      await transaction(async (tx) => addTimeout(tx, id, { startedAt: secondsAfter(now, -15), endedAt: now }))
  }

  it('are one for a young and for a slow account, and six for any other', async () => {
    const now = readClock()
    const [[young], [slow]] = [
      await accountsWithBacklog(1, { isYoung: true }, now),
      await accountsWithBacklog(1, {}, now),
    ] as [ADuckling[], ADuckling[]] as [[ADuckling], [ADuckling]]
    const known = await anAccount(4)
    for (const webhook of known.webhooks) await aBacklog(webhook, 3, now)
    await timeOut([slow], now)
    const claimed = await claimWebhooks(manySlots, manySlots, now)
    const counts = await Promise.all(
      [young, slow, known.owner].map(async (owner) => (await claimsOf(owner, claimed)).length),
    )
    expect(counts).toEqual([1, 1, 6])
    expect(await claimWebhooks(manySlots, manySlots, now)).toEqual([])
    await finishAll(claimed, now)
  })

  // security: receiver-2
  it('are half and an eighth of the places of a worker, so that hanging accounts leave the others', async () => {
    // The claims that other tests left have ended by then.
    const now = secondsAfter(readClock(), claimSeconds + 1)
    await accountsWithBacklog(10, { isYoung: true }, now)
    await timeOut(await accountsWithBacklog(5, { isYoung: true }, now), now)
    await timeOut(await accountsWithBacklog(5, {}, now), now)
    const hanging = await claimWebhooks(24, 16, now)
    expect(hanging).toHaveLength(8 + 2 + 2)
    const honest = await anAccount(1)
    for (const webhook of honest.webhooks) await aBacklog(webhook, 1, now)
    expect(await claimsOf(honest.owner, await claimWebhooks(10, 16, now))).toHaveLength(1)
    expect(await claimWebhooks(9, 16, now)).toEqual([])
    await finishAll(hanging, now)
    expect(await claimWebhooks(24, 16, secondsAfter(now, 1))).toHaveLength(8 + 2 + 2)
  })

  // security: receiver-2
  it('of an account that has answered before are not those of accounts that never did', async () => {
    const now = secondsAfter(readClock(), 4 * claimSeconds)
    await timeOut(await accountsWithBacklog(12, { isYoung: true }, now), now)
    expect(await claimWebhooks(16, 16, now)).toHaveLength(2)
    const honest = await anAccount(1)
    for (const webhook of honest.webhooks) await aBacklog(webhook, 1, now)
    await timeOut([honest.owner], now)
    expect(await claimsOf(honest.owner, await claimWebhooks(14, 16, now))).toHaveLength(1)
  })

  it('end when the account is no longer slow, after a time that doubles', async () => {
    const [owner] = (await accountsWithBacklog(1, {}, readClock())) as [ADuckling]
    const start = readClock()
    const slowUntil = async () => {
      const row = await db().webhookStanding.findUniqueOrThrow({ where: { ducklingId: owner.id } })
      return ((row.slowUntil?.getTime() ?? 0) - start.getTime()) / 1000
    }
    await Promise.all(Array.from({ length: 6 }, () => timeOut([owner], start)))
    expect(await slowUntil()).toBe(60)
    await timeOut([owner], secondsAfter(start, 75))
    expect(await slowUntil()).toBe(75 + 120)
    await timeOut([owner], secondsAfter(start, 300))
    expect(await slowUntil()).toBe(300 + 240)
    const day = 86_400
    await timeOut([owner], secondsAfter(start, 2 * day))
    expect(await slowUntil()).toBe(2 * day + 60)
  })
})

describe('a claim', () => {
  it('takes from the accounts in turn, however long the queue of one account is', async () => {
    const start = readClock()
    const accounts = [await anAccount(3), await anAccount(1), await anAccount(1)]
    const [long, ...short] = accounts as [(typeof accounts)[number], ...typeof accounts]
    for (const webhook of long.webhooks) await aBacklog(webhook, 1000, secondsAfter(start, -3600))
    for (const { webhooks } of short) for (const webhook of webhooks) await aBacklog(webhook, 3, start)
    const order: (string | null)[] = []
    for (let turn = 0; turn < 9; turn++) {
      const now = secondsAfter(start, turn + 1)
      const claimed = await claimWebhooks(1, 1, now)
      order.push(...(await readRows(claimed)).map(({ ducklingId }) => ducklingId))
      await finishAll(claimed, now)
    }
    expect(order).toHaveLength(9)
    for (const round of [0, 3, 6])
      expect(order.slice(round, round + 3).sort()).toEqual(accounts.map(({ owner }) => owner.id).sort())
  })

  it('serves more accounts than fit into one transaction', async () => {
    const now = readClock()
    const owners: ADuckling[] = []
    for (let index = 0; index < 18; index++) {
      const { owner, webhooks } = await anAccount(1)
      owners.push(owner)
      for (const webhook of webhooks) await aBacklog(webhook, 1, now)
    }
    expect(await claimWebhooks(64, 64, now)).toHaveLength(owners.length)
  })
})

describe('the queue of accounts', () => {
  it('wakes an account as soon as a slot is free that one of its rows waits for', async () => {
    const { owner, webhooks } = await anAccount(1)
    const now = readClock()
    for (const webhook of webhooks) await aBacklog(webhook, 3, now)
    const claimed = await claimWebhooks(manySlots, manySlots, now)
    expect(Number((await queueOf(owner))?.dueAt)).toBeGreaterThan(Number(secondsAfter(now, claimSeconds - 1)))
    const [first] = claimed as [ClaimedRow]
    const later = secondsAfter(now, 3)
    await first.finish?.({ error: 'it failed', dueAt: secondsAfter(later, 5), lateAt: later }, later)
    expect((await queueOf(owner))?.dueAt).toEqual(later)
    const next = await claimWebhooks(manySlots, manySlots, later)
    expect(await claimsOf(owner, next)).toHaveLength(1)
    // Only the postponed row is left, which is due later.
    await finishAll([...claimed.slice(1), ...next], later)
    expect(await claimWebhooks(manySlots, manySlots, later)).toEqual([])
    expect((await queueOf(owner))?.dueAt).toEqual(secondsAfter(later, 5))
    expect(
      await claimsOf(owner, await claimWebhooks(manySlots, manySlots, secondsAfter(later, 5))),
    ).toHaveLength(1)
  })

  it('removes an account after its last delivery has ended', async () => {
    const { owner, webhooks } = await anAccount(1)
    const now = readClock()
    for (const webhook of webhooks) await aBacklog(webhook, 1, now)
    await finishAll(await claimWebhooks(manySlots, manySlots, now), now)
    expect((await queueOf(owner))?.dueAt).toEqual(secondsAfter(now, claimSeconds))
    expect(await claimWebhooks(manySlots, manySlots, secondsAfter(now, claimSeconds))).toEqual([])
    expect(await queueOf(owner)).toBeNull()
  })

  it('releases the rows of a worker that died when their lease ends', async () => {
    const { owner, webhooks } = await anAccount(1)
    const now = readClock()
    for (const webhook of webhooks) await aBacklog(webhook, 1, now)
    const [lost] = await claimWebhooks(manySlots, manySlots, now)
    expect(await claimWebhooks(manySlots, manySlots, secondsAfter(now, claimSeconds - 1))).toEqual([])
    const at = secondsAfter(now, claimSeconds)
    const [again] = await claimWebhooks(manySlots, manySlots, at)
    expect(again).toMatchObject({ id: lost?.id, attempts: 2 })
    // When the first worker was only slow, it does not change the newer claim.
    await lost?.finish?.({ error: 'it failed', dueAt: at, lateAt: at }, at)
    expect(await db().outbox.findUnique({ where: { id: lost?.id ?? 0n } })).toMatchObject({
      claimedUntil: secondsAfter(at, claimSeconds),
    })
    expect(await claimWebhooks(manySlots, manySlots, secondsAfter(at, 1))).toEqual([])
    await again?.finish?.('done', at)
    expect(await db().outbox.count({ where: { ducklingId: owner.id } })).toBe(0)
  })

  it('stops claiming a row that failed for good, and deletes the rows of a deleted endpoint', async () => {
    const { owner, webhooks } = await anAccount(2)
    const now = readClock()
    const [one, other] = webhooks as [AWebhook, AWebhook]
    await aBacklog(one, 1, now)
    const [row] = await claimWebhooks(manySlots, manySlots, now)
    await row?.finish?.({ error: 'it cannot be sent', dueAt: null, lateAt: now }, now)
    expect(await db().outbox.findUnique({ where: { id: row?.id ?? 0n } })).toMatchObject({
      failedAt: now,
      lastError: 'it cannot be sent',
      endpointId: null,
    })
    await aBacklog(other, 30, now)
    await db().webhookEndpoint.delete({ where: { id: other.id } })
    await drainOutbox()
    expect(await db().outbox.count({ where: { ducklingId: owner.id } })).toBe(0)
  })

  it('ends the delivery of a row that failed for good before its result was recorded', async () => {
    const { owner } = await anAccount(1)
    await happenTo(owner)
    const now = readClock()
    const claimed = await claimWebhooks(manySlots, manySlots, now)
    for (const row of claimed)
      await row.finish?.({ error: 'the database was away', dueAt: null, lateAt: now }, now)
    expect(
      await db().webhookDelivery.findMany({ where: { endpoint: { ducklingId: owner.id } } }),
    ).toMatchObject([{ status: 'failed', nextAttemptAt: null }])
  })

  it('loses no delivery when events, claims and finished deliveries race', async () => {
    const { owner, webhooks } = await anAccount(2)
    const claimAndFinish = async () => finishAll(await claimWebhooks(64, 64, readClock()), readClock())
    for (let round = 0; round < 5; round++) {
      const events = Array.from({ length: 10 }, () => happenTo(owner))
      await Promise.all([...events, ...Array.from({ length: 10 }, claimAndFinish)])
      for (let turn = 0; turn < 10; turn++) await claimAndFinish()
      expect(await db().outbox.count({ where: { ducklingId: owner.id } })).toBe(0)
    }
    expect(
      await db().webhookDelivery.count({ where: { endpointId: { in: webhooks.map(({ id }) => id) } } }),
    ).toBe(100)
  })
})

function aLatch() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describeOnPostgres('an event at the same moment as a claim', () => {
  it('is delivered when the event locked the account first', async () => {
    const { owner } = await anAccount(1)
    const context = await owner.context()
    await db().webhookQueue.create({ data: { ducklingId: owner.id, dueAt: context.now } })
    const [recorded, looked] = [aLatch(), aLatch()]
    const event = transaction(async (tx) => {
      anElevation(tx, context)
      await flush(tx)
      recorded.open()
      await looked.opened
    })
    await recorded.opened
    expect(await claimWebhooks(manySlots, manySlots, readClock())).toEqual([])
    looked.open()
    await event
    expect(await claimsOf(owner, await claimWebhooks(manySlots, manySlots, readClock()))).toHaveLength(1)
  })

  it('is delivered when the claim locked the account first and found nothing', async () => {
    const { owner, webhooks } = await anAccount(1)
    const [{ id: endpointId }] = webhooks as [AWebhook]
    const { now } = await owner.context()
    await db().webhookQueue.create({ data: { ducklingId: owner.id, dueAt: now } })
    const { claim, event } = await database().prisma.$transaction(async (tx) => {
      // The claim stops here: it has locked the account and has not read the rows yet.
      await tx.$executeRaw`LOCK TABLE "WebhookEndpoint" IN ACCESS EXCLUSIVE MODE`
      const claim = claimWebhooks(manySlots, manySlots, now)
      await expect.poll(waitingConnections).toBe(1)
      const delivery = { ducklingId: owner.id, endpointId, deliveryId: 'DLV-0', round: 0 }
      const event = transaction((inner) => enqueueDelivery(inner, now, delivery))
      await expect.poll(waitingConnections).toBe(2)
      return { claim, event }
    })
    expect(await claim).toEqual([])
    await event
    expect(await claimsOf(owner, await claimWebhooks(manySlots, manySlots, now))).toHaveLength(1)
  })
})
