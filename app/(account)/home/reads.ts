import { callApi, type Result } from '@/app/_web/call-api'
import { PageProblem } from '@/app/_web/page-problem'
import type { Viewer } from '@/app/_web/viewer'
import { GET as agentList } from '@/app/beak/agent/list/route'
import { GET as certView } from '@/app/beak/cert/view/route'
import { GET as sessionList } from '@/app/beak/session/list/route'

function insist<T>(result: Result<T>): T {
  if (!result.ok) throw new PageProblem(result.problem)
  return result.data
}

/** The viewer's agents and sessions, as many as a page has. */
export async function readStanding() {
  const [agents, sessions] = await Promise.all([
    callApi(agentList, 'GET', { query: { limit: '25' } }),
    callApi(sessionList, 'GET', { query: { limit: '20' } }),
  ])
  return { agents: insist(agents).items, sessions: insist(sessions).items }
}

/** The viewer's newest certificate; null where there never was one. */
export async function readCertificate(viewer: Viewer) {
  return viewer.cert_id === null ? null : insist(await callApi(certView, 'GET'))
}
