/** Decisions on a peck: its target approves, rejects and revokes, its asker cancels. */

import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { database, db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { deletePasskeys } from '@/lib/domain/passkeys/delete'
import { anAgent } from '@/lib/factories/agents'
import type { Deviations } from '@/lib/factories/authenticator'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { assertionsOfProviders } from '@/lib/fixtures/provider-passkeys'
import { describeOnPostgres } from '@/lib/fixtures/source-files'
import { waitingConnections } from '@/lib/fixtures/statements'
import { aWebhook } from '@/lib/fixtures/webhooks'
import { systemActor } from '@/lib/infrastructure/events/record'
import { systemContext } from '@/lib/kernel/request/context'
import { hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

let asker: ADuckling
let target: ADuckling
beforeEach(async () => {
  asker = await aDuckling()
  target = await aDuckling()
})

const decide = (verb: 'approve' | 'reject' | 'cancel' | 'revoke', who: ADuckling, body: object) =>
  call(`POST /beak/peck/${verb}`, {
    token: who.token,
    body: verb === 'reject' ? { reason: 'No', ...body } : body,
  })

const seenBy = (who: ADuckling, peckId: string) =>
  call(`GET /beak/peck/status?peck_id=${peckId}`, { token: who.token })

async function outcomes(ducklingId: string, action: string) {
  const events = await db().auditEvent.findMany({
    where: { ducklingId, action },
    orderBy: { seq: 'asc' },
  })
  return events.map(({ outcome }) => outcome)
}

const later = (peck: { created_at?: unknown }, from: 'decided_at') =>
  Date.parse((peck as Record<string, string>)[from] ?? '')

describe('POST /beak/peck/approve: 200', () => {
  it.each([
    ['limited', 86_400, 1],
    ['timed', 3600, null],
  ] as const)('grants a %s permission for its default lifetime', async (scope, seconds, uses) => {
    const { peck_id } = await aPeck(asker, target, { scope })
    const { status, body } = await decide('approve', target, { peck_id })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'approved',
      grant_status: 'active',
      max_uses: uses,
      uses: 0,
      reason: null,
    })
    expect(Date.parse(body.grant_expires_at) - later(body, 'decided_at')).toBe(seconds * 1000)
  })

  it.each([120, 7200])('lets the target choose another lifetime than requested: %i s', async (seconds) => {
    const { peck_id } = await aPeck(asker, target, { scope: 'timed', grantExpiresIn: 600 })
    const { body } = await decide('approve', target, { peck_id, grant_expires_in: seconds })
    expect(Date.parse(body.grant_expires_at) - later(body, 'decided_at')).toBe(seconds * 1000)
  })

  it('shows the grant token only to the asker', async () => {
    const agent = await anAgent(asker)
    const { peck_id } = await aPeck(agent, target)
    const approved = await decide('approve', target, { peck_id })
    expect(approved.body.grant_token).toBeUndefined()
    expect((await seenBy(target, peck_id)).body.grant_token).toBeUndefined()
    expect((await seenBy(asker, peck_id)).body.grant_token).toBeUndefined()
    const seen = await call(`GET /beak/peck/status?peck_id=${peck_id}`, { key: agent.beakKey })
    const [head, claims] = seen.body.grant_token
      .split('.')
      .slice(0, 2)
      .map((part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    expect(head).toMatchObject({ alg: 'EdDSA', typ: 'peck+jwt' })
    expect(claims).toMatchObject({
      peck_id,
      sub: agent.agentId,
      target: target.id,
      action: 'read:profile',
      scope: 'limited',
      params_hash: seen.body.params_hash,
      exp: Math.ceil(Date.parse(seen.body.grant_expires_at) / 1000),
    })
  })

  it('records the approval for both sides and sends webhooks, without the token or the other side’s IP address', async () => {
    await aWebhook('https://example.com/a', { owner: asker, kinds: ['peck.approved'] })
    await aWebhook('https://example.com/b', { owner: target, kinds: ['peck.approved'] })
    const { peck_id } = await aPeck(asker, target)
    const { body } = await decide('approve', target, { peck_id })
    for (const side of [asker, target]) {
      expect(await outcomes(side.id, 'peck.approved')).toEqual(['success'])
      const messages = await db().webhookMessage.findMany({ where: { ducklingId: side.id } })
      expect(messages.map(({ data }) => data)).toEqual([body])
    }
    const entry = await db().auditEvent.findFirstOrThrow({
      where: { ducklingId: asker.id, action: 'peck.approved' },
    })
    expect(entry).toMatchObject({ actorId: target.id, ip: null, userAgent: null, requestId: null })
  })

  it('approves a peck of a suspended agent', async () => {
    const agent = await anAgent(asker)
    const { peck_id } = await aPeck(agent, target)
    await call('POST /beak/agent/suspend', { token: asker.token, body: { agent_id: agent.agentId } })
    expect((await decide('approve', target, { peck_id })).status).toBe(200)
  })
})

describe('a high risk', () => {
  const high = { action: 'delete:database' }
  const change = (data: object) => db().session.updateMany({ where: { ducklingId: target.id }, data })
  /** A session whose person signed in five hours ago. */
  const old = () => change({ authTime: secondsAfter(readClock(), -5 * hour) })
  const device = () => change({ amr: ['device'] })

  async function answers(options: Parameters<typeof aPeck>[2], passkey?: object) {
    const { peck_id } = await aPeck(asker, target, options)
    const { status, body } = await decide('approve', target, { peck_id, ...(passkey && { passkey }) })
    const { status: now } = (await seenBy(asker, peck_id)).body
    return [status, body.code, body.required, now]
  }

  // security: mail-13
  it.each([
    ['mailed code', () => change({ amr: ['otp'] })],
    ['password', () => change({ amr: ['pwd'] })],
    ['passkey sign-in of this minute', () => change({ amr: ['pop'], passkeyAt: readClock() })],
    ['sign-in five hours ago', old],
    ['device that a person allowed', device],
  ])(
    'needs a signature over this request where the account has a passkey, also from a session by %s',
    async (_, weaken) => {
      await aPasskey(target)
      await weaken()
      expect(await answers(high)).toEqual([403, 'E4009', 'passkey', 'pending'])
      expect(
        await answers({ action: 'transfer:money', params: { amount: 90_000, currency: 'EUR' } }),
      ).toEqual([403, 'E4009', 'passkey', 'pending'])
    },
  )

  // security: mail-13
  it('needs a recent sign-in where the account has no passkey', async () => {
    await old()
    expect(await answers(high)).toEqual([403, 'E4009', 'fresh_sign_in', 'pending'])
    expect(await answers({ action: 'send:email' })).toEqual([200, undefined, undefined, 'approved'])
    await change({ authTime: readClock() })
    expect(await answers({ ...high, params: { name: 'ponds' } })).toEqual([
      200,
      undefined,
      undefined,
      'approved',
    ])
  })

  // security: session-11
  it('and a medium one are not approved by a device that a person allowed, which approves low ones', async () => {
    await device()
    for (const action of ['delete:database', 'send:email', 'frobnicate:pond'])
      expect(await answers({ action })).toEqual([403, 'E4009', 'fresh_sign_in', 'pending'])
    expect(await answers({ action: 'read:weather' })).toEqual([200, undefined, undefined, 'approved'])
  })

  it('is approved once in 50 simultaneous calls of a recent session, and never by an old one', async () => {
    const { peck_id } = await aPeck(asker, target, high)
    await old()
    const refused = await Promise.all(
      Array.from({ length: 50 }, () => decide('approve', target, { peck_id })),
    )
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([403]))
    await change({ authTime: readClock() })
    const calls = await Promise.all(Array.from({ length: 50 }, () => decide('approve', target, { peck_id })))
    expect(calls.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('a passkey', () => {
  async function confirmed(
    peckId: string,
    passkey: Awaited<ReturnType<typeof aPasskey>>,
    deviations: Deviations = {},
  ) {
    const options = await call('POST /beak/passkey/challenge', {
      token: target.token,
      body: { purpose: 'approve', peck_id: peckId },
    })
    return passkey.authenticator.get(options.body, deviations)
  }

  it('is required for a standing permission, which lasts until it is revoked', async () => {
    target = await aDuckling({ tier: 'T2' })
    const passkey = await aPasskey(target)
    const { peck_id } = await aPeck(asker, target, { scope: 'standing' })
    const bare = await decide('approve', target, { peck_id })
    expect([bare.status, bare.body.code, bare.body.required]).toEqual([403, 'E4009', 'passkey'])
    const { status, body } = await decide('approve', target, {
      peck_id,
      passkey: await confirmed(peck_id, passkey),
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ grant_status: 'active', grant_expires_at: null, max_uses: null })
    const peck = await db().peck.findUniqueOrThrow({ where: { id: peck_id } })
    const approval = peck.approval as { statement: string }
    expect(approval).toMatchObject({ passkey_id: passkey.id })
    expect(JSON.parse(approval.statement)).toMatchObject({ version: 2, decision: 'approve', peck_id })
    expect((await seenBy(asker, peck_id)).body.grant_token).toBeTruthy()
  })

  it('signs an approval also as its provider writes assertions', async () => {
    const passkey = await aPasskey(target)
    const refused = []
    for (const [title, change, deviations] of assertionsOfProviders) {
      const { peck_id } = await aPeck(asker, target, { params: { title } })
      const assertion = change(await confirmed(peck_id, passkey, deviations))
      const { status } = await decide('approve', target, { peck_id, passkey: assertion as object })
      if (status !== 200) refused.push(title)
    }
    expect(refused).toEqual([])
  })

  // security: mail-12
  it('is required when the target’s profile says so, and must have signed this peck', async () => {
    await db().duckling.update({ where: { id: target.id }, data: { requirePasskeyForPecks: true } })
    const passkey = await aPasskey(target)
    const [one, other] = [await aPeck(asker, target), await aPeck(asker, target, { action: 'read:cert' })]
    expect((await decide('approve', target, { peck_id: one.peck_id })).body.code).toBe('E4009')
    const wrong = await decide('approve', target, {
      peck_id: one.peck_id,
      passkey: await confirmed(other.peck_id, passkey),
    })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'E4006'])
    expect((await seenBy(target, one.peck_id)).body.status).toBe('pending')
    const right = await decide('approve', target, {
      peck_id: one.peck_id,
      passkey: await confirmed(one.peck_id, passkey),
    })
    expect(right.body.status).toBe('approved')
  })

  it('approves a high risk by its signature, whatever the session is', async () => {
    const passkey = await aPasskey(target)
    const { peck_id } = await aPeck(asker, target, { action: 'delete:database' })
    const assertion = await confirmed(peck_id, passkey)
    await db().session.updateMany({ where: { ducklingId: target.id }, data: { amr: ['device'] } })
    const { body } = await decide('approve', target, { peck_id, passkey: assertion })
    expect(body.status).toBe('approved')
  })

  it('limits the lifetime of the grant to the signed one', async () => {
    const passkey = await aPasskey(target)
    const { peck_id } = await aPeck(asker, target, { scope: 'timed', grantExpiresIn: 600 })
    const assertion = await confirmed(peck_id, passkey)
    const longer = await decide('approve', target, { peck_id, grant_expires_in: 601, passkey: assertion })
    expect(longer.body).toMatchObject({ code: 'E4000', errors: [{ field: 'grant_expires_in' }] })
    const same = await decide('approve', target, { peck_id, grant_expires_in: 600, passkey: assertion })
    expect(same.body.status).toBe('approved')
  })

  it('does not replace a tier that the target has lost', async () => {
    target = await aDuckling({ tier: 'T2' })
    const { peck_id } = await aPeck(asker, target, { scope: 'standing' })
    await db().duckling.update({ where: { id: target.id }, data: { trustTier: 'T1' } })
    const { status, body } = await decide('approve', target, { peck_id })
    expect(status).toBe(403)
    expect(body).toMatchObject({ code: 'E4002', required_tier: 'T2', current_tier: 'T1' })
  })
})

describeOnPostgres('a decision that waits for its peck', () => {
  // security: mail-2
  it.each(['approve', 'reject'] as const)(
    'is refused when its passkey is removed meanwhile: %s',
    async (purpose) => {
      const passkey = await aPasskey(target)
      const { peck_id } = await aPeck(asker, target)
      const { token } = target
      const { body } = await call('POST /beak/passkey/challenge', { token, body: { purpose, peck_id } })
      const signed = { peck_id, passkey: passkey.authenticator.get(body) }
      const holder = await database().pool.connect()
      await holder.query('BEGIN')
      await holder.query('SELECT 1 FROM "Peck" WHERE "id" = $1 FOR UPDATE', [peck_id])
      const running = decide(purpose, target, signed)
      await expect.poll(waitingConnections).toBe(1)
      await transaction((tx) =>
        deletePasskeys(tx, systemContext(readClock()), { ducklingId: target.id, actor: systemActor }),
      )
      await holder.query('ROLLBACK')
      holder.release()
      const { status, body: refused } = await running
      expect([status, refused.code]).toEqual([401, 'E4006'])
      expect((await seenBy(target, peck_id)).body.status).toBe('pending')
      expect(await outcomes(target.id, `peck.${purpose === 'approve' ? 'approved' : 'rejected'}`)).toEqual([
        'denied',
      ])
    },
  )
})

describe('POST /beak/peck/reject: 200', () => {
  it('rejects with a reason that both sides can read', async () => {
    const { peck_id } = await aPeck(asker, target)
    const { status, body } = await decide('reject', target, { peck_id, reason: 'Who are you?' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'rejected', grant_status: null, reason: 'Who are you?' })
    expect(body.decided_at).not.toBeNull()
    expect((await seenBy(asker, peck_id)).body).toEqual(body)
    expect(await outcomes(asker.id, 'peck.rejected')).toEqual(['success'])
    expect(await outcomes(target.id, 'peck.rejected')).toEqual(['success'])
  })
})

describe('POST /beak/peck/revoke: 200', () => {
  it('revokes the permission, so that its next use fails', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(asker, target, { scope: 'timed' })
    const consume = () => call('POST /beak/peck/consume', { body: { grant_token } })
    expect((await consume()).status).toBe(200)
    const { status, body } = await decide('revoke', target, { peck_id })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'approved', grant_status: 'revoked' })
    expect(await consume()).toMatchObject({ status: 409, body: { current_status: 'revoked' } })
    expect((await seenBy(asker, peck_id)).body.grant_token).toBeUndefined()
    expect(await outcomes(asker.id, 'peck.revoked')).toEqual(['success'])
  })
})

describe('400', () => {
  it.each([
    ['approve', { peck_id: 'PECK-1' }, 'peck_id'],
    ['approve', { peck_id: `PECK-${'0'.repeat(26)}`, grant_expires_in: 59 }, 'grant_expires_in'],
    ['approve', { peck_id: `PECK-${'0'.repeat(26)}`, status: 'x' }, 'status'],
    ['reject', { peck_id: `PECK-${'0'.repeat(26)}`, reason: '' }, 'reason'],
    ['reject', { peck_id: `PECK-${'0'.repeat(26)}`, reason: 'a'.repeat(281) }, 'reason'],
    ['cancel', {}, 'peck_id'],
    ['revoke', {}, 'peck_id'],
  ] as const)('names the invalid field in %s %j', async (verb, body, field) => {
    const answer = await decide(verb, target, body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ field }])
  })
})

