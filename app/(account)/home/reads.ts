import { read } from '@/app/_web/read'
import type { Viewer } from '@/app/_web/viewer'
import type { EventKind } from '@/lib/infrastructure/events/kinds'
import { valueInPageLanguage } from '../pecks/_peck/retold-risk'

const shownRequests = 3

/** Returns the pending requests to the viewer with the highest risk. The inbox leaves out what the viewer answers later. Throws `PageProblem`. */
export async function readWaiting() {
  const { items } = await read('GET /beak/peck/inbox', {
    query: { sort: 'risk', limit: String(shownRequests) },
  })
  return items.map(({ value, ...item }) => ({ ...item, value: value && valueInPageLanguage(value) }))
}

/** Returns what each of the viewer's agents is doing, the most important ones first. Throws `PageProblem`. */
export async function readActivity() {
  return (await read('GET /beak/agent/activity')).items
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

/** Returns the latest events that are not routine. Throws `PageProblem`. */
export async function readRecentActivity(viewer: Viewer) {
  const { items, names = {} } = await read('GET /beak/audit', {
    query: { limit: String(readLimit), names: 'true' },
  })
  const events = items
    .filter(({ action, outcome }) => outcome === 'denied' || !routineKinds.includes(action))
    .slice(0, shownLimit)
  return { events, reader: { id: viewer.duckling_id, names } }
}
