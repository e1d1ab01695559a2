/** What the MCP server answers to HTTP requests that no MCP client sends. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling, randomAddress } from '@/lib/factories/ducklings'
import { brokenBodies } from '@/lib/fixtures/json-fuzz'
import { answerRequest } from '@/lib/http/adapters'
import { config, useConfig } from '@/lib/kernel/config'
import { answerMcp } from './_server/answer'
import { POST } from './route'

interface Sent {
  method?: string
  path?: string
  key?: string
  headers?: Record<string, string>
  body?: unknown
  /** Sent instead of `body` as JSON. */
  raw?: string
  /** The address of the client. Default: a random address. */
  from?: string
}

/** Sends a request of 2025-11-25, which needs no metadata in its body. */
function send({
  method = 'POST',
  path = '/mcp',
  key,
  headers = {},
  body,
  raw,
  from,
}: Sent): Promise<Response> {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const request = new Request(`http://localhost:3000${path}`, {
    method,
    headers: {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
  })
  return answerRequest(request, answerMcp, from ?? randomAddress())
}

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
const list = message('tools/list')

/** Returns the JSON-RPC message of an answer, which is JSON or the only message of a stream. */
async function messageOf(response: Response) {
  const text = await response.text()
  return JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text)
}

const key = (await anAgent(await aDuckling())).beakKey
const sessionToken = (await aDuckling()).token

describe('a request without a valid key', () => {
  // security: stranger-17
  it.each([
    ['without a credential', {}],
    ['with a session token', { key: sessionToken }],
    ['with a key that does not exist', { key: `${key.slice(0, -1)}${key.endsWith('X') ? 'Y' : 'X'}` }],
    ['with the key in the query string', { path: `/mcp?beak_key=${key}` }],
  ])('gets 401 %s, with the address of the metadata', async (_, options) => {
    const response = await send({ ...options, body: list })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe(
      'Bearer realm="beak", error="invalid_token", resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/mcp"',
    )
    expect(await response.json()).toMatchObject({ code: 'E4001', action: expect.any(String) })
  })

  it('counts against the limit of its address, and one with a key against the limit of the account', async () => {
    const before = config()
    useConfig({
      limits: {
        ...before.limits,
        anonymous: { perMinute: 1, burst: 1 },
        authenticated: { perMinute: 1, burst: 1 },
      },
    })
    try {
      const own = (await anAgent(await aDuckling())).beakKey
      expect((await send({ key: own, body: list })).status).toBe(200)
      const from = randomAddress()
      expect((await send({ from, body: list })).status).toBe(401)
      for (const options of [{ key: own }, { from }]) {
        const refused = await send({ ...options, body: list })
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
        expect(await refused.json()).toMatchObject({ code: 'E4004' })
      }
    } finally {
      useConfig(before)
    }
  })
})

describe('the metadata', () => {
  it.each(['GET /.well-known/oauth-protected-resource', 'GET /.well-known/oauth-protected-resource/mcp'])(
    '%s names the resource',
    async (line) => {
      const { status, body } = await call(line)
      expect([status, body]).toEqual([
        200,
        {
          resource: 'http://localhost:3000/mcp',
          resource_name: 'Beak',
          resource_documentation: 'http://localhost:3000/docs/mcp.md',
          authorization_servers: ['http://localhost:3000'],
          scopes_supported: ['ask', 'ask:others', 'profile', 'activity'],
          bearer_methods_supported: ['header'],
        },
      ])
    },
  )

  it('is at the path that RFC 9728 forms when BASE_URL has a path', async () => {
    const before = config()
    useConfig({ baseUrl: 'https://example.org/prod', basePath: '/prod' })
    try {
      for (const path of ['mcp', 'prod/mcp'])
        expect((await call(`GET /.well-known/oauth-protected-resource/${path}`)).body.resource).toBe(
          'https://example.org/prod/mcp',
        )
    } finally {
      useConfig(before)
    }
  })

  it('is 404 for other resources', async () => {
    for (const path of ['other', 'mcp/x', 'prod/mcp'])
      expect((await call(`GET /.well-known/oauth-protected-resource/${path}`)).status).toBe(404)
  })
})

