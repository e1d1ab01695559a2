import { db, Prisma, type Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import type { AssertionCredential } from '@/lib/domain/passkeys/schema'
import { addGrantToken } from '@/lib/domain/pecks/grant/grant'
import { recordPeck } from '@/lib/domain/pecks/record'
import { getPeckAsTarget, type PeckRow } from '@/lib/domain/pecks/rows'
import { type PeckInput, presentPeck } from '@/lib/domain/pecks/schema'
import { statusOf } from '@/lib/domain/pecks/state'
import { secondsAfter } from '@/lib/kernel/clock'
import { type DucklingContext, reaches } from '@/lib/kernel/context'
import { fail } from '@/lib/kernel/failures'
import { type ApprovalProof, verifyApproval } from './approval-proof'
import { decidedBy, leavePending, notPending } from './transition'

export interface Approval {
  peckId: string
  /** Seconds. */
  grantExpiresIn: number | undefined
  passkey: AssertionCredential | undefined
}

/**
 * Gives the permission asked for. A passkey's assertion over the peck's statement is verified first, outside the transaction,
 * and kept with the peck. The grant token is made here, and the asker reads it with the peck. Throws `peck_missing`,
 * `not_the_target`, `peck_not_pending`, `tier_too_low`, `passkey_confirmation_needed`, `passkey_refused`, or `invalid_request` for
 * a grant longer than the passkey signed.
 */
export async function approvePeck(
  context: DucklingContext<'passkey_refused'>,
  approval: Approval,
): Promise<PeckInput> {
  const { caller, now } = context
  const proof = await confirm(context, approval)
  return transaction(async (tx) => {
    const peck = await judge(tx, context, approval)
    const approved = await leavePending(tx, peck, now, decidedBy(caller, grantOf(peck, approval, proof, now)))
    await addGrantToken(tx, approved, now)
    await recordPeck(tx, context, 'peck.approved', approved, {
      metadata: proof === null ? {} : { passkey_id: proof.passkey_id },
    })
    return presentPeck(approved, now)
  })
}

/** The proof of the passkey, where one was sent; one that could not help is not even looked at, so its challenge stays good. */
async function confirm(
  context: DucklingContext<'passkey_refused'>,
  approval: Approval,
): Promise<ApprovalProof | null> {
  if (approval.passkey === undefined) return null
  return verifyApproval(context, await judge(db(), context, approval), approval.passkey)
}

/** The peck, when the caller may approve it so. */
async function judge(tx: Tx, { caller, now }: DucklingContext, approval: Approval): Promise<PeckRow> {
  const peck = await getPeckAsTarget(tx, caller, approval.peckId)
  if (statusOf(peck, now) !== 'pending') throw notPending(peck, now)
  if (exceedsStatement(approval, peck)) {
    const message = `must be at most ${peck.grantSeconds}, which is what the passkey signs`
    throw fail('invalid_request', { errors: [{ field: 'grant_expires_in', message }] })
  }
  if (peck.scope === 'standing' && !reaches(caller.tier, 'T2'))
    throw fail('tier_too_low', { required_tier: 'T2', current_tier: caller.tier })
  if ((peck.scope === 'standing' || peck.targetRequiresPasskey) && approval.passkey === undefined)
    throw fail('passkey_confirmation_needed', { required: 'passkey' })
  return peck
}

/** A passkey signs how long the grant may last at most; without one the target is free within the contract's bounds. */
function exceedsStatement({ grantExpiresIn, passkey }: Approval, { grantSeconds }: PeckRow): boolean {
  return passkey !== undefined && (grantExpiresIn ?? 0) > (grantSeconds ?? Infinity)
}

/** The columns of the permission. */
function grantOf(
  peck: PeckRow,
  { grantExpiresIn }: Approval,
  proof: ApprovalProof | null,
  now: Date,
): Prisma.Sql {
  const seconds = grantExpiresIn ?? peck.grantSeconds
  const expiresAt = seconds === null ? null : secondsAfter(now, seconds)
  return Prisma.sql`"status" = 'approved', "grantExpiresAt" = ${expiresAt}::timestamptz,
    "maxUses" = ${peck.scope === 'limited' ? 1 : null}::int, "approval" = ${proof === null ? null : JSON.stringify(proof)}::jsonb`
}
