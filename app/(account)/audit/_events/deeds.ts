/** Joins the steps of a deed with the deed: a list for people has one row for what they did once. The filters for experts show each event. */
import type { AuditEvent } from './event-sentence'

export interface Deed {
  event: AuditEvent
  /** What belongs to the event, newest first. */
  steps: AuditEvent[]
}

/** A proof of a passkey counts for ten minutes. */
const joinedMs = 10 * 60_000

/** The refusals that ask for a passkey. */
const passkeyFailures = ['fresh_passkey_needed', 'passkey_assertion_needed', 'older_passkey_needed']

/** The events that a challenge of each purpose is for. One for `confirm` is for the confirmation that follows it. */
const endsOfPurpose: Record<string, string[]> = {
  approve: ['peck.approved'],
  reject: ['peck.rejected'],
  register: ['passkey.registered'],
  endorse: ['passkey.endorsed'],
  confirm: ['passkey.confirmed'],
  rule: ['rule.created', 'rule.updated', 'rule.resumed'],
}

/** Returns the events, newest first, with their steps. An event is a step only when the same device did what the step was for. */
export function deedsOf(events: AuditEvent[]): Deed[] {
  const deeds: Deed[] = []
  const newest = new Map<string, Deed>()
  for (const event of events) {
    const device = deviceOf(event)
    const deed = device === null ? undefined : newest.get(device)
    if (deed && isCauseOf(event, deed)) {
      deed.steps.push(deed.event)
      deed.event = event
    } else if (deed && leadsTo(event, deed)) deed.steps.push(event)
    else {
      const own = { event, steps: [] }
      deeds.push(own)
      if (device !== null) newest.set(device, own)
    }
  }
  return deeds
}

/** Returns who acted, and where. Null when the log does not say where: the event stays alone. */
function deviceOf({ actor, context: { ip, user_agent } }: AuditEvent): string | null {
  return actor.type !== 'duckling' || ip === null || user_agent === null
    ? null
    : JSON.stringify([actor.id, ip, user_agent])
}

/** Whether the deed only repeats the event: the first step of trust is the confirmed address itself. */
const isCauseOf = (event: AuditEvent, { event: deed }: Deed) =>
  event.action === 'duckling.verified' &&
  deed.action === 'trust.elevated' &&
  event.context.request_id === deed.context.request_id

function leadsTo(event: AuditEvent, { event: deed, steps }: Deed): boolean {
  const { action, outcome, metadata } = event
  const isLate = Date.parse(deed.occurred_at) - Date.parse(event.occurred_at) > joinedMs
  if (isLate || deed.outcome === 'denied') return false
  const after = [deed, ...steps]
  if (outcome === 'denied')
    return (
      passkeyFailures.includes(String(metadata.failure)) &&
      action === deed.action &&
      hasTargetsOf(event, deed) &&
      steps.some((step) => step.action === 'passkey.challenged' || step.action === 'passkey.confirmed')
    )
  if (action === 'passkey.challenged')
    return after.some(
      (later) =>
        endsOfPurpose[String(metadata.purpose)]?.includes(later.action) === true &&
        hasTargetsOf(event, later),
    )
  return action === 'passkey.confirmed' && deed.action !== 'session.started'
}

/** Whether the later event is about all that the step was about. A refused attempt to make something names nothing yet. */
const hasTargetsOf = (step: AuditEvent, later: AuditEvent) =>
  step.targets.every(({ id }) => later.targets.some((target) => target.id === id))
