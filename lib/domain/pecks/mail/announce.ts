/** Mails about waiting pecks: each peck is announced once and, when it stays unanswered, its target is reminded once. */
import type { Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { schedulePeckMail, scheduleStrangersMail } from '@/lib/domain/notifications/schedule'
import { type JoinedSettings, quietHoursOf } from '@/lib/domain/notifications/settings'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { isAnnounced } from './filter'
import { reminderTime } from './reminder-time'

/** What the target of a request makes of its asker. */
export type AskerStanding = 'known' | 'stranger' | 'waiting'

/** What decides whether the target gets a mail. The settings are null when the target never changed them. */
export interface MailFacts extends JoinedSettings {
  /** An unverified address may belong to another person. */
  targetVerified: boolean
}

/**
 * Announces a pending peck with the next mail to its target, at the end of the transaction. Does nothing when the target has blocked the
 * asker, has not verified the address, or does not want a mail about such a peck. Strangers get one digest a day and no reminder, and those
 * beyond the budget of strangers no mail.
 */
export function announcePeck(
  tx: Tx,
  peck: PeckRow,
  facts: MailFacts,
  now: Date,
  standing: AskerStanding,
): void {
  if (standing === 'waiting') return
  if (peck.blocked || !facts.targetVerified || !isAnnounced(peck, facts.mailRequests ?? 'all')) return
  const isReminded = facts.mailReminders !== false && standing === 'known'
  const remindAt = isReminded ? reminderTime(now, peck.expiresAt, quietHoursOf(facts)) : null
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
