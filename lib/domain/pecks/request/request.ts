/**
 * Asking for permission (contract B). The limits against fatigue (asking until somebody gives in) count the operator
 * together with all its agents (contract F, Askers). They are checked under a lock of operator and target, so simultaneous
 * requests cannot exceed them together.
 */

import { Prisma, type Tx } from '@/lib/db/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { lockBondedAgent } from '@/lib/domain/agents/read'
import { expirePeck } from '@/lib/domain/pecks/decide/expire'
import { recordPeck } from '@/lib/domain/pecks/record'
import { findPeck, type Operator, type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import { type PeckInput, presentPeck } from '@/lib/domain/pecks/schema'
import { statusOf } from '@/lib/domain/pecks/state'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import { secondsAfter, secondsUntil } from '@/lib/kernel/clock'
import { type OperatorContext, reaches } from '@/lib/kernel/context'
import { fail } from '@/lib/kernel/failures'
import { newId } from '@/lib/kernel/ids'
import { type Ask, askOf, type PeckDemand } from './ask'
import { mailPauseSeconds, readSituation, rejectionPauseSeconds, type Situation } from './situation'
import { summarize } from './summary'

const pendingMax = 10

/**
 * Asks the target for permission. The same question, while it is pending, is not asked twice: the answer is the peck there
 * is, `repeated`. Throws `peck_to_self`, `duckling_missing`, `tier_too_low`, `target_tier_too_low`, `agent_not_bonded`,
 * `peck_recently_rejected` or `peck_too_many_pending`. Whether the target has blocked the asker, no answer tells.
 */
export function requestPeck(
  context: OperatorContext<'agent_not_bonded'>,
  demand: PeckDemand,
): Promise<PeckInput> {
  const { caller, now } = context
  if (caller.type === 'duckling' && caller.id === demand.targetDucklingId)
    throw fail('peck_to_self', {
      errors: [{ field: 'target_duckling_id', message: 'must not be your own' }],
    })
  const ask = askOf(caller, demand)
  return transaction(async (tx) => {
    if (caller.type === 'agent') await lockBondedAgent(tx, context, caller.agentId)
    await lockName(tx, `peck:${ask.requesterDucklingId}:${ask.targetDucklingId}`)
    const situation = await readSituation(tx, ask, now)
    if (situation === null) throw fail('duckling_missing')
    checkTiers(caller, ask, situation)
    const pending = await findPending(tx, situation.identicalId, now)
    if (pending !== null) {
      const peck = await repeat(tx, context, pending, situation)
      return { ...presentPeck(peck, now), repeated: true as const }
    }
    checkFatigue(situation, now)
    const peck = await insertPeck(tx, ask, situation.isBlocked, demand.expiresIn, now)
    await recordPeck(tx, context, 'peck.sent', peck)
    await mailTarget(tx, peck, situation, now)
    return presentPeck(peck, now)
  })
}

function checkTiers(caller: Operator, ask: Ask, { targetTier, minPeckTier }: Situation): void {
  if (!reaches(caller.tier, minPeckTier))
    throw fail('tier_too_low', { required_tier: minPeckTier, current_tier: caller.tier })
  if (ask.scope === 'standing' && !reaches(targetTier, 'T2'))
    throw fail('target_tier_too_low', { required_tier: 'T2', current_tier: targetTier })
}

function checkFatigue({ rejectedAt, pendingCount, pendingUntil }: Situation, now: Date): void {
  if (rejectedAt !== null) {
    const until = secondsAfter(rejectedAt, rejectionPauseSeconds)
    throw fail('peck_recently_rejected', { retry_after: secondsUntil(until, now) })
  }
  if (pendingCount >= pendingMax && pendingUntil !== null)
    throw fail('peck_too_many_pending', { retry_after: secondsUntil(pendingUntil, now) })
}

/** The identical peck if it is still pending; one whose time is up makes way first. */
async function findPending(tx: Tx, identicalId: string | null, now: Date): Promise<PeckRow | null> {
  const peck = identicalId === null ? null : await findPeck(tx, identicalId)
  if (peck === null || statusOf(peck, now) === 'pending') return peck
  await expirePeck(tx, peck.id, now)
  return null
}

/** A peck kept from a target that has unblocked the asker since reaches it when it is asked again. */
async function repeat(
  tx: Tx,
  context: OperatorContext,
  pending: PeckRow,
  situation: Situation,
): Promise<PeckRow> {
  if (!pending.blocked || situation.isBlocked) return pending
  const [peck] = await readPecks(
    tx,
    Prisma.sql`UPDATE "Peck" SET "blocked" = false WHERE "id" = ${pending.id} AND "status" = 'pending' RETURNING *`,
  )
  if (!peck) return pending
  await recordPeck(tx, context, 'peck.sent', peck, { concerning: [peck.targetDucklingId] })
  await mailTarget(tx, peck, situation, context.now)
  return peck
}

async function insertPeck(
  tx: Tx,
  ask: Ask,
  isBlocked: boolean,
  expiresIn: number,
  now: Date,
): Promise<PeckRow> {
  const [peck] = await readPecks(
    tx,
    Prisma.sql`
      INSERT INTO "Peck" ("id", "requesterDucklingId", "requesterAgentId", "askerId", "targetDucklingId", "action", "scope", "params",
        "paramsHash", "message", "status", "blocked", "pendingKey", "createdAt", "expiresAt", "grantSeconds", "askedBySession")
      VALUES (${newId('peck', now)}, ${ask.requesterDucklingId}, ${ask.requesterAgentId}::text, ${ask.askerId}, ${ask.targetDucklingId},
        ${ask.action}, ${ask.scope}::"PeckScope", ${ask.params}, ${ask.paramsHash}, ${ask.message}::text, 'pending', ${isBlocked},
        ${ask.pendingKey}, ${now}::timestamptz, ${secondsAfter(now, expiresIn)}::timestamptz, ${ask.grantSeconds}::int, ${ask.askedBySession}::text)
      RETURNING *`,
  )
  if (!peck) throw new Error('the peck was not inserted')
  return peck
}

async function mailTarget(tx: Tx, peck: PeckRow, { mayMail }: Situation, now: Date): Promise<void> {
  if (peck.blocked || !mayMail) return
  const claimed = await tx.$executeRaw`
    INSERT INTO "PeckNotice" AS n ("ducklingId", "mailedAt") VALUES (${peck.targetDucklingId}, ${now}::timestamptz)
    ON CONFLICT ("ducklingId") DO UPDATE SET "mailedAt" = EXCLUDED."mailedAt"
    WHERE n."mailedAt" <= ${secondsAfter(now, -mailPauseSeconds)}::timestamptz`
  if (claimed === 0) return
  await enqueue(tx, now, 'notice', {
    duckling_id: peck.targetDucklingId,
    notice: 'peck_waiting',
    facts: { summary: summarize(peck) },
  })
}
