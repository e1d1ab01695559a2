import { type OutcomePolicy, verifyOutcome } from '@beak/proofs/receipt'
import type { OutcomeFile } from '@beak/proofs/receipts/outcome-schema'
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { finishRemovals } from '@/lib/domain/approvers/remove'
import type { Authenticator } from '@/lib/factories/authenticator'
import { type ADuckling, aDuckling, through } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { AnApprover, anApprover, aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'
import { aPeck } from '@/lib/factories/pecks'
import { anotherSession, changeAddress, undoLinkTo } from '@/lib/fixtures/accounts'
import { config } from '@/lib/kernel/config'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

const high = { action: 'delete:database', params: { name: 'customers-production' } }

let owner: ADuckling
let asker: ADuckling
let passkey: Authenticator
beforeEach(async () => {
  owner = await aDuckling()
  asker = await aDuckling()
  passkey = (await aPasskey(owner)).authenticator
  await confirmWithPasskey(owner, passkey)
})

const post = (line: `POST ${string}`, body: object = {}, token = owner.token) =>
  // biome-ignore lint/suspicious/noExplicitAny: each answer has its own shape
  call(line, { token, body }) as Promise<{ status: number; body: any }>

const challengeFor = (peck_id: string, more: object = { approver: true }) =>
  post('POST /beak/passkey/challenge', { purpose: 'approve', peck_id, ...more })

const approve = (peck_id: string, assertion?: object) =>
  post('POST /beak/peck/approve', { peck_id, ...(assertion === undefined ? {} : { passkey: assertion }) })

const rejectionFor = (peck_id: string) =>
  post('POST /beak/passkey/challenge', { purpose: 'reject', peck_id, approver: true })

const reject = (peck_id: string, assertion: object, more: object = {}, token = owner.token) =>
  post('POST /beak/peck/reject', { peck_id, reason: 'no', passkey: assertion, ...more }, token)

async function statusOf(peckId: string): Promise<string> {
  return (await call(`GET /beak/peck/status?peck_id=${peckId}`, { token: owner.token })).body.status
}

async function receiptOf(peckId: string) {
  return (await call(`GET /beak/peck/outcome?peck_id=${peckId}`, { token: asker.token })).body
}

/** Judges a receipt. The passkey that signed it is pinned, as a policy with an approver needs it. */
async function judge(receipt: OutcomeFile, more: Partial<OutcomePolicy> = {}): Promise<string> {
  const { body: keys } = await call('GET /.well-known/jwks.json')
  const pins = receipt.passkey === null ? [] : [receipt.passkey]
  const policy = { issuer: config().baseUrl, keys, require: 'signed' as const, pins, ...more }
  const verdict = await verifyOutcome(receipt, policy)
  return verdict.ok ? 'ok' : verdict.fault.part === 'policy' ? verdict.fault.reason : verdict.fault.message
}

describe('setting an approver', () => {
  // security: session-13
  it('keeps its site, tells the owner, and enrols its passkey in the log', async () => {
    await anApprover(owner, { covers: 'all', origin: 'https://approve.example:8443' })
    const { body } = await call('GET /beak/approver/view', { token: owner.token })
    expect(body.approver).toMatchObject({
      origin: 'https://approve.example:8443',
      covers: 'all',
      removes_at: null,
    })
    const mails = await sentTo(owner.email)
    expect(mails.map(({ text }) => text).join()).toContain('Your account has an approver now.')
    const event = await db().auditEvent.findFirst({ where: { ducklingId: owner.id, action: 'approver.set' } })
    expect(event?.metadata).toMatchObject({
      covers: 'all',
      log_digest: expect.stringMatching(/^[\da-f]{64}$/),
    })
    const { body: keys } = await call('GET /beak/passkey/list', { token: owner.token })
    expect(keys.items).toHaveLength(1)
  })

  // security: site-5
  it.each([
    ['http://approve.example'],
    ['https://approve.example/'],
    ['https://approve.example/page'],
    ['https://user@approve.example'],
    ['https://192.0.2.1'],
    ['https://[2001:db8::1]'],
    ['javascript:alert(1)'],
    ['approve.example'],
    ['https://localhost'],
    ['http://localhost:3000'],
  ])('is refused for %s', async (origin) => {
    expect(await post('POST /beak/approver/enrol', { origin })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'origin' }] },
    })
  })

  it('is refused while there is one, also at 50 simultaneous calls', async () => {
    const approver = new AnApprover()
    const begun = await post('POST /beak/approver/enrol', { origin: approver.origin })
    const credential = approver.create(begun.body.challenge, owner.id)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        post('POST /beak/approver/enrol/verify', { credential, covers: 'all' }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await post('POST /beak/approver/enrol', { origin: 'https://other.example' })).status).toBe(409)
  })

  it.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['of this service', { rpId: 'localhost' }],
    ['without the person', { isUserVerified: false }],
    ['for another challenge', { challenge: 'A'.repeat(43) }],
  ])('is refused for a passkey %s', async (_, deviations) => {
    const approver = new AnApprover()
    const begun = await post('POST /beak/approver/enrol', { origin: approver.origin })
    const credential = approver.create(begun.body.challenge, owner.id, deviations)
    const answer = await post('POST /beak/approver/enrol/verify', { credential, covers: 'all' })
    expect(answer).toMatchObject({ status: 401, body: { code: 'E4006' } })
  })

  // security: session-13
  it('is refused with the challenge of another session', async () => {
    const approver = new AnApprover()
    const begun = await post('POST /beak/approver/enrol', { origin: approver.origin })
    const credential = approver.create(begun.body.challenge, owner.id)
    const other = await anotherSession(owner)
    await db().session.updateMany({ where: { ducklingId: owner.id }, data: { passkeyAt: readClock() } })
    const answer = await post('POST /beak/approver/enrol/verify', { credential, covers: 'all' }, other)
    expect(answer.status).toBe(401)
  })
})

