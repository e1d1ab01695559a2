import { webhookKinds } from '@/lib/infrastructure/events/kinds'

/** What happened when a message of that kind is sent. */
const kindWords: Record<string, string> = {
  'peck.sent': 'Somebody was asked for permission',
  'peck.approved': 'A peck was approved',
  'peck.rejected': 'A peck was rejected',
  'peck.expired': 'Nobody answered a peck in time',
  'peck.consumed': 'A permission was used',
  'agent.registered': 'You registered an agent',
  'agent.bonded': 'An agent of yours bonded',
  'agent.suspended': 'You suspended an agent',
  'agent.deregistered': 'An agent of yours ended',
  'key.rotated': 'An agent got a new key',
  'cert.issued': 'You were issued a certificate',
  'cert.revoked': 'Your certificate was revoked',
  'trust.elevated': 'You rose to a higher tier',
  'trust.lowered': 'You fell to a lower tier',
  'passkey.recovery_started': 'Somebody asked to remove all your passkeys',
  'passkey.recovery_cancelled': 'The removal of your passkeys was cancelled',
  'passkey.recovered': 'All your passkeys were removed',
  'webhook.test': 'A test from here, which arrives in any case',
}

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
  return kindWords[kind] ?? ''
}

/** The kinds an endpoint wants, in a few words. */
export function kindsWords(kinds: string[]): string {
  if (kinds.length === 0) return 'Every kind of event'
  return kinds.length <= 3 ? kinds.join(', ') : `${kinds.length} kinds of event`
}
