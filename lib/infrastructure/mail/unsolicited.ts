/**
 * Mails that their recipient did not request: at most 20 to an address per UTC day (contract F, Mail). Codes and notices of waiting
 * pecks are not limited here.
 *
 * Newsletter confirmations and support receipts also go to addresses of unverified accounts. Anybody can enter any address
 * there, and the responses must not show which addresses have an account. The share of strangers limits these mails (contract F, Mail).
 */

import { db } from '@/lib/db/client'
import { countToday, nextDay, uncount } from '@/lib/infrastructure/events/handover'
import { Postponed } from '@/lib/infrastructure/events/outbox'
import { keyedHash } from '@/lib/kernel/secrets/secrets'
import { type Message, sendMail } from './send'

/**
 * `stranger`: everybody who knows the address can cause the mail. `account`: a notice to the owner. `change`: about sensitive changes, which
 * a thief could cause each minute. `urgent`: without the mail, the owner may lose the account.
 */
export type MailUrgency = 'stranger' | 'account' | 'change' | 'urgent'

/**
 * Mails per day up to which each urgency can send (contract F, Mail). Without shares, strangers could use up all 20 mails, and a security
 * notice would not reach its owner.
 */
const shares: Record<MailUrgency, number> = { stranger: 5, account: 15, change: 17, urgent: 20 }

/**
 * Sends an unsolicited mail. When its share of the day is used up, it drops the mail of a stranger, and for other mails throws
 * `Postponed`, so that the worker sends it the next day.
 */
export function sendUnsolicited(message: Message, urgency: MailUrgency, now: Date): Promise<void> {
  return writeUnsolicited(message.to, urgency, now, async () => message)
}

/**
 * The same for a mail that is written only when it can be sent, for instance because of a link in it. `write` returns null when
 * there is nothing to send.
 */
export async function writeUnsolicited(
  to: string,
  urgency: MailUrgency,
  now: Date,
  write: () => Promise<Omit<Message, 'to'> | null>,
): Promise<void> {
  const key = keyedHash('subject', to).toString('base64url')
  if (!(await countToday(db(), 'mail', key, shares[urgency], now))) {
    if (urgency === 'stranger') return
    throw new Postponed(nextDay(now))
  }
  let sent = false
  try {
    const message = await write()
    if (message !== null) {
      await sendMail({ ...message, to })
      sent = true
    }
  } finally {
    // A failed attempt must not count.
    if (!sent) await uncount(db(), 'mail', key, now)
  }
}
