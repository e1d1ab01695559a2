/** What a test service made is accepted only of a service on this computer, whatever the program or its environment says. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Beak, TestCredentialError } from '@beak/client'
import { requirePermission } from '@beak/client/adapters/next'
import { verifyAgentToken } from '@beak/client/verify'
import { verifyWebhook } from '@beak/client/webhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import addresses from '../../contract/test-addresses.json'
import { commands } from '../src/cli/commands'
import { exitCodes } from '../src/cli/exit'
import { optionsOf } from '../src/cli/parse'
import { runHere } from './beak-process'

const marked = { agent_id: 'AGT-1', test: true }
const clientOf = (url: string, allowTest?: boolean) =>
  new Beak({ url, allowTest, fetch: async () => Response.json(marked) })
const verify = (url: string, allowTest?: boolean) =>
  clientOf(url, allowTest).verifyAgent({ agent_id: 'AGT-1' })

afterEach(() => vi.unstubAllEnvs())

describe.each(addresses.loopback)('at %s', (url) => {
  it('accepts an answer of a test service with allowTest or BEAK_ALLOW_TEST=1, and not without', async () => {
    await expect(verify(url)).rejects.toThrow(TestCredentialError)
    expect(await verify(url, true)).toEqual(marked)
    vi.stubEnv('BEAK_ALLOW_TEST', '1')
    expect(await verify(url)).toEqual(marked)
    await expect(verify(url, false)).rejects.toThrow(TestCredentialError)
  })
})

describe.each(addresses.elsewhere)('at %s', (url) => {
  it('refuses allowTest, and reads nothing of the environment', async () => {
    expect(() => clientOf(url, true)).toThrow('allowTest counts only')
    vi.stubEnv('BEAK_ALLOW_TEST', '1')
    expect(clientOf(url).allowTest).toBe(false)
    await expect(verify(url)).rejects.toThrow(TestCredentialError)
  })
})

it.each(['', '0', 'true', 'yes', ' 1', '1 '])('does not take %j in the environment for 1', (value) => {
  vi.stubEnv('BEAK_ALLOW_TEST', value)
  expect(clientOf('http://localhost:4010').allowTest).toBe(false)
})

it('does not allow tests for another address that a client gets later', () => {
  vi.stubEnv('BEAK_ALLOW_TEST', '1')
  const local = new Beak({ url: 'http://localhost:4010' })
  expect(local.with({ url: 'https://beak.example' }).allowTest).toBe(false)
  const explicit = new Beak({ url: 'http://localhost:4010', allowTest: true })
  expect(() => explicit.with({ url: 'https://beak.example' })).toThrow('allowTest counts only')
})

it.each([true, undefined])(
  'refuses a signed token of an issuer elsewhere (allowTest: %s)',
  async (allowTest) => {
    vi.stubEnv('BEAK_ALLOW_TEST', '1')
    const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
    const { x = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey)
    const keys = { keys: [{ kty: 'OKP' as const, crv: 'Ed25519' as const, kid: 'one', x }] }
    const verdictOf = async (issuer: string) => {
      const times = { iat: 1_000_000_000, exp: 4_000_000_000 }
      const agent = {
        sub: 'AGT-0123456789ABCDEF',
        operator: 'DUCK-0123456789ABCDEF',
        tier: 'T1',
        capabilities: [],
      }
      const claims = { iss: issuer, aud: 'shop', jti: 'one', test: true, ...agent, ...times }
      const parts = [{ alg: 'EdDSA', typ: 'agent+jwt', kid: 'one' }, claims]
      const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
      const signature = await crypto.subtle.sign('Ed25519', pair.privateKey, Buffer.from(text))
      const token = `${text}.${Buffer.from(signature).toString('base64url')}`
      return verifyAgentToken(token, { issuer, audience: 'shop', keys, allowTest })
    }
    expect(await verdictOf('https://beak.example')).toMatchObject({ fault: { reason: 'test_credential' } })
    expect(await verdictOf('http://localhost.evil.example')).toMatchObject({ ok: false })
    expect(await verdictOf('http://localhost:4010')).toMatchObject({ ok: true })
  },
)

it('makes no guard that allows tests of an issuer elsewhere', () => {
  const rule = { action: 'place:order', target: 'anyone', params: () => ({}) } as const
  const make = (url: string, issuer?: string, allowTest?: boolean) => () =>
    requirePermission(
      { ...rule, beak: new Beak({ url }), trust: { issuer }, allowTest },
      () => new Response(),
    )
  expect(make('https://beak.example', undefined, true)).toThrow('allowTest counts only')
  expect(make('http://localhost:4010', 'https://beak.example', true)).toThrow('allowTest counts only')
  vi.stubEnv('BEAK_ALLOW_TEST', '1')
  expect(make('http://localhost:4010', 'https://beak.example')).toThrow('allowTest counts only')
  expect(make('https://beak.example')).not.toThrow()
})

it('reads a marked webhook with BEAK_ALLOW_TEST=1 only beside a BEAK_URL on this computer', async () => {
  const secret = Buffer.alloc(32, 7)
  const body = JSON.stringify({ type: 'x.y', timestamp: '2026-11-24T00:00:00.000Z', data: {}, test: true })
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, Buffer.from(`one.1000.${body}`))
  const headers = {
    'webhook-id': 'one',
    'webhook-timestamp': '1000',
    'webhook-signature': `v1,${Buffer.from(signature).toString('base64')}`,
  }
  const read = (allowTest?: boolean) =>
    verifyWebhook(`whsec_${secret.toString('base64')}`, headers, body, new Date(1_000_000), { allowTest })
  const refused = { fault: { reason: 'test_credential' } }
  vi.stubEnv('BEAK_ALLOW_TEST', '1')
  for (const url of ['', 'https://beak.example', 'http://localhost.evil.example']) {
    vi.stubEnv('BEAK_URL', url)
    expect(await read()).toMatchObject(refused)
  }
  vi.stubEnv('BEAK_URL', 'http://localhost:4010')
  expect(await read()).toMatchObject({ ok: true })
  expect(await read(false)).toMatchObject(refused)
})

describe('the command line', () => {
  const place = {
    summary: 'Teal lets Scout send an email.',
    peck_id: 'PECK-1',
    action: 'send:email',
    grant_expires_at: null,
    params: {},
  }
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ ...place, status: 'approved', grant_status: 'active', test: true }))
  })
  const env = () => ({
    NODE_ENV: 'test' as const,
    BEAK_URL: `http://localhost:${(server.address() as AddressInfo).port}`,
    BEAK_KEY: 'beak_key_of_the_agent',
  })

  beforeAll(() => new Promise<void>((resolve) => server.listen(0, 'localhost', resolve)))
  afterAll(() => void server.close())

  it('counts an approval of a test service only with --allow-test or BEAK_ALLOW_TEST=1', async () => {
    const wait = (more: string[], given: Record<string, string> = {}) =>
      runHere(['peck', 'wait', 'PECK-1', '--json', ...more], { ...env(), ...given })
    const [refused, option, variable] = [
      await wait([]),
      await wait(['--allow-test']),
      await wait([], { BEAK_ALLOW_TEST: '1' }),
    ]
    expect(refused.stderr).toContain('--allow-test')
    expect([refused.code, option.code, variable.code]).toEqual([exitCodes.notValid, 0, 0])
  })

  it.each(addresses.elsewhere)('refuses --allow-test for %s, before it sends anything', async (url) => {
    const { code, stderr } = await runHere(['agent', 'verify', 'AGT-1', '--allow-test', '--url', url], {
      NODE_ENV: 'test',
    })
    expect([code, stderr]).toEqual([exitCodes.usage, expect.stringContaining('on this computer')])
  })

  it('offers the option with every command', () => {
    expect(commands.filter((one) => !('allow-test' in optionsOf(one)))).toEqual([])
  })
})