describe.each(['approve', 'reject', 'revoke'] as const)('POST /beak/peck/%s', (verb) => {
  const peckFor = (from: Parameters<typeof aPeck>[0]) =>
    verb === 'revoke' ? anApprovedPeck(from, target) : aPeck(from, target)

  // security: check-32
  it('returns 403 to the asker, and records the attempt', async () => {
    const { peck_id } = await peckFor(asker)
    expect(await decide(verb, asker, { peck_id })).toMatchObject({ status: 403, body: { code: 'E4007' } })
    expect(
      await outcomes(
        asker.id,
        `peck.${verb === 'revoke' ? 'revoked' : `${verb}${verb === 'approve' ? 'd' : 'ed'}`}`,
      ),
    ).toContain('denied')
  })

  // security: agent-1
  it('lets the operator decide on a peck of their own agent, but not the agent', async () => {
    const agent = await anAgent(target)
    const { peck_id } = await peckFor(agent)
    const answer = await call(`POST /beak/peck/${verb}`, {
      key: agent.beakKey,
      body: { peck_id, reason: 'x' },
    })
    expect(answer.status).toBe(403)
    expect((await decide(verb, target, { peck_id })).status).toBe(200)
  })
})

describe('409', () => {
  it.each(['approve', 'reject', 'cancel'] as const)(
    'refuses to %s a peck that was already decided',
    async (verb) => {
      const who = verb === 'cancel' ? asker : target
      const approved = await anApprovedPeck(asker, target)
      expect(await decide(verb, who, { peck_id: approved.peck_id })).toMatchObject({
        status: 409,
        body: { code: 'E4008', current_status: 'approved' },
      })
      const { peck_id } = await aPeck(asker, target, { action: 'read:cert' })
      await decide('reject', target, { peck_id })
      expect((await decide(verb, who, { peck_id })).body.current_status).toBe('rejected')
    },
  )

  it.each(['approve', 'reject', 'cancel'] as const)('refuses to %s an expired peck', async (verb) => {
    const { peck_id } = await aPeck(asker, target)
    await db().peck.update({ where: { id: peck_id }, data: { expiresAt: new Date() } })
    const answer = await decide(verb, verb === 'cancel' ? asker : target, { peck_id })
    expect(answer).toMatchObject({ status: 409, body: { current_status: 'expired' } })
  })

  it('refuses to revoke a permission that is pending, used up, expired or revoked', async () => {
    const pending = await aPeck(asker, target)
    expect(await decide('revoke', target, { peck_id: pending.peck_id })).toMatchObject({
      status: 409,
      body: { code: 'E4008', current_status: 'pending' },
    })
    const { peck_id, grant_token } = await anApprovedPeck(asker, target, { action: 'read:cert' })
    await call('POST /beak/peck/consume', { body: { grant_token } })
    expect((await decide('revoke', target, { peck_id })).body.current_status).toBe('consumed')
    const timed = await anApprovedPeck(asker, target, { scope: 'timed' })
    await db().peck.update({ where: { id: timed.peck_id }, data: { grantExpiresAt: new Date() } })
    expect((await decide('revoke', target, { peck_id: timed.peck_id })).body.current_status).toBe('expired')
    const revoked = await anApprovedPeck(asker, target, { action: 'read:audit' })
    await decide('revoke', target, { peck_id: revoked.peck_id })
    expect((await decide('revoke', target, { peck_id: revoked.peck_id })).body.current_status).toBe('revoked')
  })
})

