import { verifyAudit } from '@beak/proofs/audit/verify'
import { checkReceipt } from '@beak/proofs/receipts/verify'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { call, callRaw } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { closeAccount } from '@/lib/domain/accounts/close'
import { issueCertificate } from '@/lib/domain/certs/issue'
import { getStatusList } from '@/lib/domain/certs/status-list'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling, anonymously, randomEmail } from '@/lib/factories/ducklings'
import { anApprovedPeck } from '@/lib/factories/pecks'
import { anotherSession } from '@/lib/fixtures/accounts'
import { checkOffline } from '@/lib/fixtures/offline-verifier'
import { forge, forgeAccess, onAnotherInstance, stealSigningKey } from '@/lib/fixtures/stolen-keys'
import { Postponed } from '@/lib/infrastructure/events/outbox'
import { logKey, logPublicKeys } from '@/lib/infrastructure/keys/log-keys'
import { DistrustRefused, distrustKey, retireKey, rotateKeys } from '@/lib/infrastructure/keys/rotate'
import { kidOf, signToken } from '@/lib/infrastructure/keys/tokens'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { forget } from '@/lib/kernel/runtime/singleton'
import { newId } from '@/lib/kernel/secrets/ids'
import { drainOutbox } from '@/lib/worker/start'
import { replaceForWorker, replaceSignatures, stepsFor } from './replace-signatures'

const silent = () => undefined
/** Returns the time of the theft. */
const stolenAt = () => secondsAfter(readClock(), -3600)

const distrust = (kid: string, now = readClock()) => distrustKey(kid, stolenAt(), now)

/** Does the same as `npm run operator -- distrust-key`. */
async function distrustAndReplace(kid: string): Promise<void> {
  const now = readClock()
  await distrust(kid, now)
  await replaceSignatures(kid, now, silent)
}

const sessionOf = (token: string) => String(decodeJwt(token).sid)
const status = async (token: string) => (await call('GET /beak/profile', { token })).status
const getKeySet = async () => (await call('GET /.well-known/jwks.json')).body
const signingKids = async () =>
  (await db().signingKey.findMany({ where: { purpose: 'token', privateKey: { not: null } } })).map(
    ({ kid }) => kid,
  )
const eventsOf = (ducklingId: string, action: string) =>
  db().auditEvent.findMany({ where: { ducklingId, action }, orderBy: { seq: 'asc' } })

