import { transaction } from '@/lib/db/transaction'
import { promise } from '@/lib/events/outbox'
import { record } from '@/lib/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { fail } from '@/lib/kernel/failures'
import { requireProof } from '@/lib/sessions/proof'
import { type PasskeyInput, presentPasskey } from './schema'

/**
 * Removes one of the caller's passkeys and returns what it was; from then on it signs in nobody. Sessions it started live
 * on until they are ended. Throws what `requireProof` does, or `passkey_missing`.
 */
export function removePasskey(context: DucklingContext, passkeyId: string): Promise<PasskeyInput> {
  const { caller, now } = context
  return transaction(async (tx) => {
    await requireProof(tx, context)
    const where = { id: passkeyId, ducklingId: caller.id }
    const passkey = await tx.passkey.findFirst({ where })
    const { count } = await tx.passkey.deleteMany({ where })
    if (passkey === null || count !== 1) throw fail('passkey_missing')
    await record(tx, context, 'passkey.removed', {
      targets: [{ type: 'passkey', id: passkeyId }],
      metadata: { name: passkey.name },
    })
    await promise(tx, now, 'notice', {
      duckling_id: caller.id,
      notice: 'passkey_removed',
      facts: { name: passkey.name, at: now.toISOString() },
    })
    return presentPasskey(passkey)
  })
}
