/** Uses of a grant: at POST /beak/peck/consume by the service that checks it, at GET /beak/profile by the asker. */
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { addGrantToken } from '@/lib/domain/pecks/grant/tokens'
import { findPeck, type PeckRow } from '@/lib/domain/pecks/rows'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, aHandle, randomAddress } from '@/lib/factories/ducklings'
import { anApprovedPeck } from '@/lib/factories/pecks'
import { writeRepeated } from '@/lib/infrastructure/events/repeated-refusals'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

let asker: ADuckling
let target: ADuckling
beforeEach(async () => {
  asker = await aDuckling()
  target = await aDuckling()
})

const consume = (grant_token: string, params?: object) =>
  call('POST /beak/peck/consume', { body: { grant_token, ...(params ? { params } : {}) } })

/** A use that can be repeated with the same Idempotency-Key. */
function repeatableUse(grant_token: string): () => ReturnType<typeof call> {
  const headers = { 'Idempotency-Key': grant_token.slice(-40) }
  const request = { body: { grant_token }, headers, from: randomAddress() }
  return () => call('POST /beak/peck/consume', request)
}

const issueToken = (peck: PeckRow, now: Date) => transaction(async (tx) => addGrantToken(tx, peck, now) ?? '')

async function consumed(ducklingId: string) {
  return db().auditEvent.findMany({
    where: { ducklingId, action: 'peck.consumed' },
    orderBy: { seq: 'asc' },
  })
}

describe('POST /beak/peck/consume: 200', () => {
  // security: asker-12
  it('returns who may do what, without the handle of the asker, and spends the only use', async () => {
    await db().duckling.update({ where: { id: asker.id }, data: { handle: aHandle(), listed: false } })
    const agent = await anAgent(asker, { name: 'Scout' })
    const { peck_id, grant_token } = await anApprovedPeck(agent, target, {
      action: 'pay:invoice',
      params: { amount: 5 },
    })
    const { status, body } = await consume(grant_token, { amount: 5 })
    expect(status).toBe(200)
    expect(body).toEqual({
      active: true,
      peck_id,
      action: 'pay:invoice',
      target_duckling_id: target.id,
      requester: {
        type: 'agent',
        duckling_id: asker.id,
        display_name: asker.displayName,
        trust_tier: 'T1',
        agent_id: agent.agentId,
        agent_name: 'Scout',
      },
      uses_left: 0,
      receipt: expect.objectContaining({ version: 2, peck_id, outcome: 'consumed', passkey: null }),
    })
    const seen = await call(`GET /beak/peck/status?peck_id=${peck_id}`, { key: agent.beakKey })
    expect(seen.body).toMatchObject({ grant_status: 'consumed', uses: 1, max_uses: 1 })
    expect(seen.body.grant_token).toBeUndefined()
  })

  it('counts the uses of a timed grant without limiting them', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(asker, target, { scope: 'timed' })
    for (let uses = 1; uses <= 3; uses++) expect((await consume(grant_token)).body.uses_left).toBeNull()
    expect((await db().peck.findUnique({ where: { id: peck_id } }))?.uses).toBe(3)
  })

  it('records the use for both sides, with an anonymous actor', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(asker, target)
    await consume(grant_token)
    for (const side of [asker, target]) {
      const [event] = await consumed(side.id)
      expect(event).toMatchObject({ outcome: 'success', actorType: 'anonymous' })
      expect(event?.targets).toContainEqual({ type: 'peck', id: peck_id })
    }
  })

  it('accepts the params in any order, and {} for no params', async () => {
    const { grant_token } = await anApprovedPeck(asker, target, { params: { a: 1, b: { d: 1, c: 2 } } })
    expect((await consume(grant_token, { b: { c: 2, d: 1 }, a: 1 })).status).toBe(200)
    const other = await anApprovedPeck(asker, target, { action: 'read:cert' })
    expect((await consume(other.grant_token, {})).status).toBe(200)
  })

  // security: agent-16, check-40
  it('lets exactly one of 50 simultaneous uses of a one-use grant succeed', async () => {
    const { grant_token } = await anApprovedPeck(asker, target)
    const answers = await Promise.all(Array.from({ length: 50 }, () => consume(grant_token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status === 409)
    expect(refused).toHaveLength(49)
    expect(new Set(refused.map(({ body }) => body.current_status))).toEqual(new Set(['consumed']))
    const events = await consumed(target.id)
    expect(events.filter(({ outcome }) => outcome === 'success')).toHaveLength(1)
    expect(events.filter(({ outcome }) => outcome === 'denied')).toHaveLength(1)
  })

  // security: asker-7
  it('records repeated refusals of ten minutes as one event with their count', async () => {
    const { grant_token } = await anApprovedPeck(asker, target)
    for (let use = 0; use < 6; use++) await consume(grant_token)
    const countsOf = async () => {
      const denied = (await consumed(target.id)).filter(({ outcome }) => outcome === 'denied')
      return denied.map(({ metadata }) => (metadata as { count?: number }).count)
    }
    expect(await countsOf()).toEqual([undefined])
    await writeRepeated(secondsAfter(readClock(), 599))
    expect(await countsOf()).toEqual([undefined])
    await writeRepeated(secondsAfter(readClock(), 600))
    await writeRepeated(secondsAfter(readClock(), 600))
    expect(await countsOf()).toEqual([undefined, 4])
    expect((await consume(grant_token)).status).toBe(409)
    expect(await countsOf()).toEqual([undefined, 4, undefined])
  })
})