describe('distrustKey', () => {
  // security: key-4, check-30
  it('deletes the private key, removes the key from the JWKS, and lets a new key sign immediately', async () => {
    const { kid } = await stealSigningKey()
    const now = readClock()
    const from = stolenAt()
    const { newKid, isRepeated } = await distrustKey(kid, from, now)
    expect(isRepeated).toBe(false)
    const row = await db().signingKey.findUniqueOrThrow({ where: { kid } })
    expect(row).toMatchObject({ privateKey: null, distrustedAt: now, distrustedFrom: from })
    const { keys, distrusted } = await getKeySet()
    expect(keys.map((key: { kid: string }) => key.kid)).not.toContain(kid)
    expect(keys.map((key: { kid: string }) => key.kid)).toContain(newKid)
    expect(distrusted).toContainEqual({ kid, from: from.toISOString() })
    expect(newKid).not.toBeNull()
    const work = { kind: 'replace_signatures', payload: { equals: { kid } } }
    expect(await db().outbox.count({ where: work })).toBe(2)
    expect(await signingKids()).toContain(kidOf(signToken('access', {}, now)))
  })

  it('lets a key sign immediately that was created shortly before, and creates no third key', async () => {
    for (const kid of await signingKids()) await distrust(kid)
    const [only = ''] = await signingKids()
    const successor = await rotateKeys(readClock())
    expect((await distrust(only)).newKid).toBeNull()
    expect(kidOf(signToken('access', {}))).toBe(successor)
  })

  it('refuses an unknown key and a time in the future, and a second call can only set an earlier time', async () => {
    const now = readClock()
    await expect(distrustKey('unknown', stolenAt(), now)).rejects.toThrow(DistrustRefused)
    const { kid } = await stealSigningKey()
    await expect(distrustKey(kid, secondsAfter(now, 1), now)).rejects.toThrow(/is in the future/)
    expect(await signingKids()).toContain(kid)
    const { from } = await distrust(kid)
    const kids = await signingKids()
    const again = await distrustKey(kid, secondsAfter(from, 30), secondsAfter(now, 5))
    expect(again).toMatchObject({ isRepeated: true, from, newKid: null })
    const older = secondsAfter(from, -60)
    expect(await distrustKey(kid, older, now)).toMatchObject({ isRepeated: true, from: older, newKid: null })
    expect(await signingKids()).toEqual(kids)
  })

  it('succeeds once in 50 simultaneous calls', async () => {
    const { kid } = await stealSigningKey()
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => distrust(kid)))
    expect(outcomes.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1)
    expect(outcomes.filter(({ newKid }) => newKid !== null).length).toBeLessThanOrEqual(1)
  })

  // security: key-8
  it('leaves a key that signs when all keys are distrusted at the same time', async () => {
    await rotateKeys(readClock())
    const all = await signingKids()
    expect(all.length).toBeGreaterThanOrEqual(2)
    await Promise.all(all.map((kid) => distrust(kid)))
    const left = await signingKids()
    expect(left).toHaveLength(1)
    expect(all).not.toContain(left[0])
    expect(kidOf(signToken('access', {}))).toBe(left[0])
  })

  it('leaves a key that signs when the newest key is retired at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const now = readClock()
      const newest = await rotateKeys(now)
      const others = (await signingKids()).filter((kid) => kid !== newest)
      await Promise.allSettled([
        ...others.map((kid) => distrust(kid)),
        retireKey(newest, secondsAfter(now, 121)),
      ])
      expect((await signingKids()).length).toBeGreaterThanOrEqual(1)
    }
  })

  it('replaces a key of the log immediately, and the JWKS never contains it', async () => {
    const { kid } = await logKey(readClock())
    const outcome = await distrust(kid, secondsAfter(readClock(), 1))
    expect(outcome).toMatchObject({ purpose: 'log', newKid: expect.any(String) })
    expect((await logKey(readClock())).kid).toBe(outcome.newKid)
    expect((await logPublicKeys()).map((key) => key.kid)).not.toContain(kid)
    expect(JSON.stringify(await getKeySet())).not.toContain(kid)
    // A key of the log has signed no sessions.
    const work = { kind: 'replace_signatures', payload: { equals: { kid } } }
    expect(await db().outbox.count({ where: work })).toBe(0)
  })
})

describe('a forged access token', () => {
  // security: key-1
  it('is refused for a session with another token, before and after the key is distrusted', async () => {
    const { id, token } = await aDuckling()
    const stolen = await stealSigningKey()
    const forged = forgeAccess(stolen, id, sessionOf(token))
    expect([await status(forged), await status(token)]).toEqual([401, 200])
    await distrust(stolen.kid)
    expect([await status(forged), await status(token)]).toEqual([401, 401])
  })

  it('is refused for a session without a stored digest as soon as the key is distrusted', async () => {
    const { id, token } = await aDuckling()
    const where = { id: sessionOf(token) }
    await db().session.update({ where, data: { kid: null, tokenHash: null } })
    const stolen = await stealSigningKey()
    const forged = forgeAccess(stolen, id, where.id)
    expect(await status(forged)).toBe(200)
    await distrust(stolen.kid)
    expect(await status(forged)).toBe(401)
    await replaceSignatures(stolen.kid, readClock(), silent)
    expect((await db().session.findUniqueOrThrow({ where })).revokedAt).not.toBeNull()
  })
})

