/** Where a channel sends its messages. It is stored encrypted, because whoever knows it can send messages there. */

import type { Channel } from '@/lib/db/generated/client'
import { checkUrl } from '@/lib/domain/webhooks/guard'
import { signingHeaders } from '@/lib/domain/webhooks/secret'
import { type Sent, send } from '@/lib/domain/webhooks/send'
import {
  notificationPayload,
  type PushSubscription,
  sendPush,
  takesWithdrawals,
  withdrawalPayload,
} from '@/lib/infrastructure/push/send'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import type { Fails } from '@/lib/kernel/request/context'
import { keyedHash, previousKeyedHash, seal, sha256, unseal } from '@/lib/kernel/secrets/secrets'
import { chatPost, type Note, noteBody, ntfyPost, type Post, webhookBody } from './note'
import type { ChatFormat, NewChannel } from './schema'

export type Target = { subscription: PushSubscription } | { url: string }

const addressOf = (target: Target): string => ('url' in target ? target.url : target.subscription.endpoint)

export const hostOf = (target: Target): string => new URL(addressOf(target)).hostname

/** Returns the target encrypted. Only the row of this channel can open it. */
export function sealTarget(target: Target, channelId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(seal(Buffer.from(JSON.stringify(target)), channelId))
}

/** Returns what `sealTarget` encrypted. */
export function openTarget(sealed: Uint8Array, channelId: string): Target {
  return JSON.parse(unseal(sealed, channelId).toString()) as Target
}

/** Returns the hashes by which the same target is found again. The hash with the current secret comes first. */
export function targetHashes(target: Target): [Uint8Array<ArrayBuffer>, ...Uint8Array<ArrayBuffer>[]] {
  const value = `channel ${addressOf(target)}`
  const previous = previousKeyedHash('subject', value)
  return [
    new Uint8Array(keyedHash('subject', value)),
    ...(previous === null ? [] : [new Uint8Array(previous)]),
  ]
}

