/** Mails about waiting pecks: each peck is announced once and, when it stays unanswered, its target is reminded once. */
import type { Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { schedulePeckMail } from '@/lib/domain/notifications/schedule'
import { type JoinedSettings, quietHoursOf } from '@/lib/domain/notifications/settings'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { isAnnounced } from './filter'
import { reminderTime } from './reminder-time'

/** What decides whether the target gets a mail. The settings are null when the target never changed them. */
export interface MailFacts extends JoinedSettings {
  /** An unverified address may belong to another person. */
  targetVerified: boolean
}

/**
 * Announces a pending peck with the next mail to its target, at the end of the transaction. Does nothing when the target has blocked the
 * asker, has not verified the address, or does not want a mail about such a peck.
 */
export function announcePeck(tx: Tx, peck: PeckRow, facts: MailFacts, now: Date): void {
  if (peck.blocked || !facts.targetVerified || !isAnnounced(peck, facts.mailRequests ?? 'all')) return
  const remindAt =
    facts.mailReminders === false ? null : reminderTime(now, peck.expiresAt, quietHoursOf(facts))
  schedulePeckMail(
    tx,
    now,
    sql`
      INSERT INTO "PeckMail" ("peckId", "ducklingId", "remindAt")
      VALUES (${peck.id}, ${peck.targetDucklingId}, ${remindAt}::timestamptz)
      ON CONFLICT ("peckId") DO NOTHING RETURNING "ducklingId"`,
  )
}