describe('another instance', () => {
  // security: key-3, backup-4
  it('refuses the key from the next request on, also for a token that it has checked before', async () => {
    const { token } = await aDuckling()
    expect(await status(token)).toBe(200)
    const { kid } = await stealSigningKey()
    await onAnotherInstance(() => distrust(kid))
    expect(await status(token)).toBe(401)
  })

  // security: key-3
  it('publishes the JWKS without the key', async () => {
    const { kid } = await stealSigningKey()
    await onAnotherInstance(() => distrust(kid))
    const { keys, distrusted } = await getKeySet()
    expect(JSON.stringify(keys)).not.toContain(kid)
    expect(distrusted.map((key: { kid: string }) => key.kid)).toContain(kid)
  })

  it('signs new sessions, status lists and agent tokens with the new key', async () => {
    const agent = await anAgent(await aDuckling())
    const list = () => getStatusList(anonymously(), 0)
    for (const sign of [
      async () =>
        (await call('POST /beak/signup', { body: { email: randomEmail(), display_name: 'Mallard' } })).body
          .token,
      list,
      async () =>
        (
          await call('POST /beak/agent/token', {
            key: agent.beakKey,
            body: { audience: 'shop.example.com' },
          })
        ).body.token,
    ]) {
      const { kid } = await stealSigningKey()
      // Fills the cache of the status list.
      await list()
      await onAnotherInstance(() => distrust(kid))
      const signedBy = kidOf(await sign())
      expect(signedBy).not.toBe(kid)
      expect(await signingKids()).toContain(signedBy)
    }
  })

  it('accepts a token of the new key immediately', async () => {
    const { kid } = await stealSigningKey()
    let token = ''
    await onAnotherInstance(async () => {
      await distrust(kid)
      token = (await aDuckling()).token
    })
    // The other instance has checked the token, this one has not.
    forget('sessions.checked')
    expect(await status(token)).toBe(200)
  })
})

