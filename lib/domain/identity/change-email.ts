import type { Tx } from '@/lib/db/client'
import { unique } from '@/lib/db/conflict'
import { lockName, transaction } from '@/lib/db/transaction'
import { type NoTriesFailure, spendCode } from '@/lib/domain/codes/codes'
import { addressReservedFor, createLink } from '@/lib/domain/codes/mail-link'
import { requestCode } from '@/lib/domain/codes/request-code'
import { proveAddress } from '@/lib/domain/revocation/prove-address'
import { type LockedDuckling, lockCaller } from '@/lib/domain/sessions/lock'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import { day, secondsAfter, secondsUntil } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { Failure, fail } from '@/lib/kernel/failures'
import { type CodeSentInput, getDuckling, type ProfileInput, presentCodeSent, presentProfile } from './schema'

/** Spec silent: codes one account may have sent to new addresses in a day, lest it mail strangers at will. */
const dailySendsMax = 20
/** How long the old address can undo the change (contract F). */
const undoSeconds = 7 * day

/**
 * Promises a code to the address that shall become the caller's. Throws `code_sends_exhausted`, or what `requireProof` does.
 * Spec silent: whether somebody has the address already is not told here, only to who holds the code mailed to it.
 */
export function requestEmailChange(
  context: DucklingContext<ProofFailure | 'code_sends_exhausted'>,
  newEmail: string,
): Promise<CodeSentInput> {
  const { caller } = context
  return transaction(async (tx) => {
    await requireProof(tx, context)
    await refuseBeyondDailySends(tx, context)
    await requestCode(tx, context, 'email_change', newEmail, caller.id)
    await record(tx, context, 'code.requested', { metadata: { purpose: 'email_change' } })
    return presentCodeSent('A code is on its way to the new address.')
  })
}

async function refuseBeyondDailySends(tx: Tx, { caller, now }: DucklingContext): Promise<void> {
  await lockName(tx, `email-change:${caller.id}`)
  const [oldest] = await tx.otpCode.findMany({
    where: { ducklingId: caller.id, purpose: 'email_change', createdAt: { gt: secondsAfter(now, -day) } },
    orderBy: { createdAt: 'desc' },
    skip: dailySendsMax - 1,
    take: 1,
    select: { createdAt: true },
  })
  if (oldest)
    throw fail('code_sends_exhausted', {
      retry_after: secondsUntil(secondsAfter(oldest.createdAt, day), now),
    })
}

/**
 * Makes the address the code was mailed to the caller's, and mails the old one a link that undoes this. Throws `code_invalid`, a
 * 429, `identity_exists` when it is somebody's already, or what `requireProof` does.
 * Spec silent: the tier stays (only verify-email raises it), and so do the caller's sessions.
 */
export function changeEmail(
  context: DucklingContext<ProofFailure | 'code_invalid' | NoTriesFailure | 'session_invalid'>,
  newEmail: string,
  code: string,
): Promise<ProfileInput> {
  const { caller, now } = context
  return transaction(async (tx) => {
    await requireProof(tx, context)
    const spent = await spendCode(tx, context, {
      purpose: 'email_change',
      ducklingId: caller.id,
      subject: caller.id,
      code,
      address: newEmail,
      failure: 'code_invalid',
      event: 'duckling.email_changed',
    })
    if (spent instanceof Failure) return spent
    const taken = await tx.duckling.findUnique({ where: { email: newEmail }, select: { id: true } })
    if (taken) return fail('identity_exists')
    if (await addressReservedFor(tx, newEmail, now, caller.id)) return fail('identity_exists')
    const before = await lockCaller(tx, context)
    // Spec silent: a code from a new address proves the account's address as much as one from the first.
    await proveAddress(tx, context)
    await unique(
      tx.duckling.update({ where: { id: caller.id }, data: { email: newEmail, emailVerifiedAt: now } }),
      'identity_exists',
    )
    await mailUndoLink(tx, context, before)
    await record(tx, context, 'duckling.email_changed', { targets: [{ type: 'duckling', id: caller.id }] })
    return presentProfile(await getDuckling(tx, caller.id), now)
  })
}

/** Spec silent: an address that was never verified may be a stranger's, who is not written to. */
async function mailUndoLink(tx: Tx, { caller, now }: DucklingContext, before: LockedDuckling): Promise<void> {
  if (before.email === null || before.emailVerifiedAt === null) return
  const link = {
    kind: 'email_undo' as const,
    ducklingId: caller.id,
    address: before.email,
    subjectId: caller.sessionId,
  }
  const createdAt = await afterNewestLink(tx, caller.id, now)
  await createLink(tx, { ...link, createdAt, expiresAt: secondsAfter(now, undoSeconds) }, now)
}

/**
 * Returns now, or the first instant after the account's newest link. Which links a link voids depends on their order, and of two
 * simultaneous changes the one that commits later may have begun earlier.
 */
async function afterNewestLink(tx: Tx, ducklingId: string, now: Date): Promise<Date> {
  const newest = await tx.mailLink.findFirst({
    where: { kind: 'email_undo', ducklingId },
    orderBy: { createdAt: 'desc' },
    select: { createdAt: true },
  })
  return newest === null || newest.createdAt < now ? now : new Date(newest.createdAt.getTime() + 1)
}