describe('POST /beak/peck/consume: 400', () => {
  it.each([
    [{}, 'grant_token'],
    [{ grant_token: '' }, 'grant_token'],
    [{ grant_token: 'x', params: 'x' }, 'params'],
    [{ grant_token: 'x', peck_id: 'x' }, 'peck_id'],
  ])('names the invalid field in %j', async (body, field) => {
    const answer = await call('POST /beak/peck/consume', { body })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ field }])
  })
})

describe('POST /beak/peck/consume: 401', () => {
  it('rejects malformed and changed tokens, and tokens of another kind', async () => {
    const { grant_token } = await anApprovedPeck(asker, target)
    const [head, claims = '', signature = ''] = grant_token.split('.')
    const changed = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), action: 'pay:all' }),
    ).toString('base64url')
    for (const token of [
      'nonsense',
      `${head}.${changed}.${signature}`,
      `${head}.${claims}.${signature.split('').reverse().join('')}`,
      asker.token,
    ]) {
      expect(await consume(token)).toMatchObject({ status: 401, body: { code: 'E4006' } })
    }
    expect((await consume(grant_token)).status).toBe(200)
  })

  it('rejects an expired token of a grant that is still active', async () => {
    const { peck_id } = await anApprovedPeck(asker, target, { scope: 'timed' })
    await db().peck.update({ where: { id: peck_id }, data: { grantExpiresAt: null } })
    const row = await findPeck(peck_id)
    if (!row) throw new Error('The peck is missing')
    const stale = await issueToken(row, secondsAfter(readClock(), -30 * 86_400 - 1))
    expect(await consume(stale)).toMatchObject({ status: 401, body: { code: 'E4006' } })
    const seen = await call(`GET /beak/peck/status?peck_id=${peck_id}`, { token: asker.token })
    expect((await consume(seen.body.grant_token)).status).toBe(200)
  })
})

describe('POST /beak/peck/consume: 403', () => {
  // security: agent-16
  it('refuses params that were not approved, records it for the target, and spends nothing', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(asker, target, { params: { amount: 5 } })
    for (const params of [undefined, { amount: 500 }, { amount: 5, more: true }]) {
      expect(await consume(grant_token, params)).toMatchObject({ status: 403, body: { code: 'E4007' } })
    }
    const denied = await consumed(target.id)
    expect(denied.map(({ outcome }) => outcome)).toEqual(['denied'])
    expect(denied[0]?.metadata).toMatchObject({ peck_id })
    expect((await consume(grant_token, { amount: 5 })).status).toBe(200)
  })
})