describe('sessions of a distrusted key', () => {
  it('are revoked, with the reason in the audit log of their owner', async () => {
    const { id, token } = await aDuckling()
    const { kid } = await stealSigningKey()
    await distrustAndReplace(kid)
    const sessionId = sessionOf(token)
    const { revokedAt } = await db().session.findUniqueOrThrow({ where: { id: sessionId } })
    expect(revokedAt).not.toBeNull()
    expect(await eventsOf(id, 'session.revoked')).toMatchObject([
      {
        actorType: 'system',
        targets: [{ type: 'session', id: sessionId }],
        metadata: { kid, reason: 'signing_key_distrusted' },
      },
    ])
  })

  it('are revoked, but not those of another key', async () => {
    const { kid } = await stealSigningKey()
    await distrust(kid)
    const { token } = await aDuckling()
    await replaceSignatures(kid, readClock(), silent)
    await drainOutbox()
    expect(await status(token)).toBe(200)
  })

  // security: key-5
  it('are all revoked by the worker when the command was killed after some batches', async () => {
    const owners = [await aDuckling(), await aDuckling(), await aDuckling()]
    const { kid } = await stealSigningKey()
    const now = readClock()
    const ids = owners.flatMap(({ id }) =>
      Array.from({ length: 1500 }, () => ({ id, sid: newId('session', now) })),
    )
    await db().session.createMany({
      data: ids.map(({ id, sid }) => ({
        id: sid,
        ducklingId: id,
        amr: ['otp'],
        authTime: now,
        createdAt: now,
        expiresAt: secondsAfter(now, 3600),
        kid,
      })),
    })
    const live = () => db().session.count({ where: { kid, revokedAt: null } })
    await distrust(kid, now)
    const [sessions] = stepsFor(kid, now)
    const first = await sessions?.run('')
    await sessions?.run(first?.next ?? '')
    // There are more batches than the worker does in one claim.
    const postponed = await replaceForWorker({ kid }, now).catch((error: unknown) => error)
    expect(postponed).toBeInstanceOf(Postponed)
    expect(await live()).toBeGreaterThan(100)
    const reached = await db().session.findFirst({
      where: { kid, revokedAt: { not: null } },
      orderBy: { id: 'desc' },
    })
    expect(postponed).toMatchObject({ payload: { kid, step: 'sessions', after: reached?.id } })
    await drainOutbox()
    expect(await live()).toBe(0)
    for (const { id } of owners) {
      const events = await eventsOf(id, 'session.revoked')
      const ended = events.flatMap(({ targets }) => targets as { id: string }[])
      expect(ended).toHaveLength(1501)
      expect(new Set(ended.map((target) => target.id)).size).toBe(1501)
    }
  })

  it('are revoked after 20,000 sessions of other keys, and each statement reads 10,000 at most', async () => {
    const owner = await aDuckling()
    const { kid } = await stealSigningKey()
    const now = readClock()
    await db().run`
      INSERT INTO "Session" ("id", "ducklingId", "amr", "authTime", "createdAt", "expiresAt", "kid")
      SELECT 'SES-00' || n, ${owner.id}, '{}', now(), now(), now(), 'another' FROM generate_series(10001, 30000) AS n`
    await distrust(kid, now)
    const [sessions] = stepsFor(kid, now)
    expect(await sessions?.run('')).toEqual({ count: 0, next: 'SES-0020000' })
    await replaceSignatures(kid, now, silent)
    expect(await eventsOf(owner.id, 'session.revoked')).toHaveLength(1)
  })

  it('are revoked once each when command and worker run at the same time', async () => {
    const owner = await aDuckling()
    const { kid } = await stealSigningKey()
    const now = readClock()
    await distrust(kid, now)
    const runs = Array.from({ length: 10 }, () => replaceSignatures(kid, now, silent))
    await Promise.all([...runs, drainOutbox()])
    expect(await eventsOf(owner.id, 'session.revoked')).toHaveLength(1)
  })

  it('add no event to the audit log of a closed account', async () => {
    const owner = await aDuckling()
    const certificate = await issueCertificate(await owner.context())
    const { kid } = await stealSigningKey()
    await closeAccount(await owner.context())
    const before = await db().auditChain.findUniqueOrThrow({ where: { ducklingId: owner.id } })
    await db().session.updateMany({ where: { ducklingId: owner.id }, data: { revokedAt: null } })
    await distrustAndReplace(kid)
    expect(await db().session.count({ where: { ducklingId: owner.id, revokedAt: null } })).toBe(0)
    const { credential } = await db().certificate.findUniqueOrThrow({ where: { id: certificate.cert_id } })
    expect(kidOf(credential)).not.toBe(kid)
    const after = await db().auditChain.findUniqueOrThrow({ where: { ducklingId: owner.id } })
    expect(after).toMatchObject({ seq: before.seq, hash: before.hash })
  })

  it('are counted in the progress for the operator', async () => {
    await aDuckling()
    const { kid } = await stealSigningKey()
    const now = readClock()
    await distrust(kid, now)
    const lines: [string, number, number][] = []
    await replaceSignatures(kid, now, (...line) => void lines.push(line))
    const sessions = lines.filter(([name]) => name === 'sessions')
    expect(sessions[0]?.[1]).toBe(0)
    expect(sessions.at(-1)?.[1]).toBe(sessions.at(-1)?.[2])
    expect(lines.some(([name]) => name === 'certificates')).toBe(true)
  })
})

