/**
 * Tells a mailbox that does not exist from a mail server that refuses everybody, because it knows our sender no more, or because its own list of
 * mailboxes is gone. Both may answer "550". Only what the server takes from us for others shows that the mailbox is the reason.
 */

import { readClock } from '@/lib/kernel/runtime/clock'
import { log } from '@/lib/kernel/runtime/log'
import { singleton } from '@/lib/kernel/runtime/singleton'

/** After so many different recipients without a mail that was taken, the reason is the server. */
const recipientsMax = 3
/** Recipients in memory. The oldest are forgotten first, and then count as new. */
const keptMax = 10_000

const state = () =>
  singleton('mail.refused', () => ({
    /** How many mails the server has taken. */
    taken: 0,
    /** How many it had taken when it refused this recipient first. */
    refused: new Map<string, number>(),
    sinceTaken: new Set<string>(),
  }))

/** Notes that the server has taken a mail. */
export function noteTaken(to: string): void {
  const current = state()
  current.taken++
  current.refused.delete(to)
  current.sinceTaken.clear()
}

/**
 * Notes that the server has refused a recipient for ever, and returns whom that is about: `refused`, the recipient, because the server has taken
 * mails for others since it refused this one first; `doubtful`, nobody knows yet; or `provider`, everybody.
 */
function judgeRefused(to: string): 'refused' | 'doubtful' | 'provider' {
  const { taken, refused, sinceTaken } = state()
  const first = refused.get(to)
  if (first !== undefined && first < taken) return 'refused'
  refused.set(to, first ?? taken)
  const [oldest] = refused.keys()
  if (refused.size > keptMax && oldest !== undefined) refused.delete(oldest)
  sinceTaken.add(to)
  return sinceTaken.size < recipientsMax ? 'doubtful' : 'provider'
}

/** Why a message was not delivered, and the state of the mail server and of the SMS provider in the log. */

/**
 * Who did not take a message: `provider`, so that others wait too; `deferred`, this message for now (a greylist, RFC 6647); `refused`, this
 * recipient for ever; or `doubtful`, a recipient whom a server refuses that has taken nothing else since.
 */
type Refusal = 'provider' | 'deferred' | 'refused' | 'doubtful'

export class NotDelivered extends Error {
  override readonly name = 'NotDelivered'

  constructor(
    readonly refusal: Refusal,
    message: string,
  ) {
    super(message)
  }
}

/** What nodemailer says about the reply of a mail server. */
interface SmtpError extends Error {
  code?: string
  responseCode?: number
  response?: string
  command?: string
}

/** Reply codes for a mailbox that does not exist, from servers without enhanced codes (RFC 5321, section 4.2.3). */
const noMailbox = new Set([550, 551, 553])
/** No such mailbox or domain, a mailbox that was disabled (RFC 3463, sections 3.2 and 3.3). Other codes, such as 5.7.1, are about us. */
const noMailboxEnhanced = /^5\.(?:1\.(?:[012356]|10)|2\.1)$/
/** Words of servers without enhanced codes that refuse us, and not the recipient. */
const aboutUs =
  /relay|sender|\bfrom\b|auth|denied|policy|block|spam|reputation|not (?:allowed|permitted|local)/i
/** The server closes the connection (RFC 5321, section 4.2.2). */
const closing = 421

function refusalOf({ command = '', responseCode = 0, response = '' }: SmtpError): Refusal {
  if (responseCode === 0 || responseCode === closing) return 'provider'
  if (command === 'DATA') return 'deferred'
  if (command !== 'RCPT TO') return 'provider'
  if (responseCode < 500) return 'deferred'
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
  const isGone =
    enhanced === undefined
      ? noMailbox.has(responseCode) && !aboutUs.test(response)
      : noMailboxEnhanced.test(enhanced)
  return isGone ? 'refused' : 'provider'
}

/**
 * Returns the error of a mail server as a `NotDelivered`. The message has the reply of the server, which may have an address. `to`: the
 * recipient, when a mail was sent.
 */
export function mailError(error: SmtpError, to?: string): NotDelivered {
  const { message, code } = error
  const refusal = refusalOf(error)
  return new NotDelivered(
    refusal === 'refused' && to !== undefined ? judgeRefused(to) : refusal,
    code === undefined ? message : `${code}: ${message}`,
  )
}

type Channel = 'mail' | 'text messages'

const failing = () => singleton('mail.failing', () => new Map<Channel, { since: Date; count: number }>())

/** Runs one delivery. Logs one line when deliveries of a channel begin to fail, and one when they succeed again. */
export async function delivering<T>(channel: Channel, deliver: () => Promise<T>): Promise<T> {
  const states = failing()
  try {
    const result = await deliver()
    const state = states.get(channel)
    states.delete(channel)
    if (state !== undefined) log().warn({ channel, ...state }, 'deliveries succeed again')
    return result
  } catch (error) {
    if (!(error instanceof NotDelivered)) throw error
    if (error.refusal !== 'provider') {
      log().info({ channel, refusal: error.refusal }, 'a recipient was not accepted')
      throw error
    }
    const state = states.get(channel)
    if (state === undefined)
      log().error({ channel, error: error.message }, 'deliveries fail and are tried again')
    states.set(channel, { since: state?.since ?? readClock(), count: (state?.count ?? 0) + 1 })
    throw error
  }
}
