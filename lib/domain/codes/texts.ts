/**
 * Limits text messages. They cost money, and some numbers pay their owner for each message. Each message is counted when it is
 * enqueued, by number, address block and service (contract F, SMS).
 */
import { db, type Tx } from '@/lib/db/client'
import { lockName } from '@/lib/db/transaction'
import { countToday, nextDay } from '@/lib/infrastructure/events/handover'
import { enqueue, type OutboxPayloads, Postponed, unknownSeconds } from '@/lib/infrastructure/events/outbox'
import { isKnownText, type TextNotice, textMessage } from '@/lib/infrastructure/mail/link'
import { readReader, writeFor } from '@/lib/infrastructure/mail/reader'
import { sendSms } from '@/lib/infrastructure/mail/send'
import { config } from '@/lib/kernel/config'
import type { Caller, Context } from '@/lib/kernel/request/context'
import { addressBlock } from '@/lib/kernel/request/host-name'
import { readPhoneNumber } from '@/lib/kernel/request/phone-number'
import { day, secondsAfter, secondsUntil } from '@/lib/kernel/runtime/clock'
import { keyedHash } from '@/lib/kernel/secrets/secrets'

const numbersMax = 5
const numberDailyMax = 10
const blockDailyMax = 50

const hashed = (value: string) => keyedHash('subject', value).toString('base64url')

/** Counts one text message to a number. Returns false when the number, the caller's address block or the service has reached its limit. */
async function countText(tx: Tx, { now, ip }: Context, number: string): Promise<boolean> {
  // The row of the service comes last, because all requests for texts wait for its lock.
  return (
    (await countToday(tx, 'sms_number', hashed(number), numberDailyMax, now)) &&
    (await countToday(tx, 'sms_block', hashed(addressBlock(ip)), blockDailyMax, now)) &&
    (await countToday(tx, 'sms_service', '', config().smsDailyMax, now))
  )
}

/**
 * Counts a code by SMS that an account requests. Throws `too_many_text_messages` when the account has requested codes for five other numbers
 * in the last 24 hours, or when a daily limit is reached.
 */
export async function countCodeText(
  tx: Tx,
  context: Context<Caller, 'too_many_text_messages'>,
  ducklingId: string,
  number: string,
): Promise<void> {
  const { now } = context
  const exhausted = (until: Date) =>
    context.fail('too_many_text_messages', { retry_after: secondsUntil(until, now) })
  await lockName(tx, `texts:${ducklingId}`)
  const others = await tx.otpCode.groupBy({
    by: ['address'],
    where: {
      ducklingId,
      purpose: 'phone',
      address: { not: number },
      createdAt: { gt: secondsAfter(now, -day) },
    },
    _max: { createdAt: true },
  })
  if (others.length >= numbersMax) {
    const first = Math.min(...others.map(({ _max }) => _max.createdAt?.getTime() ?? now.getTime()))
    throw exhausted(secondsAfter(new Date(first), day))
  }
  if (!(await countText(tx, context, number))) throw exhausted(nextDay(now))
}

/**
 * Enqueues a text message to the account's verified number. Does nothing when there is no such number, when texts to it are not allowed,
 * or when a limit is reached, because the same notice is also mailed.
 */
export async function enqueueText(
  tx: Tx,
  context: Context,
  ducklingId: string,
  notice: TextNotice,
  due: Date,
): Promise<void> {
  const number = await verifiedNumber(tx, ducklingId)
  if (number === null || !(await countText(tx, context, number))) return
  const of = { duckling_id: ducklingId, due: due.toISOString() }
  if (notice === 'recovery_started') enqueue(tx, context.now, 'text', { ...of, notice })
  else enqueue(tx, context.now, 'text_since_0_3', { ...of, notice })
}

/** Sends a text message to the account's verified number, when it still has one. Called by the worker. */
export async function sendText(
  { duckling_id, notice, due }: OutboxPayloads['text' | 'text_since_0_3'],
  now: Date,
): Promise<void> {
  if (!isKnownText(notice)) throw new Postponed(secondsAfter(now, unknownSeconds))
  const number = await verifiedNumber(db(), duckling_id)
  if (number === null) return
  const reader = await readReader(db(), duckling_id)
  await sendSms({
    ...writeFor(reader, () => textMessage(notice, { due: due === undefined ? null : new Date(due), reader })),
    to: number,
  })
}

async function verifiedNumber(tx: Tx, id: string): Promise<string | null> {
  const duckling = await tx.duckling.findFirst({
    where: { id, deletedAt: null, phoneVerifiedAt: { not: null } },
    select: { phone: true },
  })
  if (!duckling?.phone) return null
  const read = readPhoneNumber(duckling.phone)
  return 'number' in read ? read.number : null
}
