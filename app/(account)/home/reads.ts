import { api, type Result } from '@/app/_web/api'
import { PageProblem } from '@/app/_web/page-problem'
import type { Viewer } from '@/app/_web/viewer'

function insist<T>(result: Result<T>): T {
  if (!result.ok) throw new PageProblem(result.problem)
  return result.data
}

/** The viewer's agents and sessions, as many as a page has. */
export async function readStanding() {
  const [agents, sessions] = await Promise.all([
    api('GET /beak/agent/list', { query: { limit: '25' } }),
    api('GET /beak/session/list', { query: { limit: '20' } }),
  ])
  return { agents: insist(agents).items, sessions: insist(sessions).items }
}

/** The viewer's newest certificate; null where there never was one. */
export async function readCertificate(viewer: Viewer) {
  return viewer.cert_id === null ? null : insist(await api('GET /beak/cert/view'))
}
