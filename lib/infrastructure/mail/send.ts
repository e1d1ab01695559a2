/**
 * Hands a message to the provider: SMTP and Twilio where they are configured, else the development outbox, one JSON file a
 * message in `DATA_DIR/outbox` (contract E). Only the worker calls this; an error means "try again later".
 */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type Transporter } from 'nodemailer'
import { readClock } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import { randomSecret } from '@/lib/kernel/secrets'
import { singleton } from '@/lib/kernel/singleton'

export interface Message {
  /** What sort of message it is, for instance `signin_code`. */
  kind: string
  to: string
  /** Null for an SMS. */
  subject: string | null
  text: string
  replyTo?: string
  /** RFC 8058: where a mail client unsubscribes. */
  unsubscribeUrl?: string
}

function transport(url: string): Transporter {
  return singleton('smtp', () =>
    createTransport({
      url,
      connectionTimeout: 10_000,
      socketTimeout: 20_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  )
}

/** Lines of at most 72 characters where there are spaces to break at, so that no reader meets transport encoding. */
function wrap(text: string): string {
  return text.replace(/(?=[^\n]{73})([^\n]{1,72}) +/g, '$1\n')
}

/** Sends a mail to its one recipient. */
export async function sendMail(message: Message): Promise<void> {
  const { smtp } = config()
  if (smtp === null) return keepInOutbox(message)
  await transport(smtp.url).sendMail({
    from: { name: 'Beak', address: smtp.from },
    // As an address object, so that nothing in it is read as a list.
    to: { name: '', address: message.to },
    subject: message.subject ?? '',
    text: wrap(message.text),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Beak-Kind': message.kind },
    ...(message.replyTo ? { replyTo: { name: '', address: message.replyTo } } : {}),
    ...(message.unsubscribeUrl ? { list: { unsubscribe: message.unsubscribeUrl } } : {}),
  })
}

/** Sends a text message through Twilio's Messages resource. */
export async function sendSms(message: Message): Promise<void> {
  const { twilio } = config()
  if (twilio === null) return keepInOutbox(message)
  const response = await fetch(`${twilio.apiUrl}/2010-04-01/Accounts/${twilio.accountSid}/Messages.json`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from(`${twilio.accountSid}:${twilio.authToken}`).toString('base64')}`,
    },
    body: new URLSearchParams({ To: message.to, From: twilio.from, Body: message.text }),
    signal: AbortSignal.timeout(15_000),
  })
  if (!response.ok) throw new Error(`Twilio answered ${response.status}`)
}

/** Written beside and renamed, so that a reader never sees half a message. Fails where there is no outbox to keep it in. */
async function keepInOutbox(message: Message): Promise<void> {
  if (!config().hasOutbox)
    throw new Error(message.subject === null ? 'TWILIO_ACCOUNT_SID is not set' : 'SMTP_URL is not set')
  const folder = join(/* turbopackIgnore: true */ config().dataDir, 'outbox')
  const now = readClock().toISOString()
  const name = `${now.replaceAll(/[:.]/g, '-')}-${randomSecret(5)}`
  const { kind, to, subject, text } = message
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, name)
  await writeFile(
    `${path}.tmp`,
    `${JSON.stringify({ kind, to, subject, text, created_at: now }, null, 2)}\n`,
    { mode: 0o600 },
  )
  await rename(`${path}.tmp`, `${path}.json`)
}