describe('an approver', () => {
  // security: session-15
  it('approves what it covers, and only it does', async () => {
    const approver = await anApprover(owner)
    const { peck_id } = await aPeck(asker, owner, high)
    const needed = { status: 403, body: { required: 'approver', reason: 'approver_needed' } }
    expect(await approve(peck_id)).toMatchObject(needed)
    const { body: own } = await challengeFor(peck_id, {})
    expect(await approve(peck_id, passkey.get(own))).toMatchObject(needed)
    const many = await post('POST /beak/peck/decide', { decision: 'approve', peck_ids: [peck_id] })
    expect(many.body.items).toMatchObject([{ outcome: 'passkey_needed' }])

    const { body: options } = await challengeFor(peck_id)
    expect(options).toMatchObject({ rpId: 'approve.example', approver: { origin: approver.origin } })
    expect((await approve(peck_id, approver.sign(options))).status).toBe(200)
    const receipt = await receiptOf(peck_id)
    expect(receipt).toMatchObject({ version: 3, statement: { approver: approver.origin } })
    expect([
      await judge(receipt, { approver: approver.origin }),
      await judge(receipt, { approver: 'https://other.example' }),
    ]).toEqual(['ok', 'approver'])
  })

  it('is not needed for what it does not cover, and may decide it nevertheless', async () => {
    const approver = await anApprover(owner)
    const low = { action: 'read:calendar' }
    const { peck_id: one } = await aPeck(asker, owner, low)
    expect((await approve(one)).status).toBe(200)
    const { peck_id: two } = await aPeck(asker, owner, { ...low, params: { day: 2 } })
    const { body } = await challengeFor(two)
    expect((await approve(two, approver.sign(body))).status).toBe(200)
  })

  it('that covers everything is needed for everything', async () => {
    await anApprover(owner, { covers: 'all' })
    const { peck_id } = await aPeck(asker, owner, { action: 'read:calendar' })
    expect(await approve(peck_id)).toMatchObject({ status: 403, body: { required: 'approver' } })
    const { body } = await call('GET /beak/peck/inbox', { token: owner.token })
    expect(body.items).toMatchObject([{ needs_passkey: true }])
    expect((await post('POST /beak/peck/reject', { peck_id, reason: 'no' })).status).toBe(200)
  })

  it('signs a rejection, too', async () => {
    const approver = await anApprover(owner)
    const { peck_id } = await aPeck(asker, owner, high)
    const { body } = await post('POST /beak/passkey/challenge', {
      purpose: 'reject',
      peck_id,
      approver: true,
    })
    await post('POST /beak/peck/reject', { peck_id, reason: 'no', passkey: approver.sign(body) })
    expect(await judge(await receiptOf(peck_id), { outcome: 'rejected', approver: approver.origin })).toBe(
      'ok',
    )
  })

  it('signs a rejection that is stored with its reason, and named in the log of the target', async () => {
    const approver = await anApprover(owner)
    const { peck_id } = await aPeck(asker, owner, high)
    const { body } = await rejectionFor(peck_id)
    const answer = await reject(peck_id, approver.sign(body), { reason: 'Ask me on Monday.' })
    expect(answer).toMatchObject({ status: 200, body: { status: 'rejected', reason: 'Ask me on Monday.' } })
    expect(JSON.stringify(body)).not.toContain('Monday')
    const receipt = await receiptOf(peck_id)
    expect(receipt).toMatchObject({ outcome: 'rejected', statement: { decision: 'reject' } })
    expect(receipt.statement.approver).toBe(approver.origin)
    const approverRow = await db().approver.findUniqueOrThrow({ where: { ducklingId: owner.id } })
    const event = await db().auditEvent.findFirst({
      where: { ducklingId: owner.id, action: 'peck.rejected' },
    })
    expect(event?.metadata).toMatchObject({ passkey_id: approverRow.id })
  })

  // security: site-3
  it('does not let a signed rejection approve, nor a signed approval reject', async () => {
    const approver = await anApprover(owner)
    const { peck_id } = await aPeck(asker, owner, high)
    const { body: toReject } = await rejectionFor(peck_id)
    const { body: toApprove } = await challengeFor(peck_id)
    expect(await approve(peck_id, approver.sign(toReject))).toMatchObject({
      status: 401,
      body: { code: 'E4006' },
    })
    expect((await reject(peck_id, approver.sign(toApprove))).status).toBe(401)
    expect(await statusOf(peck_id)).toBe('pending')
    // A signature that was refused for the wrong decision is still good for the right one.
    expect((await reject(peck_id, approver.sign(toReject))).status).toBe(200)
  })

  // security: site-3
  it('signs a rejection of one request, which rejects no other one, and none a second time', async () => {
    const approver = await anApprover(owner)
    const { peck_id: one } = await aPeck(asker, owner, high)
    const { peck_id: other } = await aPeck(asker, owner, { ...high, params: { name: 'orders' } })
    const { body } = await rejectionFor(one)
    const signed = approver.sign(body)
    expect((await reject(other, signed)).status).toBe(401)
    expect(await statusOf(other)).toBe('pending')

    // Undone, so that the request waits again for a replay.
    expect((await reject(one, signed, { undo_seconds: 10 })).status).toBe(200)
    expect((await post('POST /beak/peck/undo', { peck_id: one })).status).toBe(200)
    expect((await reject(one, signed)).status).toBe(401)
    expect(await statusOf(one)).toBe('pending')
  })

  it('lets only one of 50 simultaneous returns with the same signature reject', async () => {
    const approver = await anApprover(owner)
    const { peck_id } = await aPeck(asker, owner, high)
    const signed = approver.sign((await rejectionFor(peck_id)).body)
    const answers = await Promise.all(Array.from({ length: 50 }, () => reject(peck_id, signed)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it.each([
    ['on the pages of the service', { origin: 'http://localhost:3000' }],
    ['on another site', { origin: 'https://evil.example' }],
    ['without the person', { isUserVerified: false }],
    ['with another key', { isForged: true }],
  ])('is refused when it signs a rejection %s', async (_, deviations) => {
    const approver = await anApprover(owner)
    const { peck_id } = await aPeck(asker, owner, high)
    const { body } = await rejectionFor(peck_id)
    expect(await reject(peck_id, approver.sign(body, deviations))).toMatchObject({ status: 401 })
    expect(await statusOf(peck_id)).toBe('pending')
  })

  it('does not let the target’s other accounts or a stranger use a signed rejection', async () => {
    const approver = await anApprover(owner)
    const { peck_id } = await aPeck(asker, owner, high)
    const signed = approver.sign((await rejectionFor(peck_id)).body)
    const stranger = await aDuckling()
    expect((await reject(peck_id, signed, {}, stranger.token)).status).toBe(404)
    const { peck_id: others } = await aPeck(asker, stranger, high)
    expect((await reject(others, signed, {}, stranger.token)).status).toBe(401)
    expect(await statusOf(peck_id)).toBe('pending')
  })

  it.each([
    ['on the pages of the service', { origin: 'http://localhost:3000' }],
    ['for the host of the service', { rpId: 'localhost' }],
    ['on another site', { origin: 'https://evil.example' }],
    ['without the person', { isUserVerified: false }],
    ['with another key', { isForged: true }],
  ])('is refused when it signs %s', async (_, deviations) => {
    const approver = await anApprover(owner)
    const { peck_id } = await aPeck(asker, owner, high)
    const { body } = await challengeFor(peck_id)
    expect(await approve(peck_id, approver.sign(body, deviations))).toMatchObject({ status: 401 })
  })

  // security: session-15
  it('cannot sign in, confirm a session, or approve for somebody else', async () => {
    const approver = await anApprover(owner)
    const { body: confirm } = await post('POST /beak/passkey/challenge', { purpose: 'confirm' })
    const { body: login } = await call('POST /beak/passkey/login/options', { body: {} })
    const other = await aDuckling()
    await aPasskey(other)
    const { peck_id } = await aPeck(asker, other, high)
    const { body: others } = await call('POST /beak/passkey/challenge', {
      token: other.token,
      body: { purpose: 'approve', peck_id },
    })
    const answers = await Promise.all([
      post('POST /beak/passkey/confirm', { passkey: approver.sign(confirm) }),
      call('POST /beak/passkey/login', { body: { passkey: approver.sign(login) } }),
      post('POST /beak/peck/approve', { peck_id, passkey: approver.sign(others) }, other.token),
    ])
    expect(answers.map(({ status }) => status)).toEqual([401, expect.any(Number), 401])
    expect(answers[1]?.status).toBeGreaterThanOrEqual(400)
  })

  it('is asked for only where there is one', async () => {
    const { peck_id } = await aPeck(asker, owner, high)
    expect((await challengeFor(peck_id)).status).toBe(404)
  })

  it('does not sign in an older form, and its code is asked for', async () => {
    await anApprover(owner)
    const { peck_id } = await aPeck(asker, owner, high)
    expect((await challengeFor(peck_id, { approver: true, statement_version: 2 })).status).toBe(400)
  })
})

describe('the removal of an approver', () => {
  // security: session-13
  it('happens a day after it was asked for, and is told on every channel', async () => {
    await anApprover(owner)
    const { status, body } = await post('POST /beak/approver/remove')
    expect(status).toBe(200)
    const again = await post('POST /beak/approver/remove')
    expect(again.body).toEqual(body)
    const { peck_id } = await aPeck(asker, owner, high)
    await finishRemovals(secondsAfter(readClock(), day - 60))
    expect(await approve(peck_id)).toMatchObject({ status: 403, body: { required: 'approver' } })
    await finishRemovals(secondsAfter(readClock(), day + 60))
    expect(await approve(peck_id)).toMatchObject({ status: 403, body: { required: 'passkey' } })
    const kinds = await db().auditEvent.findMany({
      where: { ducklingId: owner.id, action: { startsWith: 'approver.' } },
      orderBy: { seq: 'asc' },
    })
    expect(kinds.map(({ action }) => action)).toEqual([
      'approver.set',
      'approver.removal_requested',
      'approver.removed',
    ])
    const text = (await sentTo(owner.email)).map((mail) => mail.text).join()
    expect(text).toContain('asked to remove your approver')
    expect(
      await db().notice.findFirst({ where: { ducklingId: owner.id, kind: 'approver_removed' } }),
    ).toMatchObject({ count: 1 })
  })

  // security: session-13
  it('is taken back by any session', async () => {
    await anApprover(owner)
    await post('POST /beak/approver/remove')
    const other = await anotherSession(owner)
    expect((await post('POST /beak/approver/keep', {}, other)).body.removes_at).toBeNull()
    await finishRemovals(secondsAfter(readClock(), 2 * day))
    expect((await call('GET /beak/approver/view', { token: owner.token })).body.approver).not.toBeNull()
  })

  it('is 404 without one', async () => {
    for (const verb of ['remove', 'keep'] as const)
      expect((await post(`POST /beak/approver/${verb}`)).status).toBe(404)
  })

  // security: session-13
  it('comes with the undo of a stolen address, when it was set since', async () => {
    const { email } = owner
    await changeAddress(owner)
    await anApprover(owner)
    const token = await undoLinkTo(email)
    expect((await call('POST /beak/email-change/undo', { body: { token } })).status).toBe(200)
    expect(await db().approver.count({ where: { ducklingId: owner.id } })).toBe(0)
  })

  // security: session-13
  it('is cancelled by the undo of a stolen address', async () => {
    const { email } = owner
    await anApprover(owner)
    const thief = through(owner, await anotherSession(owner))
    await confirmWithPasskey(thief, passkey)
    await changeAddress(thief)
    expect((await post('POST /beak/approver/remove', {}, thief.token)).body.removes_at).not.toBeNull()
    await db().mailLink.updateMany({ where: { ducklingId: owner.id }, data: { waits: false } })
    const token = await undoLinkTo(email)
    expect((await call('POST /beak/email-change/undo', { body: { token } })).status).toBe(200)
    await finishRemovals(secondsAfter(readClock(), 2 * day))
    expect(await db().approver.count({ where: { ducklingId: owner.id } })).toBe(1)
  })

  it('comes with the end of the account', async () => {
    await anApprover(owner)
    expect((await call('POST /beak/account/delete', { token: owner.token })).status).toBe(200)
    expect(await db().approver.count({ where: { ducklingId: owner.id } })).toBe(0)
  })
})
