import { freeTextAction } from '@beak/decision/free-text'
import { read } from '@/app/_web/page-read'
import { findPending } from '@/app/_web/passkeys'
import type { Viewer } from '@/app/_web/viewer'
import type { ResponseOf } from '@/app/beak/_api/lines'
import type { EventKind } from '@/lib/infrastructure/events/kinds'
import type { FailureName } from '@/lib/kernel/request/failures'
import { readClock } from '@/lib/kernel/runtime/clock'
import { deedsOf } from '../audit/_events/deeds'
import type { Peck } from '../pecks/_peck/reads'

type AuditEvent = Pick<ResponseOf<'GET /beak/audit'>['items'][number], 'outcome' | 'metadata'>

const shownRequests = 3

/**
 * Returns the pending requests of askers whom the viewer knows, with the highest risk, and how many people and requests there are of others. The
 * inbox leaves out what the viewer answers later. Throws `PageProblem`.
 */
export async function readWaiting() {
  const { items, unknown } = await read('GET /beak/peck/inbox', {
    query: { list: 'known', sort: 'risk', limit: String(shownRequests) },
  })
  return { requests: items, unknown }
}

const questionsRead = 10
const questionsShown = 3
const answerShownMs = 3 * 86_400_000

/** Returns what the viewer has asked other people in own words: what waits for an answer, and answers of the last days. Throws `PageProblem`. */
export async function readOwnQuestions() {
  const { items } = await read('GET /beak/peck/history', {
    query: { direction: 'sent_to_others', action: freeTextAction, limit: String(questionsRead) },
  })
  const since = readClock().getTime() - answerShownMs
  const isShown = ({ status, decided_at, superseded_by }: Peck) =>
    status === 'pending' ||
    ((status === 'approved' || status === 'rejected') &&
      superseded_by === undefined &&
      Date.parse(decided_at ?? '') > since)
  return items.filter(isShown).slice(0, questionsShown)
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

/** Returns the session about which the band of the page asks, if any. */
export async function askedAbout(): Promise<string | undefined> {
  return (await findPending()).asked.changes[0]?.session?.session_id
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
  const {
    items,
    names = {},
    marks = {},
  } = await read('GET /beak/audit', {
    query: { limit: String(readLimit), names: 'true' },
  })
  const events = withoutSteps(deedsOf(items).map(({ event }) => event))
    .filter(({ action, outcome }) => outcome === 'denied' || !routineKinds.includes(action))
    .slice(0, shownLimit)
  return { events, reader: { id: viewer.duckling_id, names, marks } }
}
