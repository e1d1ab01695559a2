import type { Tx } from '@/lib/db/client'
import { unique } from '@/lib/db/conflict'
import { flush, lockName, transaction } from '@/lib/db/transaction'
import { type NoTriesFailure, spendCode } from '@/lib/domain/codes/codes'
import { createLink, reservationsOf } from '@/lib/domain/codes/mail-link'
import { requestCode } from '@/lib/domain/codes/request-code'
import { proveAddress } from '@/lib/domain/revocation/prove-address'
import {
  isConfirmedByOlder,
  type LockedDuckling,
  lockCaller,
  type ProofFailure,
  requireProof,
} from '@/lib/domain/sessions/proof'
import { rememberChange } from '@/lib/domain/sessions/recent-changes'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { Failure } from '@/lib/kernel/request/failures'
import { day, secondsAfter, secondsUntil } from '@/lib/kernel/runtime/clock'
import { type CodeSentInput, getDuckling, type ProfileInput, presentCodeSent, presentProfile } from './schema'
import { knownSince } from './undo-email-change'

type CodeFailure = 'code_invalid' | NoTriesFailure

/** How many codes an account can send to new addresses in a day. Keeps it from mailing many strangers. */
const dailySendsMax = 20
/** How long a link to the old address can undo the change. */
const undoSeconds = 7 * day

/**
 * Enqueues a code to the new address. Throws `too_many_codes_sent`, or the failures of `requireProof`. The answer
 * does not reveal whether the address is taken: only the person who has the code finds out.
 */
export function requestEmailChange(
  context: DucklingContext<ProofFailure | 'too_many_codes_sent'>,
  newEmail: string,
): Promise<CodeSentInput> {
  const { caller } = context
  return transaction(async (tx) => {
    await requireProof(tx, context)
    await checkDailySends(tx, context)
    await requestCode(tx, context, 'email_change', newEmail, caller.id)
    record(tx, context, 'code.requested', { metadata: { purpose: 'email_change' } })
    return presentCodeSent('A code is on its way to the new address.')
  })
}

async function checkDailySends(tx: Tx, context: DucklingContext<'too_many_codes_sent'>): Promise<void> {
  const { caller, now } = context
  await lockName(tx, `email-change:${caller.id}`)
  const [oldest] = await tx.otpCode.findMany({
    where: { ducklingId: caller.id, purpose: 'email_change', createdAt: { gt: secondsAfter(now, -day) } },
    orderBy: { createdAt: 'desc' },
    skip: dailySendsMax - 1,
    take: 1,
    select: { createdAt: true },
  })
  if (oldest)
    throw context.fail('too_many_codes_sent', {
      retry_after: secondsUntil(secondsAfter(oldest.createdAt, day), now),
    })
}

/**
 * Changes the caller's address to the address that received the code, and mails the old address a link that undoes the change. Throws
 * `code_invalid`, `too_many_wrong_codes`, `code_paused`, `code_locked`, `identity_exists` when the address is taken,
 * `session_invalid`, or the failures of `requireProof`. The caller keeps tier and sessions: only verify-email raises
 * the tier.
 */
export function changeEmail(
  context: DucklingContext<ProofFailure | CodeFailure | 'identity_exists' | 'session_invalid'>,
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
    // Spends the code before the account is locked, and before the first proof of an address revokes the codes of this purpose.
    await flush(tx)
    if (await isTaken(tx, context, newEmail)) return context.fail('identity_exists')
    const before = await lockCaller(tx, context)
    // A code from a new address proves the address of the account as well as a code from the first one.
    await proveAddress(tx, context)
    await unique(
      tx.duckling.update({ where: { id: caller.id }, data: { email: newEmail, emailVerifiedAt: now } }),
      context.fail('identity_exists'),
    )
    await mailUndoLink(tx, context, before)
    record(tx, context, 'duckling.email_changed', { targets: [{ type: 'duckling', id: caller.id }] })
    rememberChange(tx, context, 'email_changed')
    return presentProfile(await getDuckling(tx, caller.id), now)
  })
}

/** Whether an account has the address, or another account can take it back. */
async function isTaken(tx: Tx, { caller, now }: DucklingContext, address: string): Promise<boolean> {
  const [taken] = await tx.rows`
    SELECT 1 FROM "Duckling" WHERE "email" = ${address}
    UNION ALL SELECT 1 FROM (${reservationsOf(address, now)}) AS r WHERE r."ducklingId" <> ${caller.id} LIMIT 1`
  return taken !== undefined
}

/** An old address that was never verified gets no link, because it may belong to another person. */
async function mailUndoLink(tx: Tx, context: DucklingContext, before: LockedDuckling): Promise<void> {
  const { caller, now } = context
  if (before.email === null || before.emailVerifiedAt === null) return
  const link = {
    kind: 'email_undo' as const,
    ducklingId: caller.id,
    address: before.email,
    subjectId: caller.sessionId,
    waits: await isConfirmedByOlder(tx, context, knownSince(now)),
  }
  const createdAt = await afterNewestLink(tx, caller.id, now)
  await createLink(tx, { ...link, createdAt, expiresAt: secondsAfter(now, undoSeconds) }, now)
}

/**
 * Returns the time of a new link: now, or one millisecond after the account's newest link. An undo voids later links, so their
 * order matters. Of two simultaneous changes, the change that commits later may have started earlier.
 */
async function afterNewestLink(tx: Tx, ducklingId: string, now: Date): Promise<Date> {
  const newest = await tx.mailLink.findFirst({
    where: { kind: 'email_undo', ducklingId },
    orderBy: { createdAt: 'desc' },
    select: { createdAt: true },
  })
  return newest === null || newest.createdAt < now ? now : new Date(newest.createdAt.getTime() + 1)
}
