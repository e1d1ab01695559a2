/** Where a channel sends its messages. It is stored encrypted, because whoever knows it can send messages there. */
import { checkUrl } from '@/lib/domain/webhooks/guard'
import type { PushSubscription } from '@/lib/infrastructure/push/subscription'
import { config } from '@/lib/kernel/config'
import type { Fails } from '@/lib/kernel/context'
import { m } from '@/lib/kernel/messages'
import { keyedHash, previousKeyedHash, seal, unseal } from '@/lib/kernel/secrets'
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

/** Returns the hashes by which the same target is found again: that of the current secret first. */
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
    throw invalid(
      context,
      kind === 'push' ? 'url' : 'subscription',
      m.field_must_not_be_given_for_this_kind(),
    )
  if (format !== undefined && kind !== 'chat')
    throw invalid(context, 'format', m.field_must_not_be_given_for_this_kind())
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
