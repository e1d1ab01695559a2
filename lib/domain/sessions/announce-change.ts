import type { Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { beforeCommit } from '@/lib/db/transaction'
import { enqueueNotice, type NoticeFacts } from '@/lib/infrastructure/events/outbox'
import type { AnnouncedChange } from '@/lib/infrastructure/mail/changes'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { rememberChange, silencing } from './recent-changes'

/**
 * Tells the owner that a sensitive change was made (contract F, Sensitive changes): by mail, together with the changes of the next minute, and on
 * the pages of the other sessions. `changed`: the name of what was changed, with the id of an agent or webhook. `nameOnPages`: its other name there, because mails have no addresses
 * that others chose: mails have the id of a webhook. `facts`: what the mail says besides. A change that takes away a warning also delays a recovery of passkeys by a day.
 */
export function announceChange(
  tx: Tx,
  context: DucklingContext,
  change: AnnouncedChange,
  changed: string | { id: string; name: string } = '',
  nameOnPages?: string,
  facts: NoticeFacts = {},
): void {
  const { caller, now, userAgent } = context
  const { id, name } = typeof changed === 'string' ? { id: '', name: changed } : changed
  enqueueNotice(tx, now, caller.id, 'sensitive_change', {
    change,
    name,
    device: userAgent ?? '',
    at: now.toISOString(),
    session: caller.sessionId,
    ...facts,
  })
  rememberChange(tx, context, change, nameOnPages ?? name, id)
  if (silencing.has(change))
    beforeCommit(
      tx,
      sql`UPDATE "Session" SET "silencedAt" = ${now}::timestamptz WHERE "id" = ${caller.sessionId}`,
    )
}

/**
 * Records that this session changed settings of an account with an unverified address. The first proof of the address resets settings
 * that another session changed. Does nothing when the address is verified.
 */
export async function recordSettingsChange(tx: Tx, { caller }: DucklingContext): Promise<void> {
  await tx.run`
    UPDATE "Duckling" SET "settingsSessionIds" = array_append("settingsSessionIds", ${caller.sessionId})
    WHERE "id" = ${caller.id} AND "emailVerifiedAt" IS NULL
      AND NOT (${caller.sessionId} = ANY(coalesce("settingsSessionIds", '{}')))`
}
