/**
 * Receives webhooks (Standard Webhooks, https://www.standardwebhooks.com): verifies the signature, and calls a function for each kind of
 * event. Runs where `Request` and Web Crypto exist: Node, Deno, Bun, edge functions. For `node:http` and Express see `@beak/client/webhooks/node`.
 */

import { bytesOfText, joined } from '@beak/proofs/bytes'
import { environmentOf } from '@beak/proofs/environment'
import { readLimited } from '@beak/proofs/read-limited'
import {
  isTestAllowed,
  isTestMarked,
  type TestOptions,
  testCredential,
  testMessage,
} from '@beak/proofs/test-mark'
import type { Verdict } from '@beak/proofs/token'
import {
  isWebhookKind,
  type WebhookEvent,
  type WebhookEventOf,
  type WebhookKind,
  type WebhookStore,
} from './webhook-store'

export type { TestOptions } from '@beak/proofs/test-mark'
export type * from './webhook-store'
export { memoryWebhookStore, type WebhookStore, webhookKinds } from './webhook-store'

/** A message with a valid signature. */
export interface WebhookMessage {
  /** `webhook-id`. A message that is sent again has the same id. */
  id: string
  /** When this attempt was signed. `event.timestamp` says when the event happened. */
  sentAt: Date
  /** The kind of event, also of a kind that this version does not know. */
  type: string
  /** Null for a kind that this version does not know. */
  event: WebhookEvent | null
}

export type WebhookReason =
  /** A header is missing, or the body is not an event. */
  | 'malformed'
  /** None of the secrets made a signature of this message. */
  | 'wrong_signature'
  /** Signed more than five minutes ago: somebody may have recorded the message and sends it again. */
  | 'too_old'
  /** Signed more than five minutes in the future. */
  | 'too_new'
  /** A test service sent it, and `allowTest` is not set. */
  | 'test_credential'

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** As Standard Webhooks recommends. */
const toleranceMs = 5 * 60 * 1000
/** During a rotation there are two. */
const signaturesMax = 16

/**
 * Verifies a message. `secret` is the secret of the endpoint (`whsec_…`), or several during a rotation. `body` is the raw body: parsing and
 * writing it again changes bytes. Refuses messages of a test service without `allowTest`. Throws `TypeError` only for a secret that is none.
 */
export async function verifyWebhook(
  secret: string | readonly string[],
  headers: WebhookHeaders,
  body: string | Uint8Array,
  now = new Date(),
  options: TestOptions = {},
): Promise<Verdict<WebhookMessage, WebhookReason>> {
  const secrets = keysOf(secret)
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    readHeader(headers, name),
  )
  if (!id || !signatures || !timestamp || !/^\d{1,12}$/.test(timestamp))
    return refuse('malformed', 'A header of the webhook is missing or invalid.')
  const sentAt = new Date(Number(timestamp) * 1000)
  const age = now.getTime() - sentAt.getTime()
  if (age > toleranceMs) return refuse('too_old', `The webhook was signed at ${sentAt.toISOString()}.`)
  if (age < -toleranceMs) return refuse('too_new', `The webhook was signed at ${sentAt.toISOString()}.`)
  const bytes = typeof body === 'string' ? bytesOfText(body) : body
  const signed = joined(bytesOfText(`${id}.${timestamp}.`), bytes)
  if (!(await isSigned(signed, signatures, secrets)))
    return refuse('wrong_signature', 'The signature of the webhook does not match its secret.')
  const content = jsonOf(bytes)
  // The secret says which service sent it, and no member of the message does.
  const isAllowed = options.allowTest === true || isTestAllowed(options, environmentOf('BEAK_URL'))
  if (isTestMarked(content) && !isAllowed) return refuse(testCredential, testMessage)
  const event = readEvent(content)
  if (event === null) return refuse('malformed', 'The body of the webhook is not an event.')
  const known = isWebhookKind(event.type) ? (event as WebhookEvent) : null
  return { ok: true, facts: { id, sentAt, type: event.type, event: known } }
}

function refuse(
  reason: WebhookReason,
  message: string,
): { ok: false; fault: { reason: WebhookReason; message: string } } {
  return { ok: false, fault: { reason, message } }
}

/** Returns the keys of at least one secret. */
function keysOf(secret: string | readonly string[]): Uint8Array<ArrayBuffer>[] {
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length === 0) throw new TypeError('A webhook cannot be verified without a secret.')
  return secrets.map(keyOf)
}

/** Returns the key of a secret. At least 128 bits, so that a placeholder is no secret. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = secret.startsWith('whsec_') ? decodeBase64(secret.slice('whsec_'.length)) : null
  if (key === null || key.length < 16)
    throw new TypeError(
      'The secret of a webhook has the form whsec_… (POST /beak/webhook/create shows it once).',
    )
  return key
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

/** Returns a header, or null when it is missing or there several times. */
function readHeader(headers: WebhookHeaders, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name)
  const values = Object.entries(headers).filter(([key]) => key.toLowerCase() === name)
  const [[, value] = []] = values
  return values.length === 1 && typeof value === 'string' ? value : null
}

