/** A program connects by OAuth: registration, consent, tokens, and the agent that it gets. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { aDuckling } from '@/lib/factories/ducklings'
import {
  allow,
  allowed,
  aProgram,
  begin,
  callTool,
  connected,
  type Doors,
  exchange,
  goBack,
  redirectUri,
  refresh,
  registration,
} from '@/lib/fixtures/programs'
import { config } from '@/lib/kernel/config'
import { openOwnDoors } from './open-doors'

let doors: Doors
beforeAll(async () => {
  doors = await openOwnDoors()
})
afterAll(() => doors.close())

describe('the metadata', () => {
  it('names the addresses, the scopes and what a program may ask', async () => {
    const { baseUrl } = config()
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      const { body } = await doors.fetch(`/.well-known/${name}`)
      expect(body).toMatchObject({
        issuer: baseUrl,
        authorization_endpoint: `${baseUrl}/oauth/authorize`,
        token_endpoint: `${baseUrl}/oauth/token`,
        registration_endpoint: `${baseUrl}/oauth/register`,
        revocation_endpoint: `${baseUrl}/oauth/revoke`,
        jwks_uri: `${baseUrl}/oauth/jwks`,
        scopes_supported: [
          'ask',
          'ask:others',
          'profile',
          'activity',
          'openid',
          'email',
          'tier',
          'handle',
          'certificate',
        ],
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
        userinfo_endpoint: `${baseUrl}/oauth/userinfo`,
        introspection_endpoint: `${baseUrl}/oauth/introspect`,
        end_session_endpoint: `${baseUrl}/oauth/logout`,
        backchannel_logout_supported: true,
        subject_types_supported: ['pairwise'],
        acr_values_supported: ['phr'],
        authorization_response_iss_parameter_supported: true,
      })
    }
  })
})

describe('a program', () => {
  it('registers, is allowed and acts as the agent that it got', async () => {
    const owner = await aDuckling()
    const program = await aProgram(doors)
    const begun = await begin(doors, program, { scope: 'ask profile', state: 'a b&c=%20é' })
    expect([begun.status, begun.location]).toEqual([303, `/connect/allow/${begun.consent.request}`])
    const seen = await call('POST /beak/consent/view', { token: owner.token, body: begun.consent })
    expect(seen.body).toEqual({
      client_name: 'Otter',
      document_host: null,
      return_host: 'localhost',
      scopes: ['ask', 'profile'],
      connected: null,
      agent_name: 'Otter',
      agents_max: null,
      site: null,
    })
    const { body } = await allow(doors, begun, owner, { agent_name: 'Otter on the lake' })
    const back = await goBack(doors, begun, body.continue)
    expect([back.get('state'), back.get('iss')]).toEqual(['a b&c=%20é', config().baseUrl])
    const tokens = await exchange(doors, begun, back.get('code') ?? '')
    expect(tokens.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_in: 900,
      scope: 'ask',
      token_type: 'Bearer',
    })
    expect(tokens.headers.get('cache-control')).toBe('no-store')
    const { result } = await callTool(doors, tokens.body.access_token)
    expect(result).toMatchObject({
      valid: true,
      agent_id: body.agent_id,
      agent_name: 'Otter on the lake',
      status: 'bonded',
      capabilities: ['request:peck', 'read:peck'],
    })
    const asked = await callTool(doors, tokens.body.access_token, 'ask_permission', {
      action: 'send:mail',
      scope: 'limited',
    })
    expect(asked.result).toMatchObject({ status: 'pending', requester: { type: 'agent' } })
    const events = await db().auditEvent.findMany({
      where: { ducklingId: owner.id, action: { startsWith: 'agent.' } },
      orderBy: { seq: 'asc' },
    })
    expect(events.map(({ action }) => action)).toEqual(['agent.connected', 'agent.bonded'])
  })

  it('gets nothing but access_denied, its state and the issuer when the person refuses', async () => {
    const owner = await aDuckling()
    const begun = await begin(doors, await aProgram(doors), { state: 'x' })
    const denied = await call('POST /beak/consent/deny', { token: owner.token, body: begun.consent })
    const back = await goBack(doors, begun, denied.body.continue)
    expect(Object.fromEntries(back)).toEqual({
      error: 'access_denied',
      error_description: 'The person refused.',
      state: 'x',
      iss: config().baseUrl,
    })
    expect(await db().agent.count({ where: { ducklingId: owner.id } })).toBe(0)
  })

  it('asks only for permission when it names no scope and no resource', async () => {
    const { tokens } = await connected(doors, await aDuckling(), { asks: { scope: undefined } })
    expect(tokens.scope).toBe('ask')
  })

  it('gets no ID token, because nobody ticked who she is', async () => {
    const asks = { scope: 'openid email profile ask' }
    const { tokens, access } = await connected(doors, await aDuckling(), { asks })
    expect(tokens).not.toHaveProperty('id_token')
    expect(tokens.scope).toBe('ask')
    const { status } = await doors.fetch('/oauth/userinfo', {
      headers: { Authorization: `Bearer ${access}` },
    })
    expect(status).toBe(403)
  })

  it('gets the same agent again, whose earlier tokens end', async () => {
    const owner = await aDuckling()
    const first = await connected(doors, owner)
    const again = await allowed(doors, owner, { program: first.program, answers: { agent_name: 'New name' } })
    expect(again.agentId).toBe(first.agentId)
    expect((await callTool(doors, first.access)).status).toBe(401)
    expect((await refresh(doors, first.program, first.refresh)).body.error).toBe('invalid_grant')
    const { body } = await exchange(doors, again.begun, again.code)
    expect((await callTool(doors, body.access_token)).result.agent_name).toBe('New name')
    expect((await callTool(doors, first.access)).status).toBe(401)
  })

  it('gets an agent for each account that allows it', async () => {
    const program = await aProgram(doors)
    const first = await connected(doors, await aDuckling(), { program })
    const second = await connected(doors, await aDuckling(), { program })
    expect(second.agentId).not.toBe(first.agentId)
    expect((await callTool(doors, first.access)).result.agent_id).toBe(first.agentId)
  })
})

describe('a registration', () => {
  it('without most metadata, or with other kinds of grants, is completed', async () => {
    const { status, body } = await registration(doors, {
      token_endpoint_auth_method: 'client_secret_basic',
      application_type: undefined,
      scope: 'ask profile',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code', 'token'],
      jwks_uri: 'https://program.example/jwks',
      sector_identifier_uri: 'https://127.0.0.1:9/sector',
      logo_uri: 'https://program.example/logo',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: [redirectUri],
    })
    for (const name of ['client_secret', 'scope', 'jwks_uri', 'sector_identifier_uri', 'logo_uri'])
      expect(body).not.toHaveProperty(name)
  })
})
