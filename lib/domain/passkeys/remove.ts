import { Prisma } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { rememberChange } from '@/lib/domain/sessions/recent-changes'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import type { DucklingContext } from '@/lib/kernel/context'
import { deletePasskeys } from './delete'
import { type PasskeyInput, presentPasskey } from './schema'

/**
 * Removes one of the caller's passkeys and returns its last state. Sessions that it started stay open until they are revoked.
 * Throws the failures of `requireProof`, or `passkey_not_found`.
 */
export function removePasskey(
  context: DucklingContext<ProofFailure | 'passkey_not_found'>,
  passkeyId: string,
): Promise<PasskeyInput> {
  const { caller, now } = context
  return transaction(async (tx) => {
    await requireProof(tx, context)
    const passkey = await tx.passkey.findFirst({ where: { id: passkeyId, ducklingId: caller.id } })
    const where = Prisma.sql`"id" = ${passkeyId}`
    const deleted = await deletePasskeys(tx, context, { ducklingId: caller.id, where })
    if (passkey === null || deleted.length !== 1) throw context.fail('passkey_not_found')
    rememberChange(tx, context, 'passkey_removed', passkey.name)
    enqueueNotice(tx, now, caller.id, 'passkey_removed', {
      name: passkey.name,
      at: now.toISOString(),
      session: caller.sessionId,
    })
    return presentPasskey(passkey)
  })
}
