/**
 * Every kind of event, by group: its words, the message that webhooks get about it, and the public counts (spec, metrics)
 * that it changes. The audit log records all kinds.
 */
import type { z } from 'zod'
import { m } from '@/lib/kernel/messages'
import { accountEvents } from './kinds/account'
import { agentEvents } from './kinds/agents'
import { changedMessage, channelEvents, testMessage, webhookEvents } from './kinds/channels'
import type { Kind, Message } from './kinds/kind'
import { peckEvents } from './kinds/pecks'
import { ruleEvents } from './kinds/rules'
import { signingInEvents, ssoEvents } from './kinds/signing-in'
import { trustEvents } from './kinds/trust'

const groups = {
  account: accountEvents,
  signingIn: signingInEvents,
  trust: trustEvents,
  agents: agentEvents,
  pecks: peckEvents,
  rules: ruleEvents,
  domains: ssoEvents,
  webhooks: webhookEvents,
  channels: channelEvents,
}
type GroupName = keyof typeof groups

const groupLabels: Record<GroupName, () => string> = {
  account: m.events_group_account,
  signingIn: m.events_group_signing_in,
  trust: m.events_group_trust,
  agents: m.events_group_agents,
  pecks: m.events_group_pecks,
  rules: m.events_group_rules,
  domains: m.events_group_domains,
  webhooks: m.events_group_webhooks,
  channels: m.events_group_channels,
}

type Group = (typeof groups)[GroupName]
export type EventKind = { [Name in GroupName]: keyof (typeof groups)[Name] }[GroupName]
type RowOf<K extends EventKind> = Extract<Group, Record<K, unknown>>[K]

export const eventKinds = Object.assign({}, ...Object.values(groups)) as Record<EventKind, Kind>

/** The kinds of events that send a webhook. */
export type SentKind = {
  [K in EventKind]: RowOf<K> extends { webhook: Message } ? K : never
}[EventKind]

/** The kinds that a webhook endpoint can subscribe to, as in the contract. */
export type WebhookKind = SentKind | 'webhook.test' | 'webhook.changed'

/** Whether events of the kind send a webhook. */
export const isSent = (kind: EventKind): kind is SentKind => eventKinds[kind].webhook !== undefined

/** The messages of webhooks, by kind. */
export const webhookMessages = Object.fromEntries([
  ...kindsOf(eventKinds).flatMap((kind) => (isSent(kind) ? [[kind, eventKinds[kind].webhook]] : [])),
  ['webhook.changed', changedMessage],
  ['webhook.test', testMessage],
]) as Record<WebhookKind, Message>

export const webhookKinds = Object.keys(webhookMessages) as WebhookKind[]

/** All kinds in groups, for filters and webhook settings. */
export const eventGroups = (Object.keys(groups) as GroupName[]).map((name) => ({
  name,
  label: groupLabels[name],
  kinds: kindsOf(groups[name]),
}))

/** About other people, and not about one request. */
const aboutPeople: EventKind[] = [
  'contact.updated',
  'peck.blocked',
  'peck.unblocked',
  'peck.unpaused',
  'invitation.created',
  'invitation.revoked',
  'egg.laid',
]

const topicGroups = {
  agents: ['agents'],
  requests: ['pecks', 'rules'],
  sign_ins: ['signingIn', 'domains'],
  settings: ['account', 'trust', 'webhooks', 'channels'],
} satisfies Record<string, GroupName[]>

export const eventTopics = ['agents', 'requests', 'sign_ins', 'settings', 'people'] as const
export type EventTopic = (typeof eventTopics)[number]

/** Returns the kinds of a topic: the filter of a person who reads the log. Every kind has one topic. */
export function kindsOfTopic(topic: EventTopic): EventKind[] {
  if (topic === 'people') return aboutPeople
  return topicGroups[topic]
    .flatMap((name) => kindsOf(groups[name]))
    .filter((kind) => !aboutPeople.includes(kind))
}

function kindsOf(rows: Partial<Record<EventKind, Kind>>): EventKind[] {
  return Object.keys(rows) as EventKind[]
}

/** What a command gives for `data` of a webhook. */
export type WebhookInput<K extends SentKind> =
  RowOf<K> extends { webhook: Message<infer Data> } ? z.input<Data> : never
