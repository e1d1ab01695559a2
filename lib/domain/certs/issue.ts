import type { Tx } from '@/lib/db/client'
import type { Certificate as CertificateRow } from '@/lib/db/generated/client'
import { sql } from '@/lib/db/sql'
import { beforeCommit, transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/ids'
import { reaches } from '@/lib/kernel/tier'
import { signCertificate } from './credential'
import { lockOwner, type Owner } from './lock'
import { type CertificateInput, presentCertificate } from './schema'

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
    // A certificate above the owner's current tier stays active too (contract G).
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