/** The paths of incoming webhooks, as the chats give them. */
const paths: [ChatFormat, RegExp][] = [
  ['discord', /\/api\/(?:v\d+\/)?webhooks\//],
  ['telegram', /\/bot[^/]+\/sendMessage$/],
  ['matrix', /\/_matrix\/client\/[^/]+\/rooms\/[^/]+\/send\/m\.room\.message\/?$/],
  ['mattermost', /\/hooks\//],
]

/** Returns the form of the chat at an address. Other chats understand the form of Slack. */
const formatAt = (url: string): ChatFormat =>
  paths.find(([, path]) => path.test(new URL(url).pathname))?.[0] ?? 'slack'

function invalid(context: Fails<'invalid_request'>, field: string, message: string) {
  return context.fail('invalid_request', { errors: [{ field, message }] })
}

/** What `ntfy` and Telegram need in the address, as a field message. Null: nothing is missing. */
function findMissingPart(kind: NewChannel['kind'], format: ChatFormat | null, url: URL): string | null {
  if (kind === 'ntfy' && !/^(?:\/[^/]+)*\/[\w-]{1,64}$/.test(url.pathname))
    return m.field_must_end_with_a_topic()
  if (format === 'telegram' && !url.searchParams.get('chat_id')) return m.field_must_have_a_chat_id()
  if (format === 'matrix' && !url.searchParams.get('access_token')) return m.field_must_have_an_access_token()
  return null
}

/**
 * Returns the checked target of a new channel, and the form of a chat. Throws `invalid_request` for a missing part or an address that must not
 * be called. Queries DNS, so it must not be called inside a transaction.
 */
export async function readTarget(
  context: Fails<'invalid_request'>,
  { kind, subscription, url, format }: NewChannel,
): Promise<{ target: Target; format: ChatFormat | null }> {
  const privateHosts = config().channelHosts
  const [given, missing, extra] =
    kind === 'push' ? [subscription, 'subscription', url] : [url, 'url', subscription]
  if (given === undefined) throw invalid(context, missing, m.field_is_required())
  if (extra !== undefined)
    throw invalid(context, kind === 'push' ? 'url' : 'subscription', m.field_channel_option_unsupported())
  if (format !== undefined && kind !== 'chat')
    throw invalid(context, 'format', m.field_channel_option_unsupported())
  if (subscription !== undefined) {
    await checkUrl(context, subscription.endpoint, { field: 'subscription.endpoint', privateHosts })
    return { target: { subscription }, format: null }
  }
  const text = url ?? ''
  await checkUrl(context, text, { field: 'url', privateHosts })
  const chat = kind === 'chat' ? (format ?? formatAt(text)) : null
  const part = findMissingPart(kind, chat, new URL(text))
  if (part !== null) throw invalid(context, 'url', part)
  return { target: { url: text }, format: chat }
}

/** Sends one note to one channel. */

/** For connection, headers and body together. Phones ring at once or not at all. */
const channelTimeoutMs = 10_000

export interface ChannelMessage {
  /** `withdraw` takes a notification away. Only browsers understand it. */
  about: 'note' | 'withdraw'
  note: Note
  /** Number on the icon of the app. */
  waiting: number
  /** Seconds for which a push service keeps the message while the device is offline. */
  ttl: number
  /** For the signature of webhooks, and for Matrix, which ignores a message that arrives twice. */
  messageId: string
}

export type ChannelSent = Sent & {
  /** The subscription of the browser is not valid any more. */
  hasEnded: boolean
}

/** Sends a message. Never rejects for a fault of the target. Returns null when the channel cannot take such a message. */
export async function sendToChannel(
  channel: Channel,
  message: ChannelMessage,
  now: Date,
): Promise<ChannelSent | null> {
  const target = openTarget(channel.target, channel.id)
  const privateHosts = config().channelHosts
  if ('subscription' in target) {
    const { subscription } = target
    const { about, note, waiting, ttl } = message
    if (about === 'withdraw' && !takesWithdrawals(subscription)) return null
    const payload =
      about === 'withdraw'
        ? withdrawalPayload(note.tag, waiting)
        : notificationPayload({
            title: note.title,
            body: noteBody(note),
            path: note.path,
            tag: note.tag,
            waiting,
          })
    // A withdrawal replaces an announcement that the device has not got yet.
    const topic = sha256(note.tag).toString('base64url').slice(0, 32)
    const options = { ttl, urgency: about === 'withdraw' ? 'normal' : 'high', topic } as const
    return sendPush(subscription, payload, options, {
      now,
      post: (url, headers, body) => send(url, headers, body, channelTimeoutMs, { privateHosts }),
    })
  }
  if (message.about === 'withdraw') return null
  const { url, method, headers, body } = postOf(channel, target.url, message, now)
  const sent = await send(url, headers, body, channelTimeoutMs, { method, privateHosts })
  return { ...sent, hasEnded: false }
}

function postOf(
  channel: Channel,
  url: string,
  { note, messageId }: ChannelMessage,
  now: Date,
): Omit<Post, 'body'> & { body: string } {
  if (channel.kind !== 'webhook') {
    const format = (channel.format ?? 'slack') as ChatFormat
    const post = channel.kind === 'ntfy' ? ntfyPost(url, note) : chatPost(format, url, note, messageId)
    return { ...post, body: JSON.stringify(post.body) }
  }
  const data = { type: 'request.waiting', timestamp: now.toISOString(), data: webhookBody(note) }
  const body = JSON.stringify(data)
  const signer = {
    id: channel.id,
    secret: channel.secret ?? new Uint8Array(),
    previousSecret: null,
    previousSecretUntil: null,
  }
  const headers = { 'Content-Type': 'application/json', ...signingHeaders(signer, messageId, body, now) }
  return { url, method: 'POST', headers, body }
}
