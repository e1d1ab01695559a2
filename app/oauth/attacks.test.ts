/** What a stranger tries with the codes, tokens and parameters of a program that connects by OAuth. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { recordHash } from '@/lib/domain/oauth/hashes'
import { aDuckling } from '@/lib/factories/ducklings'
import {
  allowed,
  aProgram,
  begin,
  callTool,
  connected,
  type Doors,
  exchange,
  postForm,
  redirectUri,
  refresh,
} from '@/lib/fixtures/programs'
import { config } from '@/lib/kernel/config'
import { openOwnDoors } from './open-doors'

let doors: Doors
beforeAll(async () => {
  doors = await openOwnDoors()
})
afterAll(() => doors.close())
afterEach(() => void vi.useRealTimers())

describe('a code', () => {
  it('used twice is refused, and ends the tokens of the first use', async () => {
    const { begun, code, program, access, refresh: token } = await connected(doors, await aDuckling())
    expect((await callTool(doors, access)).status).toBe(200)
    const again = await exchange(doors, begun, code)
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
    expect((await callTool(doors, access)).status).toBe(401)
    expect((await refresh(doors, program, token)).body.error).toBe('invalid_grant')
  })

  it('used 50 times at once gives tokens once', async () => {
    const { begun, code } = await allowed(doors, await aDuckling())
    const replies = await Promise.all(Array.from({ length: 50 }, () => exchange(doors, begun, code)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(49)
  })

  it('gives nothing to another program, and without the verifier of its request', async () => {
    const { begun, code } = await allowed(doors, await aDuckling())
    const other = await aProgram(doors)
    const wrong = [
      { client_id: other.clientId },
      { client_id: 'nobody' },
      { client_id: undefined },
      { code_verifier: 'another-verifier-of-at-least-43-characters-x' },
      { code_verifier: undefined },
      { code_verifier: '' },
      { code: `${code.slice(0, -1)}${code.endsWith('x') ? 'y' : 'x'}` },
    ]
    for (const changes of wrong) {
      const { status, body } = await exchange(doors, begun, code, changes)
      expect([400, 401]).toContain(status)
      expect(body.access_token).toBeUndefined()
    }
    expect((await exchange(doors, begun, code)).status).toBe(200)
  })

  it('lasts a minute', async () => {
    const { begun, code } = await allowed(doors, await aDuckling())
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    expect((await exchange(doors, begun, code)).body.error).toBe('invalid_grant')
  })

  it('is no token, and a token of one kind is none of another kind', async () => {
    const { program, begun, code, access, refresh: token } = await connected(doors, await aDuckling())
    for (const secret of [code, token]) expect((await callTool(doors, secret)).status).toBe(401)
    for (const secret of [access, code])
      expect((await refresh(doors, program, secret)).body.error).toBe('invalid_grant')
    for (const secret of [access, token])
      expect((await exchange(doors, begun, secret)).body.error).toBe('invalid_grant')
    expect((await callTool(doors, access)).status).toBe(200)
  })
})

describe('a request of a program', () => {
  const atProgram = async (changes: Parameters<typeof begin>[2]) => {
    const program = await aProgram(doors)
    const record = recordHash('Client', program.clientId)
    await db().oAuthRecord.update({ where: { hash: record }, data: { expiresAt: null } })
    const { status, location, text, cookies } = await begin(doors, program, { state: 's', ...changes })
    expect([status, cookies]).toEqual([303, ''])
    expect(location.startsWith(redirectUri)).toBe(true)
    expect(text).not.toContain('<')
    const { search, hash } = new URL(location)
    const back = new URLSearchParams(search || hash.slice(1))
    expect([back.get('state'), back.get('iss'), back.get('code')]).toEqual(['s', config().baseUrl, null])
    return back.get('error')
  }

  it.each([
    ['invalid_request', { code_challenge: undefined, code_challenge_method: undefined }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge_method: undefined }],
    ['invalid_request', { code_challenge: 'short' }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['unsupported_response_type', { response_type: 'code id_token' }],
    ['unsupported_response_type', { response_type: 'none' }],
    ['unsupported_response_mode', { response_mode: 'form_post' }],
    ['unsupported_response_mode', { response_mode: 'fragment' }],
    ['unsupported_response_mode', { response_mode: 'web_message' }],
    ['login_required', { prompt: 'none' }],
    ['request_not_supported', { request: 'eyJhbGciOiJub25lIn0.e30.' }],
    ['request_uri_not_supported', { request_uri: 'https://evil.example/request' }],
    ['invalid_request', { id_token_hint: 'eyJhbGciOiJub25lIn0.e30.' }],
    ['invalid_target', { resource: 'https://evil.example/mcp' }],
    ['invalid_target', { resource: `${config().baseUrl}/` }],
    ['invalid_target', { resource: `${config().baseUrl}/BEAK` }],
    ['invalid_target', { resource: `${config().baseUrl}/beak/profile` }],
    ['invalid_target', { resource: [`${config().baseUrl}/beak`, 'https://evil.example/mcp'] }],
    ['invalid_target', { resource: `${config().baseUrl}.evil.example/mcp` }],
    ['invalid_target', { resource: `${config().baseUrl}/mcp#x` }],
    ['invalid_target', { resource: 'mcp' }],
  ])('is refused with %s at the program, without a page, for %j', async (error, changes) => {
    expect(await atProgram(changes)).toBe(error)
  })

  it.each([{ prompt: 'none' }, { code_challenge_method: 'plain' }, { resource: 'https://evil.example/mcp' }])(
    'that nobody has ever allowed leads no browser away: %j',
    async (changes) => {
      const { status, location, text } = await begin(doors, await aProgram(doors), changes)
      expect([status, location]).toEqual([400, ''])
      expect(JSON.parse(text)).toEqual({ error: expect.any(String), error_description: expect.any(String) })
    },
  )

  it('with claims and hints is a request without them', async () => {
    const claims = JSON.stringify({ id_token: { email: { essential: true } }, userinfo: { email: null } })
    const { tokens } = await connected(doors, await aDuckling(), {
      asks: {
        scope: 'openid ask',
        claims,
        login_hint: 'somebody@example.com',
        ui_locales: 'de',
        max_age: '0',
        acr_values: 'phr',
      },
    })
    expect(tokens.scope).toBe('ask')
    expect(tokens).not.toHaveProperty('id_token')
  })

  it('of an unknown program gets JSON without a redirect', async () => {
    const { status, location, body } = await begin(doors, { clientId: 'nobody', redirect: redirectUri })
    expect([status, location, body.error]).toEqual([400, '', 'invalid_client'])
  })
})

describe('a token', () => {
  it('never has more scopes than the person ticked', async () => {
    const { program, begun, code, agentId } = await allowed(doors, await aDuckling(), {
      asks: { scope: 'ask activity' },
      answers: { scopes: ['ask'] },
    })
    const first = await exchange(doors, begun, code, { scope: 'ask activity' })
    expect(first.body.scope).toBe('ask')
    for (const scope of ['ask activity', 'activity', 'ask profile', 'openid']) {
      const { status, body } = await refresh(doors, program, first.body.refresh_token, { scope })
      expect([status, body.error]).toEqual([400, 'invalid_scope'])
    }
    const { result } = await callTool(doors, first.body.access_token)
    expect(result).toMatchObject({ agent_id: agentId, capabilities: ['request:peck', 'read:peck'] })
  })

  it('has no scope that the program did not ask for', async () => {
    const { tokens, access } = await connected(doors, await aDuckling(), {
      answers: { scopes: ['ask', 'profile', 'activity'] },
    })
    expect(tokens.scope).toBe('ask')
    expect((await callTool(doors, access)).result.capabilities).toEqual(['request:peck', 'read:peck'])
  })

  it('is only for the MCP server of this service', async () => {
    const { begun, code, program } = await allowed(doors, await aDuckling())
    const resource = 'https://evil.example/mcp'
    expect((await exchange(doors, begun, code, { resource })).body.error).toBe('invalid_target')
    const { access, refresh: token } = await connected(doors, await aDuckling(), { program })
    expect((await refresh(doors, program, token, { resource })).body.error).toBe('invalid_target')
    for (const line of ['GET /beak/profile', 'GET /beak/agent/rules', 'POST /beak/peck/request']) {
      const body = line.startsWith('POST') ? { action: 'send:mail', scope: 'limited' } : undefined
      expect((await call(line, { token: access, body })).status).toBe(401)
      expect((await call(line, { key: access, body })).status).toBe(401)
    }
  })

  it('counts only in the Authorization header', async () => {
    const { access } = await connected(doors, await aDuckling())
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    }
    for (const query of [`access_token=${access}`, `beak_key=${access}`])
      expect((await doors.fetch(`/mcp?${query}`, init)).status).toBe(401)
    const others: Record<string, string>[] = [{ 'X-Beak-Key': access }, { Cookie: `access_token=${access}` }]
    for (const headers of others) {
      const { status } = await doors.fetch('/mcp', { ...init, headers: { ...init.headers, ...headers } })
      expect(status).toBe(401)
    }
    const form = await postForm(doors, '/mcp', { access_token: access })
    expect(form.status).toBe(401)
  })

  it('lasts 15 minutes', async () => {
    const { access } = await connected(doors, await aDuckling())
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 14 * 60_000 })
    expect((await callTool(doors, access)).status).toBe(200)
    vi.setSystemTime(Date.now() + 61_000)
    expect((await callTool(doors, access)).status).toBe(401)
  })
})
