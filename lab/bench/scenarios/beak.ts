/** Everything that is measured of Beak, on PostgreSQL and on the embedded database, and what of it is also written by hand. */
import type { HttpRequest } from '../drive/connection'
import { connectedScenarios } from './connected'
import type { BeakScenario, RequestScenario } from './scenario'
import { bearer, type Member, type World } from './world'

const ssoDomain = 'bench.example'

/** A list of 20 rows of each rich member. */
function list(name: string, title: string, path: string): RequestScenario<World> {
  return {
    kind: 'requests',
    name,
    title,
    requests: ({ rich }) => rich.map((member) => ({ path, headers: bearer(member) })),
  }
}

function page(name: string, path: string, status = 200): RequestScenario<World> {
  return {
    kind: 'requests',
    name: `page ${name}`,
    title: `page \`${name}\``,
    status,
    requests: () => [{ path }],
  }
}

function ownPage(path: string): RequestScenario<World> {
  const requests = ({ rich }: World): HttpRequest[] => rich.map((member) => signedIn(path, member))
  return { kind: 'requests', name: `page ${path}`, title: `page \`${path}\`, signed in`, requests }
}

/** Returns the request of a browser in which the member is signed in. */
export function signedIn(path: string, { token }: Member): HttpRequest {
  return { path, headers: { Cookie: `beak.session=${token}` } }
}

export const beakScenarios: BeakScenario[] = [
  { kind: 'requests', name: 'root', title: '`GET /beak/`', requests: () => [{ path: '/beak/' }] },
  {
    kind: 'requests',
    name: 'profile bearer',
    title: 'profile, bearer',
    requests: ({ people }) => people.map((person) => ({ path: '/beak/profile', headers: bearer(person) })),
  },
  {
    kind: 'requests',
    name: 'profile key',
    title: 'profile, beak key',
    requests: ({ people }) =>
      people.map(({ beakKey }) => ({ path: '/beak/profile', headers: { 'X-Beak-Key': beakKey } })),
  },
  {
    kind: 'requests',
    name: 'agent verify',
    title: '`agent/verify`',
    requests: ({ people }) =>
      people.map(({ agentId }) => ({ path: `/beak/agent/verify?agent_id=${agentId}` })),
  },
  {
    kind: 'requests',
    name: 'cert verify',
    title: '`cert/verify`',
    requests: ({ people }) =>
      people.map(({ certificateId }) => ({ path: `/beak/cert/verify?cert_id=${certificateId}` })),
  },
  {
    kind: 'requests',
    name: 'sso verify',
    title: '`sso/verify`',
    async requests({ people }, client) {
      const requests: HttpRequest[] = []
      for (const person of people.slice(0, 8)) {
        const body = { target_domain: ssoDomain, scope: 'read:profile' }
        const answer = await client.post<{ sso_token: string }>('/beak/sso/issue', body, bearer(person))
        requests.push({ method: 'POST', path: '/beak/sso/verify', body: { token: answer.sso_token } })
      }
      return requests
    },
  },
  {
    ...list('directory', 'directory', '/beak/spaceducks?limit=20'),
    requests: () => [{ path: '/beak/spaceducks?limit=20' }],
  },
  list('peck history', 'peck history', '/beak/peck/history?limit=20'),
  list('audit', 'audit log', '/beak/audit?limit=20'),
  list('session list', 'session list', '/beak/session/list?limit=20'),
  list('agent list', 'agent list', '/beak/agent/list?limit=20'),
  ...connectedScenarios,
  { kind: 'flow', name: 'sign-up', title: 'sign-up + verify', flow: 'sign-up', requestCount: 2 },
  { kind: 'flow', name: 'sign-in', title: 'code + sign-in', flow: 'sign-in', requestCount: 2 },
  { kind: 'flow', name: 'peck', title: 'peck: ask, approve, status, consume', flow: 'peck', requestCount: 4 },
  // The nearest to an empty page in the layout of the site: a heading, a sentence and a link.
  page('empty', '/download-failed?why=missing', 404),
  page('/', '/'),
  page('/signin', '/signin'),
  page('/verify', '/verify'),
  page('/status', '/status'),
  // The nearest to an empty page in the layout of an account: an empty list.
  {
    ...ownPage('/pecks/blocked'),
    name: 'page empty, signed in',
    title: 'page `/pecks/blocked` (empty), signed in',
  },
  ownPage('/home'),
  ownPage('/pecks'),
]

/** The rows that `lab/bench/references/by-hand.mjs` has too. */
const byHand = new Set(['agent list', 'sign-up', 'sign-in', 'peck'])
export const byHandScenarios = beakScenarios.filter(({ name }) => byHand.has(name))
