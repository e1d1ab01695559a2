import { eventGroups, webhookKinds } from '@/lib/infrastructure/events/kinds'

/** The kinds that are sent to webhooks, in their groups. A test has no event of its own, so no group has its kind. */
export const kindGroups = eventGroups
  .map(({ label, kinds }) => ({
    legend: label,
    kinds: webhookKinds.filter((kind) =>
      kind === 'webhook.test' ? label === 'Webhooks' : kinds.includes(kind),
    ),
  }))
  .filter(({ kinds }) => kinds.length > 0)

/** Returns the kinds of a webhook as text: their names, or their number when there are more than three. */
export function kindsText(kinds: string[]): string {
  if (kinds.length === 0) return 'All events'
  return kinds.length <= 3 ? kinds.join(', ') : `${kinds.length} kinds of events`
}
