import type { Tx } from '@/lib/db/client'
import type { Channel } from '@/lib/db/generated/client'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import { day, secondsAfter } from '@/lib/kernel/clock'
import { type Context, systemContext } from '@/lib/kernel/context'
import type { ChannelSent } from './send'

/** A channel whose messages fail for this long no longer counts: mail announces instead. */
const failingSecondsMax = day

/** Whether a channel has failed for so long that other channels announce instead. */
export function isFailing({ failingSince }: Pick<Channel, 'failingSince'>, now: Date): boolean {
  return failingSince !== null && failingSince <= secondsAfter(now, -failingSecondsMax)
}

/** Whether a failing channel is tried again: once a day. */
export function isTriedAgain({ lastTriedAt }: Pick<Channel, 'lastTriedAt'>, now: Date): boolean {
  return lastTriedAt === null || lastTriedAt <= secondsAfter(now, -failingSecondsMax)
}

/**
 * Records what came back from a channel. Deletes a channel whose subscription has ended. The log of the owner gets an event when that happens,
 * and when a channel has failed for a day.
 */
export async function recordOutcome(tx: Tx, channel: Channel, sent: ChannelSent, now: Date): Promise<void> {
  const { id, ducklingId, kind, hint } = channel
  const details = {
    concerning: [ducklingId],
    actor: systemActor,
    targets: [{ type: 'channel' as const, id }],
    metadata: { kind, host: hint },
  }
  const context: Context = systemContext(now)
  if (sent.hasEnded) {
    const { count } = await tx.channel.deleteMany({ where: { id, targetHash: channel.targetHash } })
    if (count === 1) record(tx, context, 'channel.ended', details)
    return
  }
  if (sent.error === null) {
    await tx.run`
      UPDATE "Channel" SET "lastTriedAt" = ${now}::timestamptz, "lastSucceededAt" = ${now}::timestamptz, "lastError" = NULL,
        "failingSince" = NULL WHERE "id" = ${id}`
    return
  }
  const [row] = await tx.rows<{ isNew: boolean }>`
    UPDATE "Channel" c SET "lastTriedAt" = ${now}::timestamptz, "lastError" = ${sent.error},
      "failingSince" = coalesce(c."failingSince", ${now}::timestamptz)
    FROM (SELECT "id", "failingSince", "lastTriedAt" FROM "Channel" WHERE "id" = ${id} FOR NO KEY UPDATE) old WHERE c."id" = old."id"
    RETURNING coalesce(old."failingSince" <= ${secondsAfter(now, -failingSecondsMax)}::timestamptz
      AND old."lastTriedAt" < old."failingSince" + ${failingSecondsMax}::int * interval '1 second', false) AS "isNew"`
  if (row?.isNew === true) record(tx, context, 'channel.failing', details)
}
