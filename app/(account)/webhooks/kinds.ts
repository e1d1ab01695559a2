import { eventGroups, webhookKinds } from '@/lib/infrastructure/events/kinds'

/** The messages that no event has. */
const ownMessages = new Set<string>(['webhook.changed', 'webhook.test'])

/** The kinds that are sent to webhooks, in their groups. */
export const kindGroups = eventGroups
  .map(({ label, kinds }) => {
    const own = new Set<string>(kinds)
    return {
      legend: label,
      kinds: webhookKinds.filter((kind) => (ownMessages.has(kind) ? label === 'Webhooks' : own.has(kind))),
    }
  })
  .filter(({ kinds }) => kinds.length > 0)

/** Returns the kinds of a webhook as text: their names, or their number when there are more than three. */
export function kindsText(kinds: string[]): string {
  if (kinds.length === 0) return 'All events'
  return kinds.length <= 3 ? kinds.join(', ') : `${kinds.length} kinds of events`
}
