import type { Tx } from '@/lib/db/client'
import type { Certificate as CertificateRow } from '@/lib/db/generated/client'
import { transaction } from '@/lib/db/transaction'
import { enqueueCertificateRevocation, enqueueEnded } from '@/lib/domain/tlog/enqueue'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import { record } from '@/lib/infrastructure/events/record'
import type { Context, DucklingContext } from '@/lib/kernel/context'
import { lockOwner } from './lock'
import { type CertificateInput, presentCertificate } from './schema'

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
