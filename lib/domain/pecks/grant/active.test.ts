/** Which permissions are active: every statement and every command that asks it must find the same ones. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { db, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { previewClosing } from '@/lib/domain/accounts/close'
import { endOld } from '@/lib/domain/backup/end-old'
import { endGap } from '@/lib/domain/backup/watch-age'
import { listPecks } from '@/lib/domain/pecks/lists/history'
import { revokeUnused } from '@/lib/domain/pecks/rules/unused'
import { grantStatusOf } from '@/lib/domain/pecks/state'
import { countDependents, retireAgents } from '@/lib/domain/revocation/deregister'
import { allPecksOf, endPecks, isUnfinishedPeckOf } from '@/lib/domain/revocation/take-requests'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck } from '@/lib/factories/pecks'
import { type GrantStatus, grantStatus } from '@/lib/infrastructure/events/kinds/peck-data'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { activeGrantParts, isActiveGrant, isExpiredGrant } from './active'
import { revokeAll } from './revoke'

/** What decides whether a permission is active, and the ends in milliseconds after the time of the question. */
interface State {
  status: (typeof statuses)[number]
  isRevoked: boolean
  grantEndHandled: boolean
  uses: [used: number, max: number | null]
  end: number | null
}

const statuses = ['approved', 'pending', 'rejected', 'expired', 'cancelled'] as const
const bools = [false, true]
const usesOfMax: State['uses'][] = [
  [0, null],
  [7, null],
  [0, 1],
  [1, 1],
  [1, 2],
  [2, 1],
]
const ends = [null, -3_600_000, -1, 0, 1, 3_600_000]

/** Every state, also those that only a clock that is behind can see. */
const states: State[] = statuses.flatMap((status) =>
  bools.flatMap((isRevoked) =>
    bools.flatMap((grantEndHandled) =>
      usesOfMax.flatMap((uses) => ends.map((end) => ({ status, isRevoked, grantEndHandled, uses, end }))),
    ),
  ),
)

const askers: string[] = []
// A service cannot have some of these states, and tests of the stored data would report them.
afterAll(() => db().peck.deleteMany({ where: { askerId: { in: askers } } }))

/** Gives an agent a permission in each state at a time. */
async function aWorld(now: Date) {
  const [operator, target] = [await aDuckling(), await aDuckling()]
  const agent = await anAgent(operator)
  askers.push(agent.agentId)
  const { peck_id } = await anApprovedPeck(agent, target, { scope: 'timed' })
  const rows = states.map(({ status, isRevoked, grantEndHandled, uses: [uses, maxUses], end }, index) => ({
    id: `${peck_id}${String(index).padStart(3, '0')}`,
    status,
    grantRevokedAt: isRevoked ? now : null,
    grantEndHandled,
    uses,
    maxUses,
    grantExpiresAt: end === null ? null : new Date(now.getTime() + end),
  }))
  await db().run`
    INSERT INTO "Peck" SELECT copy.* FROM "Peck" p, jsonb_array_elements(${JSON.stringify(rows)}::jsonb) state,
      LATERAL jsonb_populate_record(p, state) copy WHERE p."id" = ${peck_id}`
  await db().peck.delete({ where: { id: peck_id } })
  const inState = (status: GrantStatus) =>
    rows.filter((row) => grantStatusOf(row, now) === status).map(({ id }) => id)
  return { operator, target, agent, now, rows, active: inState('active'), inState }
}

type World = Awaited<ReturnType<typeof aWorld>>

const sorted = (ids: string[]) => [...ids].sort()

/** Returns the permissions of the world that match. One that matches twice is there twice. */
async function matching({ rows }: World, ...conditions: Sql[]): Promise<string[]> {
  const ids = rows.map(({ id }) => id)
  const parts = conditions.map(
    (condition) => db().rows<{ id: string }>`
    SELECT "id" FROM "Peck" WHERE "id" = ANY(${ids}::text[]) AND ${condition}`,
  )
  return sorted((await Promise.all(parts)).flat().map(({ id }) => id))
}

/** Returns the permissions that were not revoked and that `work` revokes. All changes are undone. */
async function revokedBy({ rows }: World, work: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  const ids = rows.filter(({ grantRevokedAt }) => grantRevokedAt === null).map(({ id }) => id)
  const undo = new Error('undone')
  let revoked: { id: string }[] = []
  const run = transaction(async (tx) => {
    await work(tx)
    revoked = await tx.rows`
      SELECT "id" FROM "Peck" WHERE "id" = ANY(${ids}::text[]) AND "grantRevokedAt" IS NOT NULL`
    throw undo
  })
  await expect(run).rejects.toBe(undo)
  return sorted(revoked.map(({ id }) => id))
}

