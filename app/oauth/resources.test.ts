/** What an access token opens: the API or the MCP server, and never both. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, callRaw } from '@/app/beak/_api/call'
import { table } from '@/app/beak/_api/table'
import { answerMcp } from '@/app/mcp/_server/answer'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import {
  allowed,
  aProgram,
  callTool,
  connected,
  type Doors,
  exchange,
  refresh,
} from '@/lib/fixtures/programs'
import { statementsOf } from '@/lib/fixtures/statements'
import { answerRequest } from '@/lib/http/adapters'
import { config } from '@/lib/kernel/config'
import { resourceUrl } from '@/lib/kernel/request/oauth-paths'
import { openOwnDoors } from './open-doors'

let doors: Doors
beforeAll(async () => {
  doors = await openOwnDoors()
})
afterAll(() => doors.close())

/** The operations of the API, as `GET /beak/profile`, with the credential that each needs. */
const operations = Object.entries(table)
  .filter(([path]) => path.startsWith('/beak/'))
  .flatMap(([path, route]) =>
    Object.entries(route).flatMap(([method, { definition }]) =>
      definition === undefined || method === 'HEAD'
        ? []
        : [{ line: `${method} ${path.replace(/\{\w+\}/, 'x')}`, auth: definition.auth }],
    ),
  )

const forAgents = operations.filter(({ auth }) => /agent|key/.test(auth))

/** Connects a program to a resource. Returns its access token. */
async function accessTo(name: 'mcp' | 'beak'): Promise<string> {
  const asks = { resource: resourceUrl(name), scope: 'ask profile' }
  return (await connected(doors, await aDuckling(), { asks, answers: { scopes: ['ask', 'profile'] } })).access
}

describe('a token for the API', () => {
  it('opens what a beak key of the agent opens', async () => {
    const owner = await aDuckling()
    const asks = { resource: resourceUrl('beak'), scope: 'ask profile' }
    const { access, agentId } = await connected(doors, owner, {
      asks,
      answers: { scopes: ['ask', 'profile'] },
    })
    expect((await call('GET /beak/profile', { token: access })).body).toMatchObject({ duckling_id: owner.id })
    const body = { target_duckling_id: owner.id, action: 'send:mail', scope: 'limited' }
    expect((await call('POST /beak/peck/request', { token: access, body })).body).toMatchObject({
      status: 'pending',
    })
    const token = await call('POST /beak/agent/token', {
      token: access,
      body: { audience: 'https://shop.example' },
    })
    expect(token.status).toBe(200)
    // What was not ticked.
    expect((await call('GET /beak/audit', { token: access })).status).toBe(403)
    await call('POST /beak/agent/deregister', { token: owner.token, body: { agent_id: agentId } })
    expect((await call('GET /beak/profile', { token: access })).status).toBe(401)
  })

  it('does nothing that is for people', async () => {
    const access = await accessTo('beak')
    const forPeople = operations.filter(({ auth }) => auth === 'session')
    expect(forPeople.length).toBeGreaterThan(60)
    for (const { line } of forPeople) {
      const { status, body } = await call(line, {
        token: access,
        body: line.startsWith('GET') ? undefined : {},
      })
      expect([line, status, body.reason]).toEqual([line, 403, 'agent_not_allowed'])
    }
  })

  it.each([['Bearer '], ['bearer '], ['Bearer "'], ["Bearer '"]])(
    'is refused at the MCP server, after %s',
    async (before) => {
      const access = await accessTo('beak')
      const quote = before.slice(7)
      const { status } = await doors.fetch('/mcp', {
        method: 'POST',
        headers: {
          Authorization: `${before}${access}${quote}`,
          Accept: 'application/json, text/event-stream',
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      })
      expect(status).toBe(401)
    },
  )

  it('is refused as a key, in its header and in the address', async () => {
    const access = await accessTo('beak')
    expect((await callRaw('GET /beak/profile', { headers: { 'X-Beak-Key': access } })).status).toBe(401)
    expect((await callRaw(`GET /beak/profile?beak_key=${access}`)).status).toBe(401)
  })

  it('costs the statements of a beak key', async () => {
    const { beakKey } = await anAgent(await aDuckling(), { capabilities: ['read:profile'] })
    const access = await accessTo('beak')
    const count = async (token: string) => {
      await call('GET /beak/profile', { token })
      return (await statementsOf(() => call('GET /beak/profile', { token }))).length
    }
    expect(await count(access)).toBe(await count(beakKey))
  })
})

describe('a token for the MCP server', () => {
  it('costs the statements of a beak key', async () => {
    const { beakKey } = await anAgent(await aDuckling())
    const access = await accessTo('mcp')
    const whoami = async (token: string) => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', arguments: {} } }
      const headers = {
        Authorization: `Bearer ${token}`,
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
      }
      const request = new Request(resourceUrl('mcp'), { method: 'POST', headers, body: JSON.stringify(body) })
      expect(await (await answerRequest(request, answerMcp)).text()).toContain('"valid":true')
    }
    const count = async (token: string) => {
      await whoami(token)
      return (await statementsOf(() => whoami(token))).length
    }
    expect(await count(access)).toBe(await count(beakKey))
  })

  it('opens nothing of the API', async () => {
    const access = await accessTo('mcp')
    expect((await callTool(doors, access)).status).toBe(200)
    expect(forAgents.length).toBeGreaterThan(8)
    for (const { line } of forAgents) {
      const { status, body, headers } = await call(line, {
        token: access,
        body: line.startsWith('GET') ? undefined : {},
      })
      expect([line, status, body.code]).toEqual([line, 401, 'E4001'])
      expect(headers.get('www-authenticate')).toContain(
        `resource_metadata="${config().baseUrl}/.well-known/oauth-protected-resource/beak"`,
      )
    }
  })
})

