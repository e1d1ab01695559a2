import { Prisma } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import type { DucklingContext } from '@/lib/kernel/context'
import { fail } from '@/lib/kernel/failures'
import { deletePasskeys } from './delete'
import { type PasskeyInput, presentPasskey } from './schema'

/**
 * Removes one of the caller's passkeys and returns what it was; from then on it signs in nobody. Sessions it started live
 * on until they are ended. Throws what `requireProof` does, or `passkey_missing`.
 */
export function removePasskey(
  context: DucklingContext<ProofFailure>,
  passkeyId: string,
): Promise<PasskeyInput> {
  const { caller, now } = context
  return transaction(async (tx) => {
    await requireProof(tx, context)
    const passkey = await tx.passkey.findFirst({ where: { id: passkeyId, ducklingId: caller.id } })
    const where = Prisma.sql`"id" = ${passkeyId}`
    const deleted = await deletePasskeys(tx, context, { ducklingId: caller.id, where })
    if (passkey === null || deleted.length !== 1) throw fail('passkey_missing')
    await enqueueNotice(tx, now, caller.id, 'passkey_removed', { name: passkey.name, at: now.toISOString() })
    return presentPasskey(passkey)
  })
}
