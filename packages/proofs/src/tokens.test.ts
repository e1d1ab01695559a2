/** Tokens of agents and of permissions that the service issued, and tokens that are changed, forged, late or for somebody else. */
import fc from 'fast-check'
import { decodeJwt, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck } from '@/lib/factories/pecks'
import { alterationsOf, confusionsOf } from '@/lib/fixtures/altered'
import { forge, type StolenKey, stealSigningKey } from '@/lib/fixtures/stolen-keys'
import { readClock } from '@/lib/kernel/runtime/clock'
import { type AgentTokenOptions, verifyAgentToken } from './agent-token'
import { inspectGrantToken } from './grant-token'
import type { KeySet } from './keys'
import { areApprovedParams } from './params'
import type { VerifyOptions } from './token'

const issuer = 'http://localhost:3000'
const audience = 'shop.example'

let operator: ADuckling
let agentId: string
let agentToken: string
let keys: KeySet
let stolen: StolenKey

beforeAll(async () => {
  operator = await aDuckling({ tier: 'T2' })
  const agent = await anAgent(operator, { capabilities: ['read:cert', 'request:peck'] })
  agentId = agent.agentId
  agentToken = (await call('POST /beak/agent/token', { key: agent.beakKey, body: { audience } })).body.token
  keys = (await call('GET /.well-known/jwks.json')).body
  stolen = await stealSigningKey()
})

const agentReason = async (token: string, options: Partial<AgentTokenOptions> = {}) => {
  const verdict = await verifyAgentToken(token, { issuer, audience, keys, ...options })
  return verdict.ok ? 'ok' : verdict.fault.reason
}

describe('an agent token', () => {
  it('says who the agent is and who operates the agent', async () => {
    const verdict = await verifyAgentToken(agentToken, { issuer, audience, keys })
    const { iat = 0, exp = 0, jti } = decodeJwt(agentToken)
    expect(verdict).toEqual({
      ok: true,
      facts: {
        agentId,
        operatorId: operator.id,
        trustTier: 'T2',
        capabilities: ['read:cert', 'request:peck'],
        issuedAt: new Date(iat * 1000),
        expiresAt: new Date(exp * 1000),
        tokenId: jti,
        kid: stolen.kid,
      },
    })
  })

  // security: site-17
  it('is refused by everybody but its audience', async () => {
    for (const other of ['Shop.example', 'shop.example.evil.example', 'shop', '', issuer])
      expect([other, await agentReason(agentToken, { audience: other })]).toEqual([other, 'wrong_audience'])
  })

  it('is valid from its time of issue, with 30 seconds of tolerance, until exactly five minutes later', async () => {
    const { iat = 0 } = decodeJwt(agentToken)
    const at = (seconds: number) => agentReason(agentToken, { now: new Date((iat + seconds) * 1000) })
    expect(await at(-31)).toBe('not_yet_valid')
    expect(await at(-30)).toBe('ok')
    expect(await at(299.999)).toBe('ok')
    expect(await at(300)).toBe('expired')
  })

  it('is refused with any character changed, removed or added', async () => {
    await fc.assert(
      fc.asyncProperty(alterationsOf(agentToken), async (altered) => {
        expect(await agentReason(altered)).not.toBe('ok')
      }),
      { numRuns: 400 },
    )
  })

  // security: site-15
  it('is refused under a header with another algorithm or other members', async () => {
    const x = String(keys.keys.find(({ kid }) => kid === stolen.kid)?.x)
    for (const [name, token] of confusionsOf(agentToken, x))
      expect([name, await agentReason(token)]).toEqual([name, 'malformed'])
  })

  it('is refused when another key signed it, or a key that was stolen', async () => {
    const { privateKey } = await generateKeyPair('Ed25519')
    const header = { alg: 'EdDSA', typ: 'agent+jwt', kid: stolen.kid }
    const forged = await new SignJWT(decodeJwt(agentToken)).setProtectedHeader(header).sign(privateKey)
    expect(await agentReason(forged)).toBe('wrong_signature')
    const distrusted = [{ kid: stolen.kid, from: '2026-01-01T00:00:00.000Z' }]
    expect(await agentReason(agentToken, { keys: { ...keys, distrusted } })).toBe('distrusted_key')
    expect(await agentReason(agentToken, { keys: { keys: [] } })).toBe('unknown_key')
  })

  // security: site-15
  it('throws for a key set with one kid twice, in any order', async () => {
    const x = Buffer.alloc(32, 1).toString('base64url')
    const other = { kty: 'OKP', crv: 'Ed25519', x, kid: stolen.kid }
    for (const twice of [
      [...keys.keys, other],
      [other, ...keys.keys],
    ])
      await expect(agentReason(agentToken, { keys: { keys: twice } })).rejects.toThrow('one key for each kid')
  })

  it.each<[string, object, string]>([
    ['another issuer', { iss: 'https://other.example' }, 'wrong_issuer'],
    ['several audiences', { aud: [audience, 'other.example'] }, 'malformed'],
    ['no audience', { aud: undefined }, 'malformed'],
    ['no end', { exp: undefined }, 'malformed'],
    ['an end that is a text', { exp: '2999' }, 'malformed'],
    ['no time of issue', { iat: undefined }, 'malformed'],
    ['a start in the future', { nbf: 32_503_680_000 }, 'not_yet_valid'],
    ['a duckling instead of an agent', { sub: `DUCK-${'0'.repeat(26)}` }, 'malformed'],
    ['no operator', { operator: undefined }, 'malformed'],
    ['a bound key', { cnf: { jkt: 'x' } }, 'malformed'],
  ])('with %s is refused, even when our key signed it', async (_, changes, reason) => {
    const token = forge(stolen, 'agent', { ...decodeJwt(agentToken), ...changes })
    expect(await agentReason(token)).toBe(reason)
  })

  it('is no other token of the service', async () => {
    expect(await agentReason(operator.token, { audience: issuer })).toBe('wrong_type')
    expect(await agentReason(forge(stolen, 'grant', decodeJwt(agentToken)))).toBe('wrong_type')
  })
})

