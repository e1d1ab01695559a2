import { webhookKinds } from '@/lib/infrastructure/events/kinds'

export const kindGroups = [
  { legend: 'Pecks', prefixes: ['peck'] },
  { legend: 'Agents and their keys', prefixes: ['agent', 'key'] },
  { legend: 'You', prefixes: ['cert', 'trust', 'passkey'] },
  { legend: 'Tests', prefixes: ['webhook'] },
].map(({ legend, prefixes }) => ({
  legend,
  kinds: webhookKinds.filter((kind) => prefixes.includes(kind.split('.')[0] ?? '')),
}))

/** Returns the kinds of a webhook as text: their names, or their number when there are more than three. */
export function kindsText(kinds: string[]): string {
  if (kinds.length === 0) return 'All events'
  return kinds.length <= 3 ? kinds.join(', ') : `${kinds.length} kinds of events`
}
