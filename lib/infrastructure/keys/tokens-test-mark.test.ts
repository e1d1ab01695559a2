/** In a test service every signed token has the mark, and every check refuses it unless its caller allows tests. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Beak, TestCredentialError } from '@beak/client'
import { verifyAgentToken } from '@beak/proofs/agent-token'
import { verifyCertificate } from '@beak/proofs/certificate'
import { openJws } from '@beak/proofs/jws'
import { sourceOf } from '@beak/proofs/keys'
import { isRefusedTest } from '@beak/proofs/test-mark'
import { afterEach, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { startTestService } from '@/lib/kernel/service/test-service'
import { publicKeys } from './signing-keys'
import { signToken, type TokenKind, tokenTypes } from './tokens'

const issuer = 'http://localhost:3000'

afterEach(() => {
  singleton('test-service', () => ({ isTest: false })).isTest = false
})

const kinds = Object.keys(tokenTypes) as TokenKind[]

it.each(kinds)('marks and refuses a token of the kind %s', async (kind) => {
  const keys = sourceOf({ keys: publicKeys() })
  const open = (token: string, allowTest = false) => openJws(token, tokenTypes[kind], keys, { allowTest })
  expect(await open(signToken(kind, {}))).toMatchObject({ ok: true })
  startTestService()
  const token = signToken(kind, {})
  expect(await open(token)).toEqual({ ok: false, fault: { kind: 'test' } })
  expect(await open(token, true)).toMatchObject({ ok: true, claims: { test: true } })
  const [header, , signature] = token.split('.')
  const stripped = Buffer.from(JSON.stringify({ iss: issuer })).toString('base64url')
  expect(await open(`${header}.${stripped}.${signature}`)).toMatchObject({ fault: { kind: 'signature' } })
})

it('signs tokens in one file only', () => {
  const signers = ['lib', 'app'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|^fixtures\/|^factories\/|generated\//.test(path))
      .map((path) => join(folder, path))
      .filter((path) => /import \{[^}]*\bsign\b[^}]*\} from 'node:crypto'/.test(readFileSync(path, 'utf8'))),
  )
  // The log signs hashes of its entries, and no JSON: contract G, Test services. Push services get a token with a key of its own (RFC 8292).
  expect(signers.sort()).toEqual([
    'lib/domain/tlog/sign-note.ts',
    'lib/infrastructure/keys/tokens.ts',
    'lib/infrastructure/push/send.ts',
  ])
})

it.each([true, false, null, 1, 'false', {}])('counts the mark %j as a mark', (test) => {
  expect(isRefusedTest({ test }, {})).toBe(true)
  expect(isRefusedTest({ test }, { allowTest: 'true' as never })).toBe(true)
  expect(isRefusedTest(JSON.parse('{"te\\u0073t":true}'), {})).toBe(true)
  expect(isRefusedTest({ params: { test } }, {})).toBe(false)
})

it('refuses the agent token, the certificate and the answers of a test service', async () => {
  startTestService()
  const owner = await aDuckling({ tier: 'T2' })
  const { agentId, beakKey } = await anAgent(owner)
  const { body } = await call('POST /beak/agent/token', { key: beakKey, body: { audience: 'shop' } })
  const keys = { keys: publicKeys() }
  const options = { issuer, audience: 'shop', keys }
  expect(await verifyAgentToken(body.token, options)).toMatchObject({ fault: { reason: 'test_credential' } })
  expect(await verifyAgentToken(body.token, { ...options, allowTest: true })).toMatchObject({ ok: true })
  await call('POST /beak/cert/issue', { token: owner.token, body: {} })
  const certificate = (await call('GET /beak/cert/view', { token: owner.token })).body
  expect(certificate).toMatchObject({ test: true })
  expect(await verifyCertificate(certificate.credential, { issuer, keys })).toMatchObject({ ok: false })
  const agent = await call(`GET /beak/agent/verify?agent_id=${agentId}`)
  const fetch = async () => Response.json(agent.body)
  const verify = (allowTest: boolean) =>
    new Beak({ url: issuer, fetch, allowTest }).verifyAgent({ agent_id: agentId })
  await expect(verify(false)).rejects.toThrow(TestCredentialError)
  expect(await verify(true)).toMatchObject({ agent_id: agentId, test: true })
})

it('refuses a marked grant token before it is sent, and a marked answer afterwards', async () => {
  let calls = 0
  const fetch = async () => {
    calls += 1
    return Response.json({ peck_id: 'PECK-1', test: 'false' })
  }
  const beak = new Beak({ url: issuer, fetch })
  const ordinary = signToken('grant', {})
  startTestService()
  const refused = { refusal: 'test_credential' }
  await expect(beak.usePermission(signToken('grant', {}))).rejects.toMatchObject(refused)
  expect(calls).toBe(0)
  await expect(beak.usePermission(ordinary)).rejects.toMatchObject(refused)
  const hostile = { allowTest: true } as never
  await expect(beak.usePermission(ordinary, {}, hostile)).rejects.toMatchObject(refused)
})
