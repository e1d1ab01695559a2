/** Sends one note to one channel. */
import type { Channel } from '@/lib/db/generated/client'
import { signingHeaders } from '@/lib/domain/webhooks/secret'
import { type Sent, send } from '@/lib/domain/webhooks/send'
import { notificationPayload, takesWithdrawals, withdrawalPayload } from '@/lib/infrastructure/push/payload'
import { sendPush } from '@/lib/infrastructure/push/send'
import { config } from '@/lib/kernel/config'
import { sha256 } from '@/lib/kernel/secrets'
import { chatPost, type Note, noteBody, ntfyPost, type Post, webhookBody } from './note'
import type { ChatFormat } from './schema'
import { openTarget } from './target'

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
