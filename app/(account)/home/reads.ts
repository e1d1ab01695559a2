import { read } from '@/app/_web/page-read'
import type { Viewer } from '@/app/_web/viewer'
import type { ResponseOf } from '@/app/beak/_api/lines'
import type { EventKind } from '@/lib/infrastructure/events/kinds'
import type { FailureName } from '@/lib/kernel/request/failures'
import { inPageLanguage, valueInPageLanguage } from '../pecks/_peck/page-words'

type AuditEvent = Pick<ResponseOf<'GET /beak/audit'>['items'][number], 'outcome' | 'metadata'>

const shownRequests = 3
/** Strangers may have sent the riskiest ones. */
const readRequests = 50

/**
 * Returns the pending requests to the viewer with the highest risk, those of strangers last. The inbox leaves out what the viewer answers later.
 * Throws `PageProblem`.
 */
export async function readWaiting() {
  const { items } = await read('GET /beak/peck/inbox', {
    query: { sort: 'risk', limit: String(readRequests) },
  })
  return [...items.filter(({ known }) => known), ...items.filter(({ known }) => !known)]
    .slice(0, shownRequests)
    .map(({ value, first_line, ...item }) => ({
      ...item,
      value: value && valueInPageLanguage(value),
      first_line: first_line && inPageLanguage(first_line),
    }))
}

/** Returns what each of the viewer's agents is doing, the most important ones first. Throws `PageProblem`. */
export async function readActivity() {
  return (await read('GET /beak/agent/activity')).items
}

/** Returns whether the viewer has decided a request of an agent. Throws `PageProblem`. */
export async function hasDecided(doing: Awaited<ReturnType<typeof readActivity>>): Promise<boolean> {
  const asking = doing.flatMap(({ peck }) => (peck === null ? [] : [peck]))
  if (asking.length === 0) return false
  if (asking.some(({ status }) => status === 'approved' || status === 'rejected')) return true
  const { items } = await read('GET /beak/peck/history', {
    query: { direction: 'received', status: 'approved', limit: '1' },
  })
  return items.length > 0
}

/** Returns the viewer's newest agents and sessions. Throws `PageProblem`. */
export async function readAgentsAndSessions() {
  const [agents, sessions] = await Promise.all([
    read('GET /beak/agent/list', { query: { limit: '25' } }),
    read('GET /beak/session/list', { query: { limit: '20' } }),
  ])
  return { agents: agents.items, sessions: sessions.items }
}

/** Returns the viewer's newest certificate, or null when there never was one. Throws `PageProblem`. */
export async function readCertificate(viewer: Viewer) {
  return viewer.cert_id === null ? null : read('GET /beak/cert/view')
}

const readLimit = 40
const shownLimit = 6

/** Routine events, which are shown only when they were refused. */
const routineKinds = [
  'code.requested',
  'code.sent',
  'session.started',
  'session.ended',
  'passkey.challenged',
] satisfies EventKind[] as string[]

/** Failures of a step on the way: the service asked for a passkey, a new sign-in or another code. The next attempt shows what came of it. */
const stepFailures = [
  'fresh_sign_in_needed',
  'fresh_code_needed',
  'fresh_passkey_needed',
  'older_passkey_needed',
  'passkey_assertion_needed',
  'approver_needed',
  'decision_page_needed',
  'code_invalid',
  'user_code_invalid',
] satisfies FailureName[] as string[]

/** More wrong codes than a person mistypes may be an attack. */
const mistypedMax = 2

const failureOf = ({ outcome, metadata }: AuditEvent) =>
  outcome === 'denied' ? String(metadata?.failure) : ''

/** Leaves out refusals that are a step on the way: of wrong codes only as few as a person mistypes. */
export function withoutSteps<Event extends AuditEvent>(events: Event[]): Event[] {
  const codes = events.filter((event) => failureOf(event).endsWith('code_invalid')).length
  return events.filter((event) => {
    const failure = failureOf(event)
    return !stepFailures.includes(failure) || (failure.endsWith('code_invalid') && codes > mistypedMax)
  })
}

/** Returns the latest events that are not routine, without the steps on the way to them. Throws `PageProblem`. */
export async function readRecentActivity(viewer: Viewer) {
  const { items, names = {} } = await read('GET /beak/audit', {
    query: { limit: String(readLimit), names: 'true' },
  })
  const events = withoutSteps(items)
    .filter(({ action, outcome }) => outcome === 'denied' || !routineKinds.includes(action))
    .slice(0, shownLimit)
  return { events, reader: { id: viewer.duckling_id, names } }
}