describe('certificates of a distrusted key', () => {
  const statusList = () => callRaw('GET /.well-known/status-list/0').then((response) => response.text())
  const check = async (credential: string) =>
    checkOffline({
      credential,
      statusList: await statusList(),
      jwks: await getKeySet(),
      issuer: 'http://localhost:3000',
      now: secondsAfter(readClock(), 1),
    })

  it('are signed again with the same claims, and verify offline with the new JWKS', async () => {
    const owner = await aDuckling()
    const { cert_id: id, credential } = await issueCertificate(await owner.context())
    const { kid } = await stealSigningKey()
    await distrustAndReplace(kid)
    const { body } = await call(`GET /beak/cert/verify?cert_id=${id}`)
    expect(decodeJwt(body.credential)).toEqual(decodeJwt(credential))
    expect(await check(body.credential)).toMatchObject({ credentialSubject: { id: `urn:beak:${owner.id}` } })
    expect(await eventsOf(owner.id, 'cert.resigned')).toMatchObject([
      {
        actorType: 'system',
        targets: [{ type: 'certificate', id }],
        metadata: { distrusted_kid: kid, kid: kidOf(body.credential) },
      },
    ])
  })

  // security: key-3
  it('are refused offline with the old signature, as is a forged certificate', async () => {
    const owner = await aDuckling()
    const { credential } = await issueCertificate(await owner.context())
    const stolen = await stealSigningKey()
    const forged = forge(stolen, 'credential', {
      ...decodeJwt(credential),
      credentialSubject: { id: `urn:beak:${owner.id}`, display_name: 'Duck Vader', trust_tier: 'T3' },
    })
    expect(await check(forged)).toMatchObject({ credentialSubject: { trust_tier: 'T3' } })
    await distrustAndReplace(stolen.kid)
    for (const bad of [forged, credential]) await expect(check(bad)).rejects.toThrow()
  })

  it('keep a change that is made at the same time', async () => {
    const owner = await aDuckling()
    const { cert_id: id, credential } = await issueCertificate(await owner.context())
    const { kid } = await stealSigningKey()
    await distrust(kid)
    const runs = Array.from({ length: 10 }, () => replaceSignatures(kid, readClock(), silent))
    const revoked = db().certificate.update({ where: { id }, data: { status: 'revoked', activeFor: null } })
    await Promise.all([...runs, revoked])
    const row = await db().certificate.findUniqueOrThrow({ where: { id } })
    expect(row.status).toBe('revoked')
    expect(kidOf(row.credential)).not.toBe(kidOf(credential))
    expect(await eventsOf(owner.id, 'cert.resigned')).toHaveLength(1)
  })
})

describe('receipts and audit heads of a distrusted key', () => {
  it('are refused with the new JWKS, and valid when they are read again', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const { peck_id } = await anApprovedPeck(asker, target)
    const read = (token: string) => call(`GET /beak/peck/receipt?peck_id=${peck_id}`, { token })
    const { body: old } = await read(asker.token)
    const { body: head } = await call('GET /beak/audit/head', { token: asker.token })
    const { body: page } = await call('GET /beak/audit', { token: asker.token })
    const jwks = await getKeySet()
    expect(await checkReceipt(old, jwks)).toMatchObject({ ok: true })
    const { kid } = await stealSigningKey()
    await distrustAndReplace(kid)
    const now = await getKeySet()

    const verdict = await checkReceipt(old, now)
    expect(verdict).toMatchObject({ ok: false, fault: { part: 'jws' } })
    expect(verdict.ok ? '' : verdict.fault.message).toMatch(/was stolen\. Since .* Get the receipt again/)
    const log = { audit: { events: page.items.toReversed(), head: head.head, jwks } }
    const { faults } = await verifyAudit(log, { jwks: now })
    expect(faults.map(({ message }) => message).join()).toMatch(/was stolen\. Since .* Export the log again/)

    const token = await anotherSession(asker)
    const { body: again } = await read(token)
    expect(await checkReceipt(again, now)).toMatchObject({ ok: true, facts: { isTrustedKey: true } })
    expect(await checkReceipt(again)).toMatchObject({ ok: true })
    const { body: newHead } = await call('GET /beak/audit/head', { token })
    await jwtVerify(newHead.head, createLocalJWKSet(now), { typ: 'audit-head+jwt' })
  })

  // security: key-3
  it('are refused when a thief has forged them', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const { peck_id } = await anApprovedPeck(asker, target)
    const { body: receipt } = await call(`GET /beak/peck/receipt?peck_id=${peck_id}`, { token: asker.token })
    const stolen = await stealSigningKey()
    const claims = { ...decodeJwt(receipt.jws), grant_expires_at: null }
    const forged = { ...receipt, jws: forge(stolen, 'receipt', claims) }
    expect((await checkReceipt(forged, await getKeySet())).ok).toBe(true)
    await distrust(stolen.kid)
    expect(await checkReceipt(forged, await getKeySet())).toMatchObject({
      ok: false,
      fault: { part: 'jws' },
    })
  })
})
