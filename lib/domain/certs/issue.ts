import { batchRows, type ChangedBatch, changeBatch, countInWindows } from '@/lib/db/batch'
import { Prisma, type Tx } from '@/lib/db/client'
import type { Certificate as CertificateRow } from '@/lib/db/generated/client'
import { sql } from '@/lib/db/sql'
import { beforeCommit, transaction } from '@/lib/db/transaction'
import { enqueueCertificateRevocation, enqueueEnded } from '@/lib/domain/tlog/enqueue'
import { enqueueNotice } from '@/lib/infrastructure/events/outbox'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import { refreshKeys } from '@/lib/infrastructure/keys/signing-keys'
import { kidOf, signAgain, startOfTokens } from '@/lib/infrastructure/keys/tokens'
import { type Context, type DucklingContext, systemContext } from '@/lib/kernel/request/context'
import { reaches, type Tier } from '@/lib/kernel/request/tier'
import { newId } from '@/lib/kernel/secrets/ids'
import { signCertificate } from './credential'
import { type CertificateInput, presentCertificate } from './schema'

interface Owner {
  displayName: string
  fullName: string | null
  trustTier: Tier
  deletedAt: Date | null
}

/**
 * Locks a duckling's row until the transaction ends and returns it. So issuing, revoking and closing the account run one after the
 * other.
 */
export async function lockOwner(tx: Tx, ducklingId: string): Promise<Owner> {
  const [owner] = await tx.rows<Owner>`
    SELECT "displayName", "fullName", "trustTier"::text AS "trustTier", "deletedAt" FROM "Duckling"
    WHERE "id" = ${ducklingId} FOR NO KEY UPDATE`
  if (!owner) throw new Error(`there is no duckling ${ducklingId}`)
  return owner
}

/** Revokes the caller's certificate and mails the caller. Throws `certificate_not_found` when none is active. */
export function revokeCertificate(
  context: DucklingContext<'certificate_not_found'>,
  reason: string,
): Promise<CertificateInput> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const owner = await lockOwner(tx, caller.id)
    const revoked = await revokeActiveCertificate(tx, context, caller.id, reason)
    if (!revoked) throw context.fail('certificate_not_found')
    enqueueNotice(tx, now, caller.id, 'certificate_revoked', {
      session: caller.sessionId,
      certificate: revoked.id,
      at: now.toISOString(),
    })
    return presentCertificate(revoked, owner)
  })
}

/**
 * Revokes a duckling's active certificate and returns it, or null when there is none. For transactions that revoke other things too.
 * Only the owner sees the reason. Webhooks do not have it.
 */
export async function revokeActiveCertificate(
  tx: Tx,
  context: Context,
  ducklingId: string,
  reason: string,
): Promise<CertificateRow | null> {
  const { now } = context
  await lockOwner(tx, ducklingId)
  const [revoked] = await tx.certificate.updateManyAndReturn({
    where: { activeFor: ducklingId, status: 'active' },
    data: { status: 'revoked', activeFor: null, revokedAt: now, revocationReason: reason },
  })
  if (!revoked) return null
  enqueueEnded(tx, { cert_id: revoked.id })
  record(tx, context, 'cert.revoked', {
    concerning: [ducklingId],
    targets: [{ type: 'certificate', id: revoked.id }],
    metadata: { tier: revoked.tier, reason, ...enqueueCertificateRevocation(tx, revoked, now) },
    data: {
      cert_id: revoked.id,
      duckling_id: ducklingId,
      tier: revoked.tier,
      revoked_at: now,
    },
    counts: { certified: -1 },
  })
  return revoked
}

/**
 * Issues a birth certificate at the caller's tier, which supersedes a certificate at a lower tier. Throws `certificate_already_active` when the
 * caller has one at this tier, or `session_invalid` when the account was just closed.
 */
export function issueCertificate(
  context: DucklingContext<'session_invalid' | 'certificate_already_active'>,
): Promise<CertificateInput> {
  return transaction(async (tx) => {
    const [owner, previous] = await Promise.all([
      lockOwner(tx, context.caller.id),
      findActive(tx, context.caller.id),
    ])
    if (owner.deletedAt !== null) throw context.fail('session_invalid')
    // A certificate above the owner's current tier stays active too.
    if (previous && reaches(previous.tier, owner.trustTier))
      throw context.fail('certificate_already_active', {
        current_status: 'active',
        current_tier: owner.trustTier,
      })
    if (previous) await supersede(tx, context, previous)
    const issued = await createCertificate(tx, context, owner)
    record(tx, context, 'cert.issued', {
      targets: [{ type: 'certificate', id: issued.id }],
      metadata: { tier: issued.tier, supersedes: previous?.id ?? null },
      data: {
        cert_id: issued.id,
        duckling_id: issued.ducklingId,
        tier: issued.tier,
        issued_at: issued.issuedAt,
        supersedes: previous?.id ?? null,
      },
      counts: { certified: previous ? 0 : 1 },
    })
    return presentCertificate(issued, owner)
  })
}

type ActiveCertificate = Pick<CertificateRow, 'id' | 'tier'>

async function findActive(tx: Tx, ducklingId: string): Promise<ActiveCertificate | null> {
  const [active] = await tx.rows<ActiveCertificate>`
    SELECT "id", "tier" FROM "Certificate" WHERE "activeFor" = ${ducklingId}`
  return active ?? null
}

async function supersede(tx: Tx, context: DucklingContext, previous: ActiveCertificate): Promise<void> {
  const superseded = await tx.run`
    UPDATE "Certificate" SET "status" = 'superseded', "activeFor" = NULL
    WHERE "id" = ${previous.id} AND "status" = 'active'`
  if (superseded !== 1) throw new Error(`${previous.id} changed while its owner was locked`)
  record(tx, context, 'cert.superseded', {
    targets: [{ type: 'certificate', id: previous.id }],
    metadata: { tier: previous.tier },
  })
}

/** Creates the certificate at the end of the transaction. The locked owner has no other active one. */
async function createCertificate(
  tx: Tx,
  { caller, now }: DucklingContext,
  owner: Owner,
): Promise<CertificateRow> {
  // Reserved before the insert, because the signed credential contains it.
  const [next] = await tx.rows<{ statusIndex: number }>`
    SELECT nextval(pg_get_serial_sequence('"Certificate"', 'statusIndex'))::int AS "statusIndex"`
  if (!next) throw new Error('the sequence of status indexes returned no value')
  const { statusIndex } = next
  const certificate = {
    id: newId('certificate', now),
    ducklingId: caller.id,
    tier: owner.trustTier,
    issuedAt: now,
    statusIndex,
  }
  const credential = signCertificate({
    ...certificate,
    displayName: owner.displayName,
    fullName: owner.fullName,
  })
  beforeCommit(
    tx,
    sql`
      INSERT INTO "Certificate" ("id", "ducklingId", "activeFor", "tier", "status", "issuedAt", "statusIndex", "credential")
      VALUES (${certificate.id}, ${caller.id}, ${caller.id}, ${owner.trustTier}::"Tier", 'active', ${now}::timestamptz, ${statusIndex}, ${credential})`,
  )
  return {
    ...certificate,
    activeFor: caller.id,
    status: 'active',
    revokedAt: null,
    revocationReason: null,
    credential,
  }
}

/** Signs the certificates of a distrusted key again. Their claims stay the same. */

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
