/**
 * Mails that nobody asked for: at most 20 to an address in a UTC day (contract F, Mail). Codes and notices of waiting pecks are
 * exempt and do not come here.
 *
 * Spec silent: newsletter confirmations and support receipts also go to the address of an unverified account. Anybody may give any
 * address there, and the answers must not tell which have an account; the share of strangers limits them.
 */

import { transaction } from '@/lib/db/transaction'
import { countToday, nextDay, uncount } from '@/lib/infrastructure/events/daily-count'
import { Postponed } from '@/lib/infrastructure/events/postponed'
import { keyedHash } from '@/lib/kernel/secrets'
import { type Message, sendMail } from './send'

/**
 * `stranger`: anybody can cause it who knows the address. `account`: an ordinary notice to the owner. `urgent`: the owner may
 * lose the account without it.
 */
export type MailUrgency = 'stranger' | 'account' | 'urgent'

/**
 * How many of the day's mails each may use. Spec silent: without shares strangers could use up all 20 and so keep a security
 * notice from its owner.
 */
const shares: Record<MailUrgency, number> = { stranger: 5, account: 15, urgent: 20 }

/**
 * Sends a mail that nobody asked for. Beyond its share of the day a stranger's mail is dropped; for any other this throws
 * `Postponed`, so that the worker sends it the next day.
 */
export function sendUnsolicited(message: Message, urgency: MailUrgency, now: Date): Promise<void> {
  return writeUnsolicited(message.to, urgency, now, async () => message)
}

/**
 * The same for a mail that is only written when it may be sent, for instance because a link in it is made then. `write` returns
 * null when there is nothing to send after all.
 */
export async function writeUnsolicited(
  to: string,
  urgency: MailUrgency,
  now: Date,
  write: () => Promise<Omit<Message, 'to'> | null>,
): Promise<void> {
  const key = keyedHash('subject', to).toString('base64url')
  if (!(await transaction((tx) => countToday(tx, 'mail', key, shares[urgency], now)))) {
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
    // A provider that is down must not use up the day.
    if (!sent) await transaction((tx) => uncount(tx, 'mail', key, now))
  }
}
