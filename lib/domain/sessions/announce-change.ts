import type { Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { beforeCommit } from '@/lib/db/transaction'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import type { AnnouncedChange } from '@/lib/infrastructure/mail/changes'
import type { DucklingContext } from '@/lib/kernel/context'
import { rememberChange, silencing } from './recent-changes'

/**
 * Tells the owner that a sensitive change was made (contract F, Sensitive changes): by mail, together with those of the next minute, and on
 * the pages of the other sessions. `name`: what was changed. `nameOnPages`: its other name there, because mails have no addresses that others
 * chose. A change that takes away a warning also delays a recovery of passkeys by a day.
 */
export function announceChange(
  tx: Tx,
  context: DucklingContext,
  change: AnnouncedChange,
  name = '',
  nameOnPages = name,
): void {
  const { caller, now, userAgent } = context
  enqueueNotice(tx, now, caller.id, 'sensitive_change', {
    change,
    name,
    device: userAgent ?? '',
    at: now.toISOString(),
    session: caller.sessionId,
  })
  rememberChange(tx, context, change, nameOnPages)
  if (silencing.has(change))
    beforeCommit(
      tx,
      sql`UPDATE "Session" SET "silencedAt" = ${now}::timestamptz WHERE "id" = ${caller.sessionId}`,
    )
}
