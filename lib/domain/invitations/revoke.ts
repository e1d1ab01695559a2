import type { Tx } from '@/lib/db/client'
import type { Sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { type InvitationInput, presentInvitation } from './schema'

/**
 * Ends an invitation of the caller at once. Requests that came with it stay. One that has ended stays as it is. Throws `invitation_not_found`.
 */
export function revokeInvitation(
  context: DucklingContext<'invitation_not_found'>,
  id: string,
): Promise<InvitationInput> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const { count } = await tx.invitation.updateMany({
      where: { id, ducklingId: caller.id, endedAt: null },
      data: { endedAt: now, sealed: null },
    })
    const row = await tx.invitation.findFirst({ where: { id, ducklingId: caller.id } })
    if (row === null) throw context.fail('invitation_not_found')
    if (count > 0) record(tx, context, 'invitation.revoked', { targets: [{ type: 'invitation', id }] })
    return presentInvitation(row, now)
  })
}

/** Ends those invitations of an account that `where` selects, when another person may have made them. Returns their ids. */
export async function endInvitations(tx: Tx, ducklingId: string, where: Sql, now: Date): Promise<string[]> {
  const ended = await tx.rows<{ id: string }>`
    UPDATE "Invitation" SET "endedAt" = ${now}::timestamptz, "sealed" = NULL
    WHERE "ducklingId" = ${ducklingId} AND "endedAt" IS NULL AND ${where} RETURNING "id"`
  return ended.map(({ id }) => id).sort()
}