describe('a request', () => {
  // security: stranger-17
  it('from a page of another origin gets 403, which prevents DNS rebinding, and one from an own page is answered', async () => {
    for (const origin of [
      'https://evil.example',
      'http://localhost:3001',
      'http://127.0.0.1:3000',
      'null',
      '',
    ])
      expect((await send({ key, body: list, headers: { Origin: origin } })).status).toBe(403)
    const own = await send({ key, body: list, headers: { Origin: 'http://localhost:3000' } })
    expect(own.status).toBe(200)
    expect(own.headers.get('access-control-allow-origin')).toBeNull()
  })

  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'])('gets 405 with %s', async (method) => {
    const response = await send({ key, method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it.each([
    ['*/*', 200],
    ['application/*, text/*;q=0.5', 200],
    ['application/json;q=0.9, */*;q=0.1', 200],
    ['application/json', 406],
    ['text/event-stream', 406],
    ['*/*;q=0', 406],
    ['text/html', 406],
  ])('answers a client that takes %s with %i', async (Accept, status) => {
    expect((await send({ key, body: list, headers: { Accept } })).status).toBe(status)
  })

  it('gets 413 above 64 KiB, and 415 with another media type', async () => {
    const huge = await send({ key, body: message('tools/list', { cursor: 'x'.repeat(65_536) }) })
    expect([huge.status, (await huge.json()).code]).toEqual([413, 'E4011'])
    const text = await send({ key, body: list, headers: { 'Content-Type': 'text/plain' } })
    expect([text.status, (await text.json()).code]).toEqual([415, 'E4012'])
  })

  it.each(brokenBodies)('gets $status for $name', async ({ text, status }) => {
    const response = await send({ key, raw: text })
    expect(response.status).toBe(status)
    if (status === 400)
      expect(await response.json()).toMatchObject({
        jsonrpc: '2.0',
        id: null,
        error: { code: expect.toBeOneOf([-32_700, -32_600]) },
      })
  })

  it('gets an error without an id when the id is a number that JSON does not keep', async () => {
    const response = await send({ key, raw: '{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/list"}' })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { id: null, error: { code: -32_602, message: expect.stringContaining('id must be a string') } },
    ])
  })

  // security: stranger-18
  it('gets 400 for a batch, which would make one request count for many', async () => {
    expect((await send({ key, body: [list, list] })).status).toBe(400)
  })

  it('gets an error for an unknown method, tool or protocol version, and for an empty message', async () => {
    expect((await messageOf(await send({ key, body: message('tools/approve') }))).error.code).toBe(-32_601)
    for (const name of ['approve', 'constructor', 'toString']) {
      const { result, error } = await messageOf(await send({ key, body: message('tools/call', { name }) }))
      expect(error?.code === -32_602 || result?.isError === true).toBe(true)
    }
    expect((await send({ key, raw: '' })).status).toBe(400)
  })

  it.each([
    ['2025-03-26', ' is not supported, because it needs batches.'],
    ['1999-01-01', ' is not supported.'],
    ['__proto__', ' is not supported.'],
  ])('of revision %s gets 400 with all supported revisions', async (requested, words) => {
    const headers = { 'MCP-Protocol-Version': requested }
    const response = await send({ key, body: list, headers })
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/json'])
    const supported = ['2026-07-28', '2025-11-25', '2025-06-18']
    expect(await messageOf(response)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32_022,
        message: `Revision ${requested} of MCP${words} Supported revisions: ${supported.join(', ')}.`,
        data: { supported, requested },
      },
    })
    for (const raw of ['null', '1', '{}']) expect((await send({ key, raw, headers })).status).toBe(400)
    expect((await send({ headers })).status).toBe(401)
  })

  it('of revision 2025-03-26 that initializes gets the newest revision that both may speak', async () => {
    const params = {
      protocolVersion: '2025-03-26',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    }
    const { result } = await messageOf(await send({ key, body: message('initialize', params) }))
    expect(result.protocolVersion).toBe('2025-11-25')
  })

  it('for a stream of changes is refused at once, because the tools do not change', async () => {
    const params = {
      notifications: {},
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    }
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen' }
    const response = await send({ key, headers, body: message('subscriptions/listen', params) })
    expect(await messageOf(response)).toMatchObject({ id: 1, error: { code: expect.any(Number) } })
  })

  it('of 2025-11-25 gets no page to open when it only claims to be a client of 2026-07-28', async () => {
    const _meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } } }
    const ask = { name: 'ask_permission', arguments: { action: 'open:page', scope: 'limited' }, _meta }
    const { result } = await messageOf(await send({ key, body: message('tools/call', ask) }))
    expect([result.isError, result.structuredContent.status]).toEqual([undefined, 'pending'])
  })

  // security: stranger-18
  it('with any message is never answered with a 5xx', async () => {
    const anyMessage = fc.record({
      jsonrpc: fc.constantFrom('2.0', '1.0', 2),
      id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
      method: fc.oneof(fc.constantFrom('tools/call', 'tools/list', 'initialize', 'ping'), fc.string()),
      params: fc.oneof(
        fc.jsonValue(),
        fc.record({
          name: fc.constantFrom('ask_permission', 'use_permission', 'verify_receipt', 'whoami', 'valueOf'),
          arguments: fc.jsonValue(),
          _meta: fc.jsonValue(),
        }),
      ),
    })
    await fc.assert(
      fc.asyncProperty(anyMessage, async (body) => {
        const response = await send({ key, body })
        await response.text()
        return response.status < 500
      }),
      { numRuns: 100 },
    )
  })

  // security: agent-27
  it('runs with the key when it also has a session token, and answers like under Next', async () => {
    const other = await aDuckling()
    const headers = { 'X-Beak-Key': key, Authorization: `Bearer ${other.token}` }
    const body = message('tools/call', {
      name: 'ask_permission',
      arguments: { action: 'a:b', scope: 'limited' },
    })
    const { result } = await messageOf(await send({ headers, body }))
    expect(result.structuredContent.requester.type).toBe('agent')
    expect(await db().peck.count({ where: { requesterDucklingId: other.id } })).toBe(0)
    const request = new Request('http://localhost:3000/mcp', { method: 'POST', body: '{}' })
    expect((await POST(request)).status).toBe(401)
  })
})
