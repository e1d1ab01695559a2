import { eventGroups, webhookKinds } from '@/lib/infrastructure/events/kinds'
import { m } from '@/lib/kernel/messages'

/** The messages that no event has. */
const ownMessages = new Set<string>(['webhook.changed', 'webhook.test'])

/** The kinds that are sent to webhooks, in their groups. */
export const kindGroups = eventGroups
  .map(({ name, label, kinds }) => {
    const own = new Set<string>(kinds)
    return {
      name,
      legend: label,
      kinds: webhookKinds.filter((kind) => (ownMessages.has(kind) ? name === 'webhooks' : own.has(kind))),
    }
  })
  .filter(({ kinds }) => kinds.length > 0)

/** Returns the kinds of a webhook as text: their names, or their number when there are more than three. */
export function kindsText(kinds: string[]): string {
  if (kinds.length === 0) return m.webhooks_all_events()
  return kinds.length <= 3 ? kinds.join(', ') : m.webhooks_count_kinds_of_events({ count: kinds.length })
}
