/**
 * `webhook listen`: brings the webhooks of a service to a program on this computer. A service on this computer delivers them directly. A
 * service elsewhere cannot reach this computer, so the command follows the deliveries of a webhook and repeats each of them here.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { BeakError, isTransient } from '../../errors'
import type { WebhookDelivery } from '../../generated/schemas'
import { command } from '../command'
import { Exit, exitCodes, usageFault } from '../exit'
import { safe } from '../output'
import { type Message, startReceiver } from '../receiver'
import type { Session } from '../session'

const pollMilliseconds = 2_000
const forwardTimeout = 15_000

export const webhookListen = command({
  name: 'webhook listen',
  summary: 'Bring webhooks to a program on this computer.',
  details: `Prints each message, and forwards it with --forward. Each message is signed; check it with the secret that is printed.
A service on this computer delivers directly: the command creates a webhook and deletes it at the end. (The service needs
WEBHOOK_ALLOW_PRIVATE=true, as "beak dev" has it.) For any other service, name a webhook with --webhook: the command follows its deliveries
and repeats them here, with a secret of its own.`,
  options: {
    forward: {
      type: 'string',
      value: 'address',
      summary: 'Where to send each message, such as http://127.0.0.1:4000/hooks.',
    },
    webhook: { type: 'string', value: 'webhook-id', summary: 'Follow this webhook: WHK-….' },
    kind: {
      type: 'string',
      multiple: true,
      value: 'kind',
      summary: 'Only messages of this kind, such as peck.approved. Repeat it.',
    },
    secret: { type: 'string', value: 'secret', summary: 'With --webhook: sign with this secret (whsec_…).' },
  },
  async run({ options: { forward, webhook, kind, secret }, session }) {
    if (forward !== undefined && !/^https?:\/\//.test(forward))
      throw usageFault('--forward must be a web address.')
    if (secret !== undefined && webhook === undefined) throw usageFault('--secret needs --webhook.')
    const pass = (message: Message) => passOn(session, message, forward)
    if (webhook === undefined) await receive(session, kind, pass)
    else await follow(session, webhook, kind, secret ?? `whsec_${randomBytes(24).toString('base64')}`, pass)
  },
})

/** Forwards a verified message, prints it, and returns the status for the sender. */
async function passOn(
  session: Session,
  { body, headers }: Message,
  forward: string | undefined,
): Promise<number> {
  const { type, data } = JSON.parse(body) as { type: string; data: unknown }
  const id = headers['webhook-id'] ?? ''
  const status = forward === undefined ? null : await send(forward, { body, headers })
  const line = session.output.isJson
    ? JSON.stringify({ type, message_id: id, status, data })
    : [
        new Date().toISOString(),
        safe(type),
        id,
        ...(status === null ? [] : [`→ ${status || 'not reachable'}`]),
      ].join('  ')
  session.output.print(`${line}\n`)
  // The service tries again later, as it would with a server of yours.
  return status === 0 ? 502 : (status ?? 200)
}

/** Returns the status of the program that gets the message, or 0 when it cannot be reached. */
async function send(url: string, { body, headers }: Message): Promise<number> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { ...headers, 'Content-Type': 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(forwardTimeout),
    })
    await response.body?.cancel()
    return response.status
  } catch {
    return 0
  }
}

