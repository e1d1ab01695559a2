/** Words for channels. */

import { m } from '@/lib/kernel/messages'
import { kept, keptText } from '@/lib/kernel/text/kept-values'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import type { Channel, Risk, Settings } from './read'

/** The kinds of request, riskiest first, as the columns of the table and the names of its boxes. */
export const risks: { risk: Risk; label: () => string }[] = [
  { risk: 'high', label: m.notifications_high },
  { risk: 'medium', label: m.notifications_medium },
  { risk: 'low', label: m.notifications_low },
]

/** Returns when and where requests are announced, in a sentence or two. Names of channels stand between marks. */
export function ringWords(
  { channels: { mail }, gathered }: Pick<Settings, 'channels' | 'gathered'>,
  channels: Pick<Channel, 'kind' | 'name' | 'announces'>[],
): string {
  const beside = channels.filter(({ kind }) => kind !== 'mail')
  const mailed = beside.length < channels.length ? mailedRisks(mail, beside) : []
  const [high = '', medium = '', low = ''] = risks.map(({ risk }) => {
    const names = beside.filter(({ announces }) => announces.includes(risk)).map(({ name }) => kept(name))
    const places = mailed.includes(risk) ? [m.notifications_kind_mail(), ...names] : names
    return places.length === 0 ? m.notifications_own_nowhere() : listWithAnd(places)
  })
  const where =
    medium !== low
      ? m.notifications_own_each({ high, medium, low })
      : high !== low
        ? m.notifications_own_high({ high, rest: low })
        : m.notifications_own_every({ places: high })
  return [
    where,
    ...(mailed.length > 0 && mail.requests === 'others' ? [m.notifications_own_not_own_agents()] : []),
    ...(gathered ? [m.notifications_own_gathered()] : []),
  ].join(' ')
}

/** Returns the risks that are mailed: always, or because no channel beside mail announces them. */
function mailedRisks(
  { requests, announces }: Settings['channels']['mail'],
  beside: Pick<Channel, 'announces'>[],
): Risk[] {
  const all: Risk[] =
    requests === 'none' ? [] : requests === 'high_risk' ? ['high'] : ['high', 'medium', 'low']
  return all.filter(
    (risk) => announces.includes(risk) || !beside.some((channel) => channel.announces.includes(risk)),
  )
}

/** What to do about a channel that fails. */
export const repairs: Record<Channel['kind'], () => string> = {
  push: m.notifications_repair_push,
  ntfy: m.notifications_repair_ntfy,
  chat: m.notifications_repair_chat,
  webhook: m.notifications_repair_webhook,
  mail: m.notifications_repair_mail,
}

type Chat = NonNullable<Channel['format']>

/** A kind of channel that has no settings of its own. Mail has them in another form. */
export type MessageKind = Exclude<Channel['kind'], 'mail'>

/** Who can read the messages. */
export const readers: Record<MessageKind, () => string> = {
  push: m.notifications_readers_push,
  ntfy: m.notifications_readers_ntfy,
  chat: m.notifications_readers_chat,
  webhook: m.notifications_readers_webhook,
}

/** The names of the chats, and where each shows the address that Beak needs. */
export const chats: Record<Chat, { name: string; where: () => string }> = {
  slack: { name: 'Slack', where: m.notifications_where_slack },
  discord: { name: 'Discord', where: m.notifications_where_discord },
  matrix: { name: 'Matrix', where: m.notifications_where_matrix },
  mattermost: { name: 'Mattermost', where: m.notifications_where_mattermost },
  telegram: { name: 'Telegram', where: m.notifications_where_telegram },
}

/** Returns what a channel is and where it leads, with marks around what stays: "Slack, hooks.slack.com". Mail says so with its address. */
export function placeOf({ kind, format, hint }: Channel): string {
  if (kind === 'mail') return kept(hint)
  const { name } = format === null ? { name: kindNames[kind]() } : chats[format]
  return keptText(m.notifications_place, { kind: name, host: hint })
}

/** A chat has the name of its form. */
const kindNames: Record<MessageKind, () => string> = {
  push: m.notifications_a_device,
  ntfy: m.notifications_kind_ntfy,
  chat: m.notifications_kind_chat,
  webhook: m.notifications_kind_webhook,
}