let world: World
beforeAll(async () => {
  // A command that has waited for a lock takes the later one of this time and the clock.
  world = await aWorld(secondsAfter(readClock(), 600))
})

describe('active permissions', () => {
  it('are some of the states that this test makes', () => {
    const counts = grantStatus.options.map((status) => [status, world.inState(status).length])
    expect(Object.fromEntries(counts)).toEqual({ active: 12, consumed: 24, expired: 36, revoked: 72 })
    expect(states).toHaveLength(720)
  })

  it('are found by every condition', async () => {
    const { now, active, operator, target } = world
    expect(await matching(world, isActiveGrant(now))).toEqual(active)
    expect(await matching(world, isActiveGrant(now, 'sent'))).toEqual(active)
    expect(await matching(world, ...activeGrantParts(now))).toEqual(active)
    const expired = world.inState('expired')
    expect(await matching(world, isExpiredGrant(now))).toEqual(expired)
    for (const { id } of [operator, target])
      expect(await matching(world, sql`${isUnfinishedPeckOf(id, now)} AND "status" <> 'pending'`)).toEqual(
        active,
      )
  })

  it('are listed, as are those of every other state', async () => {
    for (const side of ['target', 'operator'] as const)
      for (const status of grantStatus.options) {
        const context = { ...(await world[side].context()), now: world.now }
        const { items } = await listPecks(context, { after: null, limit: 1000 }, { grant_status: status })
        const ids = world.inState(status)
        expect([status, sorted(items.map(({ peck_id }) => peck_id))]).toEqual([status, ids])
      }
  })

  it('are counted before their agent or an account ends', async () => {
    const { operator, target, agent, now, active } = world
    const asOperator = { ...(await operator.context()), now }
    expect((await countDependents(asOperator, agent.agentId)).active_grants).toBe(active.length)
    for (const side of [operator, target])
      expect((await previewClosing({ ...(await side.context()), now })).grants_revoked).toBe(active.length)
  })

  it('end with their agent, with an account, and with the restore of a backup', async () => {
    const { operator, target, agent, now, active } = world
    const context = { ...(await operator.context()), now }
    const retire = (tx: Tx) => retireAgents(tx, context, operator.id, { id: agent.agentId })
    expect(await revokedBy(world, retire)).toEqual(active)
    for (const side of [operator, target])
      expect(await revokedBy(world, (tx) => endPecks(tx, context, allPecksOf(side.id)))).toEqual(active)
    expect(await revokedBy(world, (tx) => endOld(tx, now.toISOString(), now))).toEqual(active)
  })

  it('end with the rule that gave them', async () => {
    const { target, agent, now, active } = world
    const ruleId = `RULE-${agent.agentId}`
    const context = { ...(await target.context()), now }
    const endRule = async (tx: Tx) => {
      await tx.run`
        INSERT INTO "RuleUse" ("peckId", "ruleId", "ducklingId", "agentId", "statementId", "state", "cost", "before", "after", "limits", "createdAt", "settleAt")
        SELECT "id", ${ruleId}, ${target.id}, ${agent.agentId}, ${ruleId}, 'reserved', 0, '{}', '{}', '{}', ${now}::timestamptz, ${now}::timestamptz
        FROM "Peck" WHERE "askerId" = ${agent.agentId}`
      await revokeUnused(tx, context, { ruleId, cause: 'rule_ended' })
    }
    expect(await revokedBy(world, endRule)).toEqual(active)
  })

  it('end when their asker loses all of them', async () => {
    const { target, agent, now, active } = await aWorld(readClock())
    const { items } = await revokeAll({ ...(await target.context()), now }, agent.agentId)
    expect(sorted(items.map(({ peck_id }) => peck_id))).toEqual(active)
  })

  it('end when the events after them are lost', async () => {
    const another = await aWorld(readClock())
    const ids = another.rows.map(({ id }) => id)
    const longAgo = new Date(0)
    await db().peck.updateMany({ where: { id: { in: ids } }, data: { decidedAt: longAgo } })
    expect(await endGap(longAgo, another.now)).toBe(another.active.length)
    expect(await matching(another, isActiveGrant(another.now))).toEqual([])
  })
})