describe('POST /beak/peck/consume: what differs', () => {
  const approved = { n: 2, to: 'pond@example.com' }
  it.each<[string, Record<string, unknown>, string[] | undefined]>([
    ['text instead of a number', { ...approved, n: '2' }, ['params.n']],
    ['another value', { ...approved, n: 3 }, ['params.n']],
    ['a missing param', { n: 2 }, ['params.to']],
    ['a param too many', { ...approved, more: true }, ['params.more']],
    ['two other values', { n: 3, to: 'evil@example.com' }, undefined],
    ['a guess of one param alone', { n: 2, x: 1 }, undefined],
    ['nothing', {}, undefined],
  ])('names the params for %s, to the holder of the token only', async (_, params, fields) => {
    const { grant_token } = await anApprovedPeck(asker, target, { params: approved })
    const { status, body } = await consume(grant_token, params)
    expect([status, body.errors?.map(({ field }: { field: string }) => field)]).toEqual([403, fields])
    expect(JSON.stringify(body)).not.toContain('pond@example.com')
    const stranger = `${grant_token.slice(0, -4)}AAAA`
    expect((await consume(stranger, params)).body).not.toHaveProperty('errors')
  })
})

describe('POST /beak/peck/consume: 409', () => {
  it('names the status expired when both the grant and its token have expired', async () => {
    const { peck_id } = await anApprovedPeck(asker, target, { scope: 'timed', grantExpiresIn: 60 })
    const row = await findPeck(peck_id)
    if (!row) throw new Error('The peck is missing')
    const before = secondsAfter(readClock(), -10)
    await db().peck.update({ where: { id: peck_id }, data: { grantExpiresAt: before } })
    const minted = secondsAfter(readClock(), -70)
    const token = await issueToken({ ...row, grantExpiresAt: before }, minted)
    expect(await consume(token)).toMatchObject({ status: 409, body: { current_status: 'expired' } })
  })

  // security: agent-12
  it('refuses grants of a suspended agent until it is resumed, and revokes those of a deregistered one', async () => {
    const agent = await anAgent(asker)
    const { grant_token } = await anApprovedPeck(agent, target, { scope: 'timed' })
    const manage = (verb: string) =>
      call(`POST /beak/agent/${verb}`, { token: asker.token, body: { agent_id: agent.agentId } })
    await manage('suspend')
    expect(await consume(grant_token)).toMatchObject({ status: 409, body: { current_status: 'suspended' } })
    await manage('resume')
    expect((await consume(grant_token)).status).toBe(200)
    await manage('deregister')
    expect(await consume(grant_token)).toMatchObject({ status: 409, body: { current_status: 'revoked' } })
  })
})

describe('POST /beak/peck/consume with an Idempotency-Key that was used', () => {
  it('repeats the answer while the permission is valid, also after its last use', async () => {
    const { grant_token } = await anApprovedPeck(asker, target)
    const use = repeatableUse(grant_token)
    const first = await use()
    const second = await use()
    expect(second).toMatchObject({ status: 200, body: first.body })
    expect(second.headers.get('idempotency-replayed')).toBe('true')
  })

  // security: agent-18
  it('is refused after the permission was revoked, at 50 simultaneous repeats, and recorded for the target', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(asker, target, { scope: 'timed' })
    const use = repeatableUse(grant_token)
    expect((await use()).body.active).toBe(true)
    await call('POST /beak/peck/revoke', { token: target.token, body: { peck_id } })
    const answers = await Promise.all(Array.from({ length: 50 }, use))
    expect(answers.map(({ status, body }) => [status, body.reason, body.current_status])).toEqual(
      Array(50).fill([409, 'grant_not_active', 'revoked']),
    )
    expect(answers.filter(({ headers }) => headers.has('idempotency-replayed'))).toEqual([])
    // Equal refusals of ten minutes become one event with a count (contract, Audit).
    await writeRepeated(secondsAfter(readClock(), 600))
    const denied = (await consumed(target.id)).filter(({ outcome }) => outcome === 'denied')
    const counts = denied.map(({ metadata }) => (metadata as { count?: number }).count ?? 1)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(50)
  })

  it('is refused while the agent that asked is suspended, after it was deregistered, and after the end', async () => {
    const agent = await anAgent(asker)
    const { grant_token } = await anApprovedPeck(agent, target)
    const use = repeatableUse(grant_token)
    await use()
    const manage = (verb: string) =>
      call(`POST /beak/agent/${verb}`, { token: asker.token, body: { agent_id: agent.agentId } })
    await manage('suspend')
    expect(await use()).toMatchObject({ status: 409, body: { current_status: 'suspended' } })
    await manage('resume')
    expect((await use()).status).toBe(200)
    await manage('deregister')
    expect((await use()).status).toBe(409)
    const other = await anApprovedPeck(asker, target, { scope: 'timed', action: 'read:cert' })
    const useOther = repeatableUse(other.grant_token)
    await useOther()
    await db().peck.update({ where: { id: other.peck_id }, data: { grantExpiresAt: readClock() } })
    expect(await useOther()).toMatchObject({ status: 409, body: { current_status: 'expired' } })
  })
})

