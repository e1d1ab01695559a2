/** Grant tokens are found by their stored digest. A valid signature alone is not accepted. */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { findPeck, type PeckRow } from '@/lib/domain/pecks/rows'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { onAnotherInstance, stealSigningKey } from '@/lib/fixtures/stolen-keys'
import { distrustKey, retireKey, rotateKeys } from '@/lib/infrastructure/keys/rotate'
import { type Claims, kidOf, signToken } from '@/lib/infrastructure/keys/tokens'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { sha256, unseal } from '@/lib/kernel/secrets/secrets'
import { grantLabel, grantTokensOf } from './tokens'

let asker: ADuckling
let target: ADuckling
beforeEach(async () => {
  asker = await aDuckling()
  target = await aDuckling()
})

const consume = (grant_token: string) => call('POST /beak/peck/consume', { body: { grant_token } })
const refused = { status: 401, body: { code: 'E4006' } }

async function tokenOf(peckId: string, who = asker): Promise<string> {
  const { body } = await call(`GET /beak/peck/status?peck_id=${peckId}`, { token: who.token })
  return body.grant_token
}

async function getPeck(peckId: string): Promise<PeckRow> {
  const peck = await findPeck(peckId)
  if (peck === null) throw new Error('The peck is missing')
  return peck
}

const rowsOf = (peckId: string) => db().grantToken.findMany({ where: { peckId } })
const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

describe('a grant token', () => {
  it('is created once, at the approval, and every later read returns the same token', async () => {
    const { peck_id } = await aPeck(asker, target)
    expect(await rowsOf(peck_id)).toEqual([])
    await call('POST /beak/peck/approve', { token: target.token, body: { peck_id } })
    const [row, ...more] = await rowsOf(peck_id)
    expect(more).toEqual([])
    const { body } = await call('GET /beak/peck/history', { token: asker.token })
    const tokens = [await tokenOf(peck_id), await tokenOf(peck_id), body.items[0].grant_token]
    expect(new Set(tokens).size).toBe(1)
    expect(await rowsOf(peck_id)).toEqual([row])
    expect(Buffer.from(row?.hash ?? [])).toEqual(sha256(tokens[0]))
    expect(unseal(row?.sealed ?? new Uint8Array(), grantLabel(peck_id)).toString()).toBe(tokens[0])
    expect(row?.expiresAt.getTime()).toBe(Number(claimsOf(tokens[0]).exp) * 1000)
  })

  it('has a jti of at least 128 random bits, so its digest cannot be computed from the peck', async () => {
    const [first, second] = [await anApprovedPeck(asker, target), await anApprovedPeck(asker, target)]
    const jtis = [first, second].map(({ grant_token }) => String(claimsOf(grant_token).jti))
    for (const jti of jtis) expect(jti).toMatch(/^[0-9A-HJKMNP-TV-Z]{26,}$/)
    expect(jtis[0]).not.toBe(jtis[1])
  })

  it('is not shown to the target, and no token is created when the target reads the peck', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(asker, target)
    expect(await tokenOf(peck_id, target)).toBeUndefined()
    expect(await rowsOf(peck_id)).toHaveLength(1)
    expect(await tokenOf(peck_id)).toBe(grant_token)
  })

  it('stays valid after the key that signed it was rotated and retired', async () => {
    const now = readClock()
    const { peck_id, grant_token } = await anApprovedPeck(asker, target, { scope: 'timed' })
    const signers = await db().signingKey.findMany({
      where: { purpose: 'token', privateKey: { not: null } },
    })
    await rotateKeys(now)
    for (const { kid } of signers) await retireKey(kid, secondsAfter(now, 121))
    expect(await tokenOf(peck_id)).toBe(grant_token)
    expect((await consume(grant_token)).status).toBe(200)
  })
})

describe('a forged grant token', () => {
  // security: key-2
  it('is refused and spends nothing, even when the service’s own key signed all claims of the real token', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(asker, target)
    const real = claimsOf(grant_token)
    for (const jti of [peck_id, randomUUID(), undefined]) {
      const forged = signToken('grant', { ...real, jti })
      expect(await consume(forged)).toMatchObject(refused)
      const profile = await call('GET /beak/profile', {
        token: asker.token,
        headers: { 'X-Peck-Grant': forged },
      })
      expect(profile).toMatchObject(refused)
    }
    expect((await getPeck(peck_id)).uses).toBe(0)
    expect((await consume(grant_token)).status).toBe(200)
  })

  // security: agent-26
  it('is refused when one character of a real token was changed or added', async () => {
    const { grant_token } = await anApprovedPeck(asker, target, { scope: 'timed' })
    const [head, claims, signature = ''] = grant_token.split('.')
    const altered = `${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`
    for (const token of [
      `${head}.${claims}.${altered}`,
      `${grant_token} `,
      `${grant_token}=`,
      grant_token.toUpperCase(),
    ])
      expect(await consume(token)).toMatchObject(refused)
  })
})

