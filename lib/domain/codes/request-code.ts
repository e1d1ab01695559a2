/** Enqueues one-time codes, within the limits on sending (contract A, OTP). `codes.ts` spends them. */
import type { Tx } from '@/lib/db/client'
import { lockName } from '@/lib/db/transaction'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import { day, minute, secondsAfter, secondsUntil } from '@/lib/kernel/clock'
import type { Caller, Context } from '@/lib/kernel/context'
import type { Failure } from '@/lib/kernel/failures'
import { newId } from '@/lib/kernel/ids'
import type { MailPurpose, SendPurpose } from './codes'
import { countCodeText } from './texts'

const sendsMax = { window: 10 * minute, sends: 3, dailySends: 20 }

/**
 * Enqueues a code by mail. Throws `code_sends_exhausted` when 3 codes in 10 minutes or 20 in a day were sent to the address
 * already.
 */
export async function requestCode(
  tx: Tx,
  context: Context<Caller, 'code_sends_exhausted'>,
  purpose: MailPurpose,
  address: string,
  ducklingId: string,
): Promise<void> {
  const until = await enqueueCode(tx, context, purpose, address, ducklingId)
  if (until !== null) throw sendsExhausted(context, until)
}

/**
 * Enqueues a code by SMS to a phone number. Throws `code_sends_exhausted` as `requestCode` does, or `texts_exhausted` when a limit
 * of text messages is reached.
 */
export async function requestTextCode(
  tx: Tx,
  context: Context<Caller, 'code_sends_exhausted' | 'texts_exhausted'>,
  number: string,
  ducklingId: string,
): Promise<void> {
  const until = await findPauseEnd(tx, context.now, number, null)
  if (until !== null) throw sendsExhausted(context, until)
  await countCodeText(tx, context, ducklingId, number)
  await createCode(tx, context, { purpose: 'phone', address: number, ducklingId, deviceId: null })
}

/**
 * Enqueues a code by mail, and returns null. When too many were sent to the address, enqueues nothing and returns when the next one
 * may be sent. `ducklingId` is null for sign-in, where only the worker that sends the mail looks up the account of the address.
 * A known device (`deviceId`) has its own limits and its own codes.
 */
export async function enqueueCode(
  tx: Tx,
  context: Context,
  purpose: MailPurpose,
  address: string,
  ducklingId: string | null,
  deviceId: string | null = null,
): Promise<Date | null> {
  const until = await findPauseEnd(tx, context.now, address, deviceId)
  if (until === null) await createCode(tx, context, { purpose, address, ducklingId, deviceId })
  return until
}

/** Returns when the next code may be sent to the address, or null when that is now. Locks the address. */
async function findPauseEnd(
  tx: Tx,
  now: Date,
  address: string,
  deviceId: string | null,
): Promise<Date | null> {
  await lockName(tx, `code:${address}`)
  const sent = await tx.otpCode.findMany({
    where: { address, deviceId, createdAt: { gt: secondsAfter(now, -day) } },
    orderBy: { createdAt: 'desc' },
    take: sendsMax.dailySends,
    select: { createdAt: true },
  })
  const oldestOfDay = sent[sendsMax.dailySends - 1]
  if (oldestOfDay) return secondsAfter(oldestOfDay.createdAt, day)
  const oldestOfWindow = sent[sendsMax.sends - 1]
  if (oldestOfWindow && oldestOfWindow.createdAt > secondsAfter(now, -sendsMax.window))
    return secondsAfter(oldestOfWindow.createdAt, sendsMax.window)
  return null
}

interface NewCode {
  purpose: SendPurpose
  address: string
  ducklingId: string | null
  deviceId: string | null
}

async function createCode(tx: Tx, { now, requestId }: Context, code: NewCode): Promise<void> {
  const id = newId('otp', now)
  await tx.otpCode.create({ data: { id, ...code, createdAt: now } })
  const kind = code.purpose === 'phone' ? 'text_code' : 'code'
  enqueue(tx, now, kind, { otp_id: id, request_id: requestId })
}

function sendsExhausted(context: Context<Caller, 'code_sends_exhausted'>, until: Date): Failure {
  return context.fail('code_sends_exhausted', { retry_after: secondsUntil(until, context.now) })
}
