import type { Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { beforeCommit } from '@/lib/db/transaction'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import type { AnnouncedChange } from '@/lib/infrastructure/mail/changes'
import type { DucklingContext } from '@/lib/kernel/context'

/** Changes that take away what would warn the owner. */
const silencing = new Set<AnnouncedChange>([
  'notifications_changed',
  'sessions_ended',
  'webhook_changed',
  'webhook_deleted',
  'webhook_secret_changed',
])

/**
 * Mails the owner that a sensitive change was made (contract F, Sensitive changes), together with those of the next ten minutes. `name`: what was
 * changed. A change that takes away a warning also delays a recovery of passkeys by a day.
 */
export function announceChange(
  tx: Tx,
  { caller, now, userAgent }: DucklingContext,
  change: AnnouncedChange,
  name = '',
): void {
  enqueueNotice(tx, now, caller.id, 'sensitive_change', {
    change,
    name,
    device: userAgent ?? '',
    at: now.toISOString(),
  })
  if (silencing.has(change))
    beforeCommit(
      tx,
      sql`UPDATE "Session" SET "silencedAt" = ${now}::timestamptz WHERE "id" = ${caller.sessionId}`,
    )
}