describe('a program', () => {
  it.each(['mcp', 'beak'] as const)(
    'gets no token for another resource than %s with its code',
    async (name) => {
      const other = resourceUrl(name === 'mcp' ? 'beak' : 'mcp')
      const { begun, code } = await allowed(doors, await aDuckling(), {
        asks: { resource: resourceUrl(name) },
      })
      expect((await exchange(doors, begun, code, { resource: other })).body.error).toBe('invalid_target')
    },
  )

  it('connected to the API gets a token for the MCP server alone with its refresh token', async () => {
    const asks = { resource: resourceUrl('beak') }
    const owner = await aDuckling()
    const { program, agentId, refresh: token } = await connected(doors, owner, { asks })
    const narrow = await refresh(doors, program, token, { resource: resourceUrl('mcp') })
    expect(narrow.body).toMatchObject({ scope: 'ask', token_type: 'Bearer' })
    const { status, result } = await callTool(doors, narrow.body.access_token)
    expect([status, result.agent_id, result.capabilities]).toEqual([
      200,
      agentId,
      ['request:peck', 'read:peck'],
    ])
    expect((await call('GET /beak/peck/history', { token: narrow.body.access_token })).status).toBe(401)
    // The connection itself stays one to the API.
    const wide = await refresh(doors, program, narrow.body.refresh_token)
    expect((await call('GET /beak/peck/history', { token: wide.body.access_token })).status).toBe(200)
    expect((await callTool(doors, wide.body.access_token)).status).toBe(401)
    await call('POST /beak/agent/deregister', { token: owner.token, body: { agent_id: agentId } })
    expect((await callTool(doors, narrow.body.access_token)).status).toBe(401)
  })

  it('connected to the MCP server gets no token for the API with its refresh token', async () => {
    const { program, refresh: token } = await connected(doors, await aDuckling())
    for (const resource of [resourceUrl('beak'), `${resourceUrl('beak')}/`]) {
      const { body } = await refresh(doors, program, token, { resource })
      expect(body).toMatchObject({ error: 'invalid_target' })
      expect(body.access_token).toBeUndefined()
    }
  })

  it.each(['mcp', 'beak'] as const)(
    'gets nothing with the refresh token that another program has for %s',
    async (name) => {
      const asks = { resource: resourceUrl(name) }
      const { refresh: token } = await connected(doors, await aDuckling(), { asks })
      const other = await aProgram(doors)
      for (const resource of [resourceUrl('mcp'), resourceUrl('beak')])
        expect((await refresh(doors, other, token, { resource })).body.error).toBe('invalid_grant')
    },
  )

  it.each(['https://elsewhere.example/mcp', 'http://localhost:3000/', 'http://localhost:3000/mcp/../beak'])(
    'gets no token for %s',
    async (resource) => {
      const asks = { resource: resourceUrl('beak') }
      const { program, refresh: token } = await connected(doors, await aDuckling(), { asks })
      expect((await refresh(doors, program, token, { resource })).body.error).toBe('invalid_target')
    },
  )

  it('gets a token for each of the resources that it asked for', async () => {
    const asks = { resource: [resourceUrl('mcp'), resourceUrl('beak')] }
    const { access, program, refresh: token } = await connected(doors, await aDuckling(), { asks })
    expect((await callTool(doors, access)).status).toBe(200)
    expect((await call('GET /beak/peck/history', { token: access })).status).toBe(401)
    const { body } = await refresh(doors, program, token, { resource: resourceUrl('beak') })
    expect((await call('GET /beak/peck/history', { token: body.access_token })).status).toBe(200)
    expect((await callTool(doors, body.access_token)).status).toBe(401)
  })
})

describe('the metadata of the API', () => {
  it('names the resource and the authorization server', async () => {
    expect((await call('GET /.well-known/oauth-protected-resource/beak')).body).toMatchObject({
      resource: resourceUrl('beak'),
      authorization_servers: [config().baseUrl],
    })
    expect((await call('GET /beak/peck/history')).headers.get('www-authenticate')).toContain(
      'resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/beak"',
    )
    expect((await call('GET /beak/agent/list')).headers.get('www-authenticate')).not.toContain(
      'resource_metadata',
    )
  })
})