/** Tells whether one of the secrets made one of the signatures. Web Crypto compares in constant time. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  header: string,
  secrets: Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  const signatures = header
    .split(' ', signaturesMax)
    .flatMap((one) => (one.startsWith('v1,') ? (decodeBase64(one.slice('v1,'.length)) ?? []) : []))
  for (const secret of secrets) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['verify'])
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true
  }
  return false
}

/** Returns the JSON value of a body, or null for other bytes. */
function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return null
  }
}

function readEvent(content: unknown): { type: string; timestamp: string; data: object } | null {
  const { type, timestamp, data } = Object(content) as Record<string, unknown>
  const isEvent =
    typeof type === 'string' && typeof timestamp === 'string' && typeof data === 'object' && data !== null
  return isEvent ? { type, timestamp, data } : null
}

/** Called for an event. The message counts as received when the function returns. When it throws, the service sends the message again. */
export type Receive<Kind extends WebhookKind> = (
  event: WebhookEventOf<Kind>,
  message: WebhookMessage,
) => void | Promise<void>

export interface WebhookOptions extends TestOptions {
  /** The secret of the endpoint, or several during a rotation. */
  secret: string | readonly string[]
  /** A function for each kind of event that you want. Other events are received and ignored. */
  on: { readonly [Kind in WebhookKind]?: Receive<Kind> }
  /** Called for events without a function in `on`, also of kinds that this version does not know. */
  other?: ((message: WebhookMessage) => void | Promise<void>) | undefined
  /** Remembers the ids of messages, so that each is received once. Default: no store, so a message that is sent again is received again. */
  store?: WebhookStore | undefined
  /** Larger bodies are refused with 413. Default: 262,144. */
  bytesMax?: number | undefined
  /** Told about an error of your function or of the store, after which the answer is 500. Default: `console.error`. */
  onError?: ((error: unknown) => void) | undefined
}

/** An answer in plain form. `text` is for people who read the list of deliveries. */
export interface WebhookAnswer {
  status: number
  text: string
}

/**
 * Returns a function that answers a `Request` of the service: 204 for a message that was received, also before; 400, 401, 405, 409 and 413 for
 * one that is refused; 500 after an error of yours. The service sends everything again that is not answered with 2xx.
 */
export function webhookHandler(options: WebhookOptions): (request: Request) => Promise<Response> {
  const { bytesMax } = withDefaults(options)
  return async ({ method, headers, body }) => {
    const { status, text } = await answerWebhook(options, method, headers, () => readLimited(body, bytesMax))
    const allow: HeadersInit = status === 405 ? { Allow: 'POST' } : {}
    return new Response(status === 204 ? null : text, { status, headers: allow })
  }
}

const bytesMaxDefault = 256 * 1024

/** Fills in the defaults. Throws `TypeError` for a secret that is none, so that a server does not start with it. */
export function withDefaults(options: WebhookOptions): {
  bytesMax: number
  onError: (error: unknown) => void
} {
  keysOf(options.secret)
  return {
    bytesMax: options.bytesMax ?? bytesMaxDefault,
    onError: options.onError ?? ((error) => console.error('A webhook was not received:', error)),
  }
}

/** Verifies a request, calls the function for its event and returns the answer. `read` returns the raw body, or null when it is too large. */
export async function answerWebhook(
  options: WebhookOptions,
  method: string,
  headers: WebhookHeaders,
  read: () => Promise<Uint8Array | null>,
): Promise<WebhookAnswer> {
  if (method !== 'POST') return { status: 405, text: 'Send webhooks with POST.' }
  try {
    const body = await read()
    if (body === null) return { status: 413, text: 'The webhook is too large.' }
    const verdict = await verifyWebhook(options.secret, headers, body, new Date(), options)
    if (!verdict.ok)
      return { status: verdict.fault.reason === 'malformed' ? 400 : 401, text: verdict.fault.message }
    return await receive(options, verdict.facts)
  } catch (error) {
    withDefaults(options).onError(error)
    return { status: 500, text: 'The webhook could not be processed.' }
  }
}

async function receive(
  { on, other, store }: WebhookOptions,
  message: WebhookMessage,
): Promise<WebhookAnswer> {
  const claim = (await store?.claim(message.id)) ?? 'new'
  if (claim === 'done') return { status: 204, text: '' }
  // The service sends the message again, and then learns whether the first attempt succeeded.
  if (claim === 'running') return { status: 409, text: 'This webhook is being processed.' }
  try {
    const { event } = message
    const receiver = event && (on[event.type] as Receive<WebhookKind> | undefined)
    if (receiver) await receiver(event, message)
    else await other?.(message)
  } catch (error) {
    await store?.release(message.id)
    throw error
  }
  await store?.finish(message.id)
  return { status: 204, text: '' }
}
