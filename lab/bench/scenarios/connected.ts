/** Programs that connected by OAuth. */
import { aProgram, connected, type Doors, fetchFrom, type Program, type Reply } from '@/lib/fixtures/programs'
import type { Client, HttpRequest } from '../drive/connection'
import type { RequestScenario } from './scenario'
import { bearer, richPassword, type World } from './world'

/** What an agent with a key may do too. */
const scopes = ['ask', 'profile']
const scope = scopes.join(' ')

/** One program for each member, so that its agent stays the same. */
const programs = new Map<string, Program>()

function doorsOf({ origin }: Client): Doors {
  const fetch = fetchFrom(origin)
  const call = (line: string, { token = '', body }: { token?: string; body?: unknown }): Promise<Reply> => {
    const [method = '', path = ''] = line.split(' ')
    const headers = { ...bearer({ token }), 'Content-Type': 'application/json' }
    return fetch(path, { method, headers, body: JSON.stringify(body) })
  }
  return { origin, fetch, call, close: async () => undefined }
}

/** Connects a program to each rich member, who signs in for it. Ends its earlier tokens. */
async function connectAll({ rich }: World, client: Client) {
  const doors = doorsOf(client)
  const connections: Awaited<ReturnType<typeof connected>>[] = []
  for (const { email } of rich) {
    const session = await client.post<{ token: string }>('/beak/signin', { email, password: richPassword })
    const key = `${client.origin} ${email}`
    const program = programs.get(key) ?? (await aProgram(doors))
    programs.set(key, program)
    connections.push(await connected(doors, session, { program, asks: { scope }, answers: { scopes } }))
  }
  return connections
}

const whoami = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', arguments: {} } }

const toMcp = (token: string): HttpRequest => ({
  method: 'POST',
  path: '/mcp',
  headers: { ...bearer({ token }), Accept: 'application/json, text/event-stream' },
  body: whoami,
})

export const connectedScenarios: RequestScenario<World>[] = [
  {
    kind: 'requests',
    name: 'mcp key',
    title: 'MCP `whoami`, beak key',
    requests: ({ people }) => people.slice(0, 4).map(({ beakKey }) => toMcp(beakKey)),
  },
  {
    kind: 'requests',
    name: 'mcp access token',
    title: 'MCP `whoami`, access token',
    requests: async (world, client) => (await connectAll(world, client)).map(({ access }) => toMcp(access)),
  },
  {
    kind: 'requests',
    name: 'token refresh',
    title: 'token exchange (refresh)',
    // The same token gets the same successor for 30 seconds, which is longer than a run.
    requests: async (world, client) =>
      (await connectAll(world, client)).map(({ program, refresh }) => ({
        method: 'POST',
        path: '/oauth/token',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: refresh,
          client_id: program.clientId,
        }).toString(),
      })),
  },
]
