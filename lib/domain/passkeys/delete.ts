import { Prisma, type Tx } from '@/lib/db/client'
import type { Passkey } from '@/lib/db/generated/client'
import { transaction } from '@/lib/db/transaction'
import { endMadeByPasskeys } from '@/lib/domain/agents/make'
import { pauseSigned } from '@/lib/domain/rules/end-rules'
import { lockDuckling, type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { rememberChange } from '@/lib/domain/sessions/recent-changes'
import { endSessionsOfPasskey } from '@/lib/domain/sessions/revoke'
import { enqueuePasskey } from '@/lib/domain/tlog/enqueue'
import { enqueueNotice } from '@/lib/infrastructure/events/outbox'
import { type Actor, record } from '@/lib/infrastructure/events/record'
import type { Context, DucklingContext } from '@/lib/kernel/request/context'
import { type PasskeyInput, presentPasskey } from './schema'

type DeletedPasskey = Pick<Passkey, 'id' | 'ducklingId' | 'credentialId' | 'publicKey' | 'name'>

/** The passkeys to delete, and the actor when it is not the caller. */
interface Deletion {
  ducklingId: string
  /** An SQL condition on "Passkey". By default all passkeys of the account are deleted. */
  where?: Prisma.Sql
  actor?: Actor
}

/**
 * Deletes passkeys of an account. The audit log and the transparency log get an entry for each. All code that removes
 * passkeys calls this function. Returns the deleted passkeys in order of their ids.
 */
export async function deletePasskeys(
  tx: Tx,
  context: Context,
  { ducklingId, where = Prisma.sql`true`, actor }: Deletion,
): Promise<DeletedPasskey[]> {
  const deleted = await tx.rows<DeletedPasskey>`
    DELETE FROM "Passkey" WHERE "ducklingId" = ${ducklingId} AND (${where})
    RETURNING "id", "ducklingId", "credentialId", "publicKey", "name"`
  deleted.sort((left, right) => (left.id < right.id ? -1 : 1))
  for (const passkey of deleted)
    record(tx, context, 'passkey.removed', {
      concerning: [ducklingId],
      ...(actor === undefined ? {} : { actor }),
      targets: [{ type: 'passkey', id: passkey.id }],
      metadata: {
        name: passkey.name,
        log_digest: enqueuePasskey(tx, 'passkey_removed', passkey),
      },
    })
  const ids = deleted.map(({ id }) => id)
  if (ids.length > 0) {
    await endProofs(tx, context, ducklingId, ids)
    await endMadeByPasskeys(tx, ducklingId, ids)
  }
  await pauseSigned(tx, context, ducklingId, ids)
  return deleted
}

/**
 * Ends the recent proofs that these passkeys gave to other sessions than the caller's: whoever removes the passkey of a thief must not leave
 * the thief ten minutes, and no site may read that a passkey authenticated them. The sessions stay open.
 */
async function endProofs(
  tx: Tx,
  { caller, now }: Context,
  ducklingId: string,
  passkeyIds: string[],
): Promise<void> {
  const own = caller?.type === 'duckling' ? caller.sessionId : ''
  await tx.run`
    UPDATE "Session" SET "passkeyAt" = NULL
    WHERE "ducklingId" = ${ducklingId} AND "passkeyId" = ANY(${passkeyIds}::text[]) AND "id" <> ${own} AND "revokedAt" IS NULL AND "expiresAt" > ${now}::timestamptz`
}

interface Removal {
  passkey_id: string
  /** Also ends the caller's other sessions of this passkey: its device is lost. */
  end_sessions: boolean
}

/**
 * Removes one of the caller's passkeys and returns its last state. Sessions that it started stay open without `end_sessions`.
 * Throws the failures of `requireProof`, or `passkey_not_found`.
 */
export function removePasskey(
  context: DucklingContext<ProofFailure | 'passkey_not_found'>,
  { passkey_id: passkeyId, end_sessions: endsSessions }: Removal,
): Promise<PasskeyInput & { ended_sessions?: number }> {
  const { caller, now } = context
  return transaction(async (tx) => {
    // A device that the passkey approved and that signs in now holds this lock.
    if (endsSessions) await lockDuckling(tx, caller.id)
    await requireProof(tx, context)
    const passkey = await tx.passkey.findFirst({ where: { id: passkeyId, ducklingId: caller.id } })
    // Before the passkey goes, which says whose sessions they are.
    const ended = endsSessions ? await endSessionsOfPasskey(tx, context, passkeyId) : null
    const where = Prisma.sql`"id" = ${passkeyId}`
    const deleted = await deletePasskeys(tx, context, { ducklingId: caller.id, where })
    if (passkey === null || deleted.length !== 1) throw context.fail('passkey_not_found')
    rememberChange(tx, context, 'passkey_removed', passkey.name)
    enqueueNotice(tx, now, caller.id, 'passkey_removed', {
      name: passkey.name,
      at: now.toISOString(),
      session: caller.sessionId,
    })
    return { ...presentPasskey(passkey), ...(ended === null ? {} : { ended_sessions: ended }) }
  })
}
