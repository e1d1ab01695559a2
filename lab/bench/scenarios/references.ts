/** What is measured of the reference servers. The goals of Beak are relative to these rows. */
import type { Client } from '../drive/connection'
import type { Driver } from '../drive/driver'
import type { Server } from '../servers/server'
import type { ReferenceScenario, ReferenceWorld } from './scenario'

const people = 64

const withToken = (path: string) => (world: ReferenceWorld) =>
  world.tokens.map((token) => ({ path, headers: { Authorization: `Bearer ${token}` } }))

export const honoScenarios: ReferenceScenario[] = [
  { kind: 'requests', name: 'static', title: 'Hono, static JSON', requests: () => [{ path: '/' }] },
]

export const plainScenarios: ReferenceScenario[] = [
  {
    kind: 'requests',
    name: 'select',
    title: 'node:http, EdDSA + one pg select',
    requests: withToken('/select'),
  },
  {
    kind: 'requests',
    name: 'insert',
    title: 'node:http, EdDSA + durable pg insert',
    requests: withToken('/insert'),
  },
]

export const betterAuthScenarios: ReferenceScenario[] = [
  {
    kind: 'requests',
    name: 'session',
    title: 'better-auth on Hono, get-session',
    requests: withToken('/api/auth/get-session'),
  },
  {
    kind: 'requests',
    name: 'key',
    title: 'better-auth on Hono, API key verify',
    requests: ({ apiKeys }) => apiKeys.map((key) => ({ path: '/key', headers: { 'X-Api-Key': key } })),
  },
  {
    kind: 'flow',
    name: 'sign-up',
    title: 'better-auth on Hono, code sign-up',
    flow: 'better-auth-sign-up',
    requestCount: 2,
  },
  {
    kind: 'flow',
    name: 'sign-in',
    title: 'better-auth on Hono, code sign-in',
    flow: 'better-auth-sign-in',
    requestCount: 2,
  },
]

export async function preparePlain(client: Client): Promise<ReferenceWorld> {
  const tokens: string[] = []
  for (let index = 0; index < people; index++)
    tokens.push((await client.json<{ token: string }>({ path: '/token' })).token)
  return { tokens, apiKeys: [], addresses: [] }
}

/** Signs people up at better-auth. The load process reads their codes, and each of them gets an API key. */
export async function prepareBetterAuth(
  client: Client,
  driver: Driver,
  server: Server,
): Promise<ReferenceWorld> {
  const { made } = await driver.flow(
    'better-auth-sign-up',
    { origin: server.origin, seconds: 60, flows: 8, max: people },
    { run: 'first', codes: server.codes, people: [], addresses: [] },
  )
  const apiKeys: string[] = []
  for (const { token } of made) {
    const headers = { Origin: server.origin, Authorization: `Bearer ${token}` }
    apiKeys.push(
      (await client.post<{ key: string }>('/api/auth/api-key/create', { name: 'bench' }, headers)).key,
    )
  }
  return { tokens: made.map(({ token }) => token), apiKeys, addresses: made.map(({ email }) => email) }
}