/** Creates a webhook that leads here, and deletes it at the end. */
async function receive(
  session: Session,
  kinds: string[],
  pass: (message: Message) => Promise<number>,
): Promise<void> {
  const beak = await session.beak('createWebhook')
  // A message can arrive before the answer with its secret does.
  let setSecret: (secret: string) => void = () => undefined
  const secret = new Promise<string>((resolve) => {
    setSecret = resolve
  })
  const receiver = await startReceiver(async (message) => {
    const { verifyWebhook } = await import('../../webhooks')
    // The program behind decides about messages of test services: it gets the body unchanged.
    const options = { allowTest: true }
    const verdict = await verifyWebhook(await secret, message.headers, message.body, new Date(), options)
    if (!verdict.ok) {
      session.output.note(`Refused: ${verdict.fault.message}`)
      return 401
    }
    return pass(message)
  })
  try {
    const created = await beak
      .createWebhook({ url: receiver.url, kinds: kinds as never, description: 'beak webhook listen' })
      .catch((error: unknown) => {
        throw isPrivateAddressRefused(error)
          ? new Exit(
              exitCodes.refused,
              'This service sends no webhooks to private addresses.',
              'Follow a webhook that has a public address: beak webhook listen --webhook WHK-…',
            )
          : error
      })
    setSecret(created.secret)
    if (!created.enabled)
      session.output.note(`Switch the webhook on in your browser: ${beak.url}/webhooks/${created.webhook_id}`)
    session.output.note(`Listening. Secret: ${created.secret}\nPress Ctrl+C to stop.`)
    await untilInterrupted(session.signal)
    await beak.deleteWebhook({ webhook_id: created.webhook_id })
  } finally {
    await receiver.stop()
  }
}

const isPrivateAddressRefused = (error: unknown) =>
  error instanceof BeakError && error.code === 'E4000' && error.errors.some(({ field }) => field === 'url')

const untilInterrupted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Follows the deliveries of a webhook, and passes on those that begin after the command. */
async function follow(
  session: Session,
  webhook_id: string,
  kinds: string[],
  secret: string,
  pass: (message: Message) => Promise<number>,
): Promise<void> {
  const beak = await session.beak('listDeliveries')
  const key = keyOf(secret)
  const seen = new Set<string>()
  const { items } = await beak.listDeliveries({ webhook_id, limit: 100 })
  for (const { delivery_id } of items) seen.add(delivery_id)
  session.output.note(`Following ${webhook_id}. Secret: ${secret}\nPress Ctrl+C to stop.`)
  while (!session.signal.aborted) {
    await sleep(pollMilliseconds, undefined, { signal: session.signal }).catch(() => undefined)
    if (session.signal.aborted) return
    const fresh = await newDeliveries(() => beak.iterate('listDeliveries', { webhook_id, limit: 100 }), seen)
    for (const delivery of fresh)
      if (kinds.length === 0 || kinds.includes(delivery.type)) await pass(repeatOf(delivery, key))
  }
}

/** Returns the bytes of a secret (Standard Webhooks: `whsec_` and base64). */
function keyOf(secret: string): Buffer {
  const key = /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)
    ? Buffer.from(secret.slice('whsec_'.length), 'base64')
    : null
  if (key === null || key.length < 16) throw usageFault('--secret must be the secret of a webhook: whsec_….')
  return key
}

/** Returns the deliveries that are not in `seen`, oldest first, and adds them. Reads on until a whole page was seen before. */
async function newDeliveries(
  list: () => AsyncIterable<WebhookDelivery>,
  seen: Set<string>,
): Promise<WebhookDelivery[]> {
  const fresh: WebhookDelivery[] = []
  let known = 0
  try {
    for await (const delivery of list()) {
      if (!seen.has(delivery.delivery_id)) fresh.unshift(delivery)
      // Ids of several instances may be a little out of order, so this does not end at the first one.
      else if (++known === 100) break
    }
  } catch (error) {
    // The next round reads the same deliveries again.
    if (isTransient(error)) return []
    throw error
  }
  for (const { delivery_id } of fresh) seen.add(delivery_id)
  return fresh
}

/** Returns a delivery as the service sends it, signed at this moment with another secret. */
function repeatOf({ message_id, type, data, created_at }: WebhookDelivery, key: Buffer): Message {
  const body = JSON.stringify({ type, timestamp: created_at, data })
  const timestamp = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', key).update(`${message_id}.${timestamp}.${body}`).digest('base64')
  return {
    body,
    headers: {
      'webhook-id': message_id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature}`,
    },
  }
}
