/** Signs the certificates of a distrusted key again. Their claims stay the same. */
import { Prisma, type Tx } from '@/lib/db/client'
import { batchRows, type ChangedBatch, changeBatch, countInWindows } from '@/lib/db/id-window'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import { refreshKeys } from '@/lib/infrastructure/keys/signing-keys'
import { kidOf, signAgain, startOfTokens } from '@/lib/infrastructure/keys/tokens'
import { systemContext } from '@/lib/kernel/context'

interface Row {
  id: string
  ducklingId: string
  credential: string
}

/** Matches certificates with a credential of the key, revoked ones included: the status list shows whether they are revoked. */
const signedBy = (kid: string) =>
  Prisma.sql`starts_with("credential", ${startOfTokens('credential', kid)}::text)`

/** Returns how many certificates the key has signed. */
export function countCertificatesSignedBy(kid: string): Promise<number> {
  return countInWindows('Certificate', signedBy(kid))
}

/**
 * Signs the next certificates of the key with the current one, in order of their ids after `after`, and records it in each owner's log.
 * Returns how many were signed and the id to continue after, or null at the end. Safe to run twice, or twice at the same time.
 */
export function signBatchAgain(kid: string, after: string, now: Date): Promise<ChangedBatch> {
  return changeBatch('Certificate', after, async (tx, isInWindow) => {
    await refreshKeys(tx)
    const rows = await tx.rows<Row>`
      SELECT "id", "ducklingId", "credential" FROM "Certificate" WHERE ${isInWindow} AND ${signedBy(kid)}
      ORDER BY "id" LIMIT ${batchRows}`
    const signed = await replaceCredentials(tx, rows, now)
    for (const { id, ducklingId, credential } of signed) {
      record(tx, systemContext(now), 'cert.resigned', {
        concerning: [ducklingId],
        actor: systemActor,
        targets: [{ type: 'certificate', id }],
        metadata: { distrusted_kid: kid, kid: kidOf(credential), reason: 'signing_key_distrusted' },
      })
    }
    return { found: rows.map(({ id }) => id), count: signed.length }
  })
}

/** Replaces each credential that has not changed since it was read. Returns the changed certificates, in order of their owners. */
async function replaceCredentials(tx: Tx, rows: Row[], now: Date): Promise<Row[]> {
  const ids = rows.map(({ id }) => id)
  const before = rows.map(({ credential }) => credential)
  const after = before.map((credential) => signAgain('credential', credential, now))
  const changed = await tx.rows<Row>`
    UPDATE "Certificate" c SET "credential" = v."after"
    FROM unnest(${ids}::text[], ${before}::text[], ${after}::text[]) AS v ("id", "before", "after")
    WHERE c."id" = v."id" AND c."credential" = v."before"
    RETURNING c."id", c."ducklingId", c."credential"`
  return changed.sort((left, right) => (left.ducklingId < right.ducklingId ? -1 : 1))
}
