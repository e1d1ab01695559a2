/** Mails about waiting pecks: each peck is announced once and, when it stays unanswered, its target is reminded once. */

import type { Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { beforeCommit } from '@/lib/db/transaction'
import { schedulePeckMail, scheduleStrangersMail } from '@/lib/domain/notifications/schedule'
import { type JoinedSettings, quietHoursOf } from '@/lib/domain/notifications/settings'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import { enqueueAlert } from './alert'
import { isAnnounced } from './batch'
import { reminderTime } from './remind'

/** What the target of a request makes of its asker. */
export type AskerStanding = 'known' | 'stranger' | 'waiting'

/** What decides whether the target gets a mail. The settings are null when the target never changed them. */
export interface MailFacts extends JoinedSettings {
  /** An unverified address may belong to another person. */
  targetVerified: boolean
  /** Whether the target has a channel beside mail. */
  hasChannels: boolean
}

/**
 * Announces a pending peck at the end of the transaction: of a known asker on the channels of its target, or with the next mail when there
 * are none. Strangers reach only the digest of the day, and those beyond the budget of strangers nothing. Does nothing when the target has
 * not verified the address, or does not want to be told about such a peck.
 */
export function announcePeck(
  tx: Tx,
  peck: PeckRow,
  facts: MailFacts,
  now: Date,
  standing: AskerStanding,
): void {
  if (standing === 'waiting' || !facts.targetVerified) return
  if (standing === 'known' && (facts.hasChannels || peck.blocked)) {
    // The worker chooses the channels. For a blocked asker it does as if.
    if (facts.hasChannels || isAnnounced(peck, facts.mailRequests ?? 'all'))
      enqueue(tx, now, 'reach', { peck_id: peck.id })
    return
  }
  mailPeck(tx, peck, facts, now, standing)
}

/** Announces a pending peck by mail. High risks of known askers are in mails of their own. Strangers are in one digest a day, without a reminder. */
export function mailPeck(
  tx: Tx,
  peck: Pick<
    PeckRow,
    'id' | 'requesterDucklingId' | 'targetDucklingId' | 'riskLevel' | 'expiresAt' | 'blocked'
  >,
  facts: JoinedSettings,
  now: Date,
  standing: Exclude<AskerStanding, 'waiting'>,
): void {
  if (peck.blocked || !isAnnounced(peck, facts.mailRequests ?? 'all')) return
  const isReminded = facts.mailReminders !== false && standing === 'known'
  const remindAt = isReminded ? reminderTime(now, peck.expiresAt, quietHoursOf(facts)) : null
  if (peck.riskLevel === 'high' && standing === 'known') {
    enqueueAlert(tx, peck, remindAt, now)
    return
  }
  const schedule = standing === 'known' ? schedulePeckMail : scheduleStrangersMail
  schedule(
    tx,
    now,
    sql`
      INSERT INTO "PeckMail" ("peckId", "ducklingId", "remindAt")
      VALUES (${peck.id}, ${peck.targetDucklingId}, ${remindAt}::timestamptz)
      ON CONFLICT ("peckId") DO NOTHING RETURNING "ducklingId"`,
  )
}

/** Mails about a peck whose target snoozes it again, or brings it back. */

interface Move {
  /** Id of the peck. */
  id: string
  /** When the peck would have come back. */
  from: Date
  /** When the peck comes back now. Null: at once. */
  until: Date | null
}

/**
 * Moves the mails that wait for the end of a snooze to another end, at the end of the transaction. Otherwise a thief of a session could delay
 * a reminder until the peck expires.
 */
export function moveMail(tx: Tx, { id, from, until }: Move, now: Date): void {
  // A reminder that came due during the snooze has the end of the snooze as its time (remind.ts).
  beforeCommit(
    tx,
    sql`UPDATE "PeckMail" SET "remindAt" = ${until ?? now}::timestamptz
      WHERE "peckId" = ${id} AND "stage" = 'announced' AND "remindAt" = ${from}::timestamptz`,
  )
  // The round waits for the old end (batch.ts). Another round announces the peck now, or waits for the new end.
  schedulePeckMail(
    tx,
    now,
    sql`SELECT "ducklingId" FROM "PeckMail" WHERE "peckId" = ${id} AND "stage" = 'announce'`,
  )
}
