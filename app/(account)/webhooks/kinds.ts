import { type EventKind, eventKinds, webhookKinds } from '@/lib/infrastructure/events/kinds'

export const kindGroups = [
  { legend: 'Pecks', prefixes: ['peck'] },
  { legend: 'Agents and their keys', prefixes: ['agent', 'key'] },
  { legend: 'You', prefixes: ['cert', 'trust', 'passkey'] },
  { legend: 'Tests', prefixes: ['webhook'] },
].map(({ legend, prefixes }) => ({
  legend,
  kinds: webhookKinds.filter((kind) => prefixes.includes(kind.split('.')[0] ?? '')),
}))

/** What the kind means, for people. */
export function kindMeaning(kind: string): string {
  if (kind === 'webhook.test') return 'A test from here, which arrives in any case'
  return eventKinds[kind as EventKind]?.webhook ?? ''
}

/** The kinds an endpoint wants, in a few words. */
export function kindsWords(kinds: string[]): string {
  if (kinds.length === 0) return 'Every kind of event'
  return kinds.length <= 3 ? kinds.join(', ') : `${kinds.length} kinds of event`
}