describe('GET /beak/profile with X-Peck-Grant', () => {
  const profile = (who: { token: string } | { key: string }, grant: string) =>
    call('GET /beak/profile', { ...who, headers: { 'X-Peck-Grant': grant } })

  const granted = async () => {
    const { body } = await call('GET /beak/profile', { token: target.token })
    return {
      duckling_id: target.id,
      display_name: target.displayName,
      full_name: null,
      trust_tier: body.trust_tier,
      cert_id: body.cert_id,
      cert_status: body.cert_status,
      bio: body.bio,
      egg_count: body.egg_count,
      created_at: body.created_at,
    }
  }

  it('returns the target’s profile once, without settings, referral code or email address', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(asker, target)
    await call('POST /beak/profile/update', { token: target.token, body: { bio: 'I dive' } })
    const rest = await granted()
    const { status, body } = await profile(asker, grant_token)
    expect(status).toBe(200)
    expect(body).toEqual(rest)
    expect(await profile(asker, grant_token)).toMatchObject({
      status: 409,
      body: { code: 'E4008', current_status: 'consumed' },
    })
    const [event, refused] = await consumed(target.id)
    expect(event).toMatchObject({ outcome: 'success', actorId: asker.id, ip: null })
    expect(event?.targets).toContainEqual({ type: 'peck', id: peck_id })
    expect(refused).toMatchObject({ outcome: 'denied' })
  })

  it('returns the email address to the agent that asked when the approved params ask for it', async () => {
    const agent = await anAgent(asker)
    const peck = await anApprovedPeck(agent, target, { params: { fields: ['email'] }, scope: 'timed' })
    expect(peck.summary).toContain('with the email address')
    const { body } = await profile({ key: agent.beakKey }, peck.grant_token)
    expect(body).toEqual({ ...(await granted()), email: target.email })
  })

  it('lets exactly one of 50 simultaneous reads with a one-use grant succeed', async () => {
    const { grant_token } = await anApprovedPeck(asker, target)
    const answers = await Promise.all(Array.from({ length: 50 }, () => profile(asker, grant_token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
  })

  // security: agent-16
  it('refuses everybody but the asker, even the operator of the agent that asked', async () => {
    const agent = await anAgent(asker)
    const { peck_id, grant_token } = await anApprovedPeck(agent, target)
    const sister = await anAgent(asker)
    for (const who of [await aDuckling(), asker, target, { key: sister.beakKey }]) {
      expect(await profile(who, grant_token)).toMatchObject({ status: 403, body: { code: 'E4007' } })
    }
    expect((await db().peck.findUnique({ where: { id: peck_id } }))?.uses).toBe(0)
    expect((await profile({ key: agent.beakKey }, grant_token)).status).toBe(200)
  })

  it('refuses a grant for another action, and rejects other tokens', async () => {
    const { grant_token } = await anApprovedPeck(asker, target, { action: 'read:cert' })
    expect(await profile(asker, grant_token)).toMatchObject({ status: 403, body: { code: 'E4007' } })
    for (const grant of ['nonsense', asker.token])
      expect(await profile(asker, grant)).toMatchObject({ status: 401, body: { code: 'E4006' } })
  })

  it('requires the caller’s own credential besides the grant', async () => {
    const { grant_token } = await anApprovedPeck(asker, target)
    const answer = await call('GET /beak/profile', { headers: { 'X-Peck-Grant': grant_token } })
    expect([answer.status, answer.body.code]).toEqual([401, 'E4006'])
  })
})