describe('a grant token', () => {
  const inspect = async (token: string, options: Partial<VerifyOptions> = {}) => {
    const verdict = await inspectGrantToken(token, { issuer, keys, ...options })
    return verdict.ok ? 'ok' : verdict.fault.reason
  }
  let asker: ADuckling
  let target: ADuckling
  let token: string
  let peckId: string

  beforeAll(async () => {
    ;[asker, target] = [await aDuckling(), await aDuckling()]
    const peck = await anApprovedPeck(asker, target, {
      action: 'send:email',
      params: { to: 'a@b.example', n: 1 },
    })
    ;({ grant_token: token, peck_id: peckId } = peck)
  })

  it('shows what was permitted and for which parameters', async () => {
    const verdict = await inspectGrantToken(token, { issuer, keys })
    const facts = {
      peckId,
      askerId: asker.id,
      targetDucklingId: target.id,
      action: 'send:email',
      scope: 'limited',
    }
    expect(verdict).toMatchObject({ ok: true, facts })
    const hash = verdict.ok ? verdict.facts.paramsHash : ''
    expect(await areApprovedParams(hash, { n: 1, to: 'a@b.example' })).toBe(true)
    expect(await areApprovedParams(hash, { n: 2, to: 'a@b.example' })).toBe(false)
    expect(await areApprovedParams(hash)).toBe(false)
  })

  it('is readable although the permission was used, so it proves no active permission', async () => {
    const body = { grant_token: token, params: { to: 'a@b.example', n: 1 } }
    expect((await call('POST /beak/peck/consume', { body })).status).toBe(200)
    expect((await call('POST /beak/peck/consume', { body })).status).toBe(409)
    expect(await inspect(token)).toBe('ok')
  })

  it('is refused with any character changed, removed or added', async () => {
    await fc.assert(
      fc.asyncProperty(alterationsOf(token), async (altered) => {
        expect(await inspect(altered)).not.toBe('ok')
      }),
      { numRuns: 200 },
    )
  })

  it('is refused for another issuer, after its end, and for another audience', async () => {
    expect(await inspect(token, { issuer: 'https://other.example' })).toBe('wrong_issuer')
    expect(await inspect(token, { now: new Date('2999-01-01') })).toBe('expired')
    expect(await inspect(token, { now: new Date(readClock().getTime() - 60_000) })).toBe('not_yet_valid')
    expect(await inspect(forge(stolen, 'grant', { ...decodeJwt(token), aud: audience }))).toBe(
      'wrong_audience',
    )
    expect(await inspect(agentToken)).toBe('wrong_type')
  })
})
