/**
 * Sends a message through SMTP or Twilio. Without a configured provider it stores the message in the development outbox: one JSON file
 * per message in `DATA_DIR/outbox`. Only the worker calls this, and tries again after an error.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendMailOptions, Transporter } from 'nodemailer'
import { z } from 'zod'
import { type Config, config } from '@/lib/kernel/config'
import { readClock } from '@/lib/kernel/runtime/clock'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { randomSecret } from '@/lib/kernel/secrets/secrets'
import { delivering, mailError, NotDelivered, noteTaken } from './not-delivered'

export interface Message {
  /** Kind of the message, for instance `signin_code`. */
  kind: string
  to: string
  /** Null for an SMS. */
  subject: string | null
  text: string
  /** The same in HTML. An SMS has none. */
  html?: string
  replyTo?: string
  /** Makes the Message-ID. A mail that is sent again after a crash has the same one, so that mail programs can show it once. */
  mailId?: string
  /** URL for the unsubscribe button of mail clients (RFC 8058). */
  unsubscribeUrl?: string
}

/** Connections to the mail server that are kept open for the next mails. */
const maxConnections = 8

/** Loads the library at the first mail, because many instances send none. */
function transport(url: string): Promise<Transporter> {
  return singleton('smtp', async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url,
      pool: true,
      maxConnections,
      maxRequeues: 1,
      connectionTimeout: 10_000,
      socketTimeout: 20_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  })
}

/** Breaks lines at spaces after at most 72 characters, so that the mail needs no transport encoding. */
function wrap(text: string): string {
  return text.replace(/(?=[^\n]{73})([^\n]{1,72}) +/g, '$1\n')
}

/** Sends a mail to one recipient. Throws `NotDelivered`. */
export function sendMail(message: Message): Promise<void> {
  const { smtp } = config()
  return delivering('mail', () => (smtp === null ? storeInOutbox(message) : sendOverSmtp(smtp, message)))
}

async function sendOverSmtp(smtp: { url: string; from: string }, message: Message): Promise<void> {
  const sender = await transport(smtp.url)
  const mail: SendMailOptions = {
    from: { name: config().mailName, address: smtp.from },
    // An address object, because a string would be parsed as a list of addresses.
    to: { name: '', address: message.to },
    subject: message.subject ?? '',
    date: readClock(),
    text: wrap(message.text),
    // multipart/alternative: the mail program shows one of the two.
    ...(message.html === undefined ? {} : { html: message.html }),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Beak-Kind': message.kind },
    ...(message.mailId ? { messageId: `<${message.mailId}@${new URL(config().baseUrl).hostname}>` } : {}),
    ...(message.replyTo ? { replyTo: { name: '', address: message.replyTo } } : {}),
    ...(message.unsubscribeUrl ? { list: { unsubscribe: message.unsubscribeUrl } } : {}),
  }
  await sender.sendMail(mail).catch((error: Error) => {
    throw mailError(error, message.to)
  })
  noteTaken(message.to)
}

/** Connects to the mail server and signs in there, and sends nothing. Throws `NotDelivered`. */
export async function checkMailServer(): Promise<void> {
  const { smtp } = config()
  if (smtp === null) return
  const sender = await transport(smtp.url)
  await sender.verify().catch((error: Error) => {
    throw mailError(error)
  })
}

/** Sends a text message with Twilio. Throws `NotDelivered`. */
export function sendSms(message: Message): Promise<void> {
  const { twilio } = config()
  return delivering('text messages', () =>
    twilio === null ? storeInOutbox(message) : sendWithTwilio(twilio, message),
  )
}

/** Twilio's error codes for a number that is not one, has unsubscribed, or is not mobile. Others are about the account or the service. */
const refusedCodes = new Set([21211, 21610, 21614])
const TwilioError = z.object({ code: z.number() })

async function sendWithTwilio(twilio: NonNullable<Config['twilio']>, message: Message): Promise<void> {
  const response = await fetch(`${twilio.apiUrl}/2010-04-01/Accounts/${twilio.accountSid}/Messages.json`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from(`${twilio.accountSid}:${twilio.authToken}`).toString('base64')}`,
    },
    body: new URLSearchParams({ To: message.to, From: twilio.from, Body: message.text }),
    signal: AbortSignal.timeout(15_000),
  }).catch((error: Error) => {
    throw new NotDelivered('provider', `Twilio cannot be reached: ${error.message}`)
  })
  if (response.ok) return
  const { data } = TwilioError.safeParse(await response.json().catch(() => null))
  throw new NotDelivered(
    data !== undefined && refusedCodes.has(data.code) ? 'refused' : 'provider',
    `Twilio answered ${response.status}${data === undefined ? '' : `, error ${data.code}`}`,
  )
}

/** Writes a temporary file and renames it, so that readers never see half a message. Throws when no outbox is configured. */
async function storeInOutbox(message: Message): Promise<void> {
  if (!config().hasOutbox)
    throw new NotDelivered(
      'provider',
      message.subject === null ? 'TWILIO_ACCOUNT_SID is not set' : 'SMTP_URL is not set',
    )
  const folder = join(/* turbopackIgnore: true */ config().dataDir, 'outbox')
  const now = readClock().toISOString()
  const name = `${now.replaceAll(/[:.]/g, '-')}-${randomSecret(5)}`
  const { kind, to, subject, text, html = null } = message
  const path = join(/* turbopackIgnore: true */ folder, name)
  const content = `${JSON.stringify({ kind, to, subject, text, html, created_at: now }, null, 2)}\n`
  const write = () => writeFile(`${path}.tmp`, content, { mode: 0o600 })
  await write().catch(async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await write()
  })
  await rename(`${path}.tmp`, `${path}.json`)
}