describe('a permission without a usable token', () => {
  it('refuses a token without a stored digest, and returns a valid one at the next read', async () => {
    const { peck_id, grant_token: old } = await anApprovedPeck(asker, target)
    await db().grantToken.deleteMany({ where: { peckId: peck_id } })
    expect(await consume(old)).toMatchObject(refused)
    const fresh = await tokenOf(peck_id)
    expect(fresh).not.toBe(old)
    expect(await consume(old)).toMatchObject(refused)
    expect((await consume(fresh)).status).toBe(200)
  })

  it('stores every token that simultaneous reads create, and all of them spend the same single use', async () => {
    const { peck_id } = await anApprovedPeck(asker, target)
    await db().grantToken.deleteMany({ where: { peckId: peck_id } })
    const [now, peck] = [readClock(), await getPeck(peck_id)]
    const { caller } = await asker.context()
    // All of them start from the same row, read before any token was stored.
    const readings = await Promise.all(Array.from({ length: 5 }, () => grantTokensOf(caller, [peck], now)))
    const tokens = readings.map((tokensById) => tokensById.get(peck_id) ?? '')
    expect(new Set(tokens).size).toBe(5)
    expect(await rowsOf(peck_id)).toHaveLength(5)
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => consume(tokens[n % 5] ?? '')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.current_status === 'consumed')).toHaveLength(49)
    expect((await getPeck(peck_id)).uses).toBe(1)
  })

  it('gets a new token after the key of its newest token was distrusted, and the old token stays valid', async () => {
    const { peck_id, grant_token: old } = await anApprovedPeck(asker, target, { scope: 'timed' })
    const kid = `test-${randomUUID()}`
    const publicKey = { ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }), kid }
    const now = readClock()
    await db().signingKey.create({ data: { kid, publicKey, createdAt: now, distrustedAt: now } })
    await db().grantToken.updateMany({ where: { peckId: peck_id }, data: { kid } })
    const fresh = await tokenOf(peck_id)
    expect(fresh).not.toBe(old)
    expect(await tokenOf(peck_id)).toBe(fresh)
    for (const token of [old, fresh]) expect((await consume(token)).status).toBe(200)
  })

  it('gets a token of a trusted key when the old key was distrusted while the caller waited', async () => {
    const { peck_id } = await anApprovedPeck(asker, target)
    await db().grantToken.deleteMany({ where: { peckId: peck_id } })
    const { caller } = await asker.context()
    const peck = await getPeck(peck_id)
    const { kid } = await stealSigningKey()
    const now = readClock()
    await onAnotherInstance(() => distrustKey(kid, now, now))
    const grantToken = (await grantTokensOf(caller, [peck], now)).get(peck_id) ?? ''
    expect(kidOf(grantToken)).not.toBe(kid)
    expect((await consume(grantToken)).status).toBe(200)
  })

  it('gets a new token when the stored one was encrypted with an unknown secret', async () => {
    const { peck_id, grant_token: old } = await anApprovedPeck(asker, target)
    await db().grantToken.updateMany({ where: { peckId: peck_id }, data: { sealed: new Uint8Array(60) } })
    const fresh = await tokenOf(peck_id)
    expect(fresh).not.toBe(old)
    expect((await consume(fresh)).status).toBe(200)
    await db().grantToken.deleteMany({ where: { peckId: peck_id } })
  })
})

describe('the token of a permission that never expires', () => {
  it('is valid for 30 days, and a read after 15 days returns a new token beside it', async () => {
    const { peck_id } = await anApprovedPeck(asker, target, { scope: 'timed' })
    await db().peck.update({ where: { id: peck_id }, data: { grantExpiresAt: null } })
    await db().grantToken.deleteMany({ where: { peckId: peck_id } })
    const { caller, now } = await asker.context()
    const read = async (days: number) => {
      const peck = await getPeck(peck_id)
      return (await grantTokensOf(caller, [peck], secondsAfter(now, days * day))).get(peck_id) ?? ''
    }
    const first = await read(0)
    expect(Number(claimsOf(first).exp)).toBe(Math.ceil(now.getTime() / 1000) + 30 * day)
    expect(await read(14.9)).toBe(first)
    const second = await read(15.1)
    expect(second).not.toBe(first)
    expect(await read(16)).toBe(second)
    for (const token of [first, second]) expect((await consume(token)).status).toBe(200)
  })
})