describe('simultaneous decisions', () => {
  // security: check-39
  it('lets exactly one of 50 approvals succeed', async () => {
    const { peck_id } = await aPeck(asker, target)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => decide('approve', target, { peck_id })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status === 409)
    expect(refused).toHaveLength(49)
    expect(new Set(refused.map(({ body }) => body.current_status))).toEqual(new Set(['approved']))
    expect(
      (await outcomes(asker.id, 'peck.approved')).filter((outcome) => outcome === 'success'),
    ).toHaveLength(1)
  })

  // security: asker-34
  it('lets exactly one of 48 approvals, rejections and cancellations succeed, and shows its result to both sides', async () => {
    const { peck_id } = await aPeck(asker, target)
    const answers = await Promise.all(
      Array.from({ length: 48 }, (_, index) => {
        const verb = (['approve', 'reject', 'cancel'] as const)[index % 3] ?? 'approve'
        return decide(verb, verb === 'cancel' ? asker : target, { peck_id })
      }),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(47)
    const status = won[0]?.body.status
    expect((await seenBy(asker, peck_id)).body.status).toBe(status)
    expect((await seenBy(target, peck_id)).body.status).toBe(status)
    const lost = answers.filter((answer) => answer.status === 409)
    expect(new Set(lost.map(({ body }) => body.current_status))).toEqual(new Set([status]))
  })
})
