import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { type ADuckling, aDuckling, randomEmail, through } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'
import { anotherSession, changeAddress, undoLinkTo } from '@/lib/fixtures/accounts'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'

let owner: ADuckling
beforeEach(async () => {
  owner = await aDuckling()
})

/** Changes the address of the owner's account. Returns the new address. */
const changeEmail = (newEmail = randomEmail(), token = owner.token) =>
  changeAddress(through(owner, token), newEmail)
const undo = (token: string) => call('POST /beak/email-change/undo', { body: { token } })

const row = () => db().duckling.findUniqueOrThrow({ where: { id: owner.id } })
const addressNow = async () => (await row()).email
const signUp = (email: string) => call('POST /beak/signup', { body: { email, display_name: 'Heir' } })
const expireLinks = () =>
  db().mailLink.updateMany({ where: { ducklingId: owner.id }, data: { expiresAt: readClock() } })

describe('200', () => {
  // security: mail-8
  it('restores the old address as verified, and ends every session and known device', async () => {
    const second = await anotherSession(owner)
    const now = readClock()
    await db().deviceToken.create({
      data: {
        id: newId('device', now),
        ducklingId: owner.id,
        secretHash: new Uint8Array(32),
        sessionId: 'SES-X',
        createdAt: now,
        expiresAt: secondsAfter(now, day),
      },
    })
    const newEmail = await changeEmail()
    const { status, body } = await undo(await undoLinkTo(owner.email))
    expect([status, body]).toEqual([200, { success: true, restores_at: null }])
    expect(await row()).toMatchObject({
      email: owner.email,
      emailVerifiedAt: expect.any(Date),
      trustTier: 'T1',
    })
    for (const token of [owner.token, second])
      expect((await call('GET /beak/profile', { token })).status).toBe(401)
    expect(await db().deviceToken.count({ where: { ducklingId: owner.id } })).toBe(0)
    await call('POST /beak/signin/otp', { body: { email: owner.email } })
    const signedIn = await call('POST /beak/signin', {
      body: { email: owner.email, otp: await codeFor(owner.email) },
    })
    expect(signedIn.status).toBe(200)
    expect((await signUp(newEmail)).status).toBe(200)
  })

  it('removes the passkeys that were added since the change or by the session that made it, and keeps the others', async () => {
    const thief = await anotherSession(owner)
    const asThief = through(owner, thief)
    const kept = await aPasskey(owner)
    const options = await call('POST /beak/passkey/challenge', { token: thief, body: { purpose: 'confirm' } })
    await call('POST /beak/passkey/confirm', {
      token: thief,
      body: { passkey: kept.authenticator.get(options.body) },
    })
    await aPasskey(asThief)
    await changeEmail(undefined, thief)
    await aPasskey(asThief)
    await undo(await undoLinkTo(owner.email))
    const left = await db().passkey.findMany({ where: { ducklingId: owner.id }, select: { id: true } })
    expect(left).toEqual([{ id: kept.id }])
  })

  it('cancels a pending removal of passkeys', async () => {
    await changeEmail()
    const now = readClock()
    await db().passkeyRecovery.create({
      data: {
        id: newId('recovery', now),
        ducklingId: owner.id,
        sessionId: 'SES-X',
        createdAt: now,
        dueAt: secondsAfter(now, day),
      },
    })
    await undo(await undoLinkTo(owner.email))
    expect(await db().passkeyRecovery.count({ where: { ducklingId: owner.id } })).toBe(0)
  })

  it('records the undo with the ended sessions, and mails both addresses', async () => {
    const { sessionId } = (await owner.context()).caller
    const newEmail = await changeEmail()
    await undo(await undoLinkTo(owner.email))
    const events = await db().auditEvent.findMany({
      where: { ducklingId: owner.id, action: 'duckling.email_restored' },
    })
    expect(events).toMatchObject([
      {
        outcome: 'success',
        actorType: 'anonymous',
        actorId: null,
        targets: [
          { type: 'duckling', id: owner.id },
          { type: 'session', id: sessionId },
        ],
      },
    ])
    const kinds = async (address: string, kind: string) =>
      (await sentTo(address)).filter((message) => message.kind === kind)
    expect(await kinds(owner.email, 'email_restored')).toHaveLength(1)
    const [mail] = await kinds(newEmail, 'email_changed')
    expect(mail?.text).not.toContain('token=')
  })

  it('keeps other changes', async () => {
    const { authenticator } = await aPasskey(owner)
    const later = await anotherSession(owner)
    await confirmWithPasskey(through(owner, later), authenticator)
    await changeEmail(undefined, later)
    await call('POST /beak/profile/update', { token: owner.token, body: { bio: 'Changed since' } })
    await undo(await undoLinkTo(owner.email))
    expect((await row()).bio).toBe('Changed since')
    expect(await db().passkey.count({ where: { ducklingId: owner.id } })).toBe(1)
  })

  it('voids the code of another change of address', async () => {
    await changeEmail()
    const third = randomEmail()
    await call('POST /beak/email-change', { token: owner.token, body: { new_email: third } })
    const otp = await codeFor(third)
    await undo(await undoLinkTo(owner.email))
    const token = await anotherSession(owner)
    const { status } = await call('POST /beak/email-change', { token, body: { new_email: third, otp } })
    expect([status, await addressNow()]).toEqual([401, owner.email])
  })

  it('stores no token, and sends no link to an address that was never verified', async () => {
    await changeEmail()
    const link = await undoLinkTo(owner.email)
    expect(link).toMatch(/^LNK-[0-9A-Z]{78}$/)
    const rows = await db().rows<{ row: string }>`SELECT l::text AS row FROM "MailLink" l`
    expect(JSON.stringify(rows)).not.toContain(link.slice(-52))
    owner = await aDuckling({ tier: 'T0' })
    await changeEmail()
    expect(await undoLinkTo(owner.email)).toBe('')
    expect(await db().mailLink.count({ where: { ducklingId: owner.id } })).toBe(0)
  })

  it('accepts a link once for 50 simultaneous calls', async () => {
    await changeEmail()
    const link = await undoLinkTo(owner.email)
    const answers = await Promise.all(Array.from({ length: 50 }, () => undo(link)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(49)
    expect(
      await db().auditEvent.count({ where: { ducklingId: owner.id, action: 'duckling.email_restored' } }),
    ).toBe(1)
  })

  // security: mail-8
  it('wins against a simultaneous change of address', async () => {
    await changeEmail()
    const link = await undoLinkTo(owner.email)
    const third = randomEmail()
    await call('POST /beak/email-change', { token: owner.token, body: { new_email: third } })
    const otp = await codeFor(third)
    const [undone, changed] = await Promise.all([
      undo(link),
      call('POST /beak/email-change', { token: owner.token, body: { new_email: third, otp } }),
    ])
    expect(undone.status).toBe(200)
    expect([200, 401]).toContain(changed.status)
    expect(await addressNow()).toBe(owner.email)
  })
})

describe('a chain of changes from A to B to C', () => {
  it('is undone to A by the link to A, which voids the link to B', async () => {
    const b = await changeEmail()
    const c = await changeEmail()
    const [toA, toB] = [await undoLinkTo(owner.email), await undoLinkTo(b)]
    expect((await undo(toA)).status).toBe(200)
    expect(await addressNow()).toBe(owner.email)
    expect((await undo(toB)).status).toBe(404)
    expect(await addressNow()).toBe(owner.email)
    for (const email of [b, c]) expect((await signUp(email)).status).toBe(200)
  })

  it('is undone to B by the link to B, and then to A by the link to A', async () => {
    const b = await changeEmail()
    await changeEmail()
    const [toA, toB] = [await undoLinkTo(owner.email), await undoLinkTo(b)]
    expect((await undo(toB)).status).toBe(200)
    expect(await addressNow()).toBe(b)
    expect((await undo(toA)).status).toBe(200)
    expect(await addressNow()).toBe(owner.email)
  })

  it('can return to A by another change', async () => {
    const b = await changeEmail()
    await changeEmail(owner.email)
    expect(await addressNow()).toBe(owner.email)
    expect((await undo(await undoLinkTo(b))).status).toBe(200)
    expect(await addressNow()).toBe(b)
  })
})

describe('the old address while its link is valid', () => {
  it('is refused to others at sign-up and email-change until the link expires', async () => {
    await changeEmail()
    const thief = await aDuckling()
    const { token } = thief
    await call('POST /beak/email-change', { token, body: { new_email: owner.email } })
    const otp = await codeFor(owner.email)
    const taken = await call('POST /beak/email-change', { token, body: { new_email: owner.email, otp } })
    expect([taken.status, taken.body.code]).toEqual([409, 'E4003'])
    const refused = await signUp(owner.email)
    expect([refused.status, refused.body.code]).toEqual([409, 'E4003'])
    await expireLinks()
    expect((await signUp(owner.email)).status).toBe(200)
  })

  it('is refused to a sign-up at the time of the undo', async () => {
    await changeEmail()
    const link = await undoLinkTo(owner.email)
    const [undone, ...signups] = await Promise.all([
      undo(link),
      ...Array.from({ length: 4 }, () => signUp(owner.email)),
    ])
    expect(undone.status).toBe(200)
    expect(signups.map(({ status }) => status)).toEqual([409, 409, 409, 409])
    expect(await addressNow()).toBe(owner.email)
  })

  it('is freed when the account is closed', async () => {
    await changeEmail()
    const link = await undoLinkTo(owner.email)
    expect((await call('POST /beak/account/delete', { token: owner.token })).status).toBe(200)
    expect((await undo(link)).status).toBe(404)
    expect(await db().mailLink.count({ where: { ducklingId: owner.id } })).toBe(0)
    expect((await signUp(owner.email)).status).toBe(200)
  })
})

describe('400', () => {
  it.each([
    [{}, 'token'],
    [{ token: '' }, 'token'],
    [{ token: 'x', email: 'y' }, 'email'],
  ])('names the invalid field in %j', async (body, field) => {
    const answer = await call('POST /beak/email-change/undo', { body })
    expect([answer.status, answer.body.errors[0].field]).toEqual([400, field])
  })
})

describe('404', () => {
  it('rejects an unknown, wrong and expired token with the same answer, and changes nothing', async () => {
    const newEmail = await changeEmail()
    const link = await undoLinkTo(owner.email)
    const wrong = `${link.slice(0, -1)}${link.endsWith('0') ? '1' : '0'}`
    for (const bad of ['x', wrong, `LNK-${'0'.repeat(78)}`]) {
      const { status, body } = await undo(bad)
      expect([status, body.code, body.detail]).toEqual([404, 'E4005', 'This link has expired or was used.'])
    }
    await expireLinks()
    expect((await undo(link)).status).toBe(404)
    expect(await addressNow()).toBe(newEmail)
  })

  it('gives the link an expiry after seven days', async () => {
    await changeEmail()
    const { createdAt, expiresAt } = await db().mailLink.findFirstOrThrow({ where: { ducklingId: owner.id } })
    expect((expiresAt.getTime() - createdAt.getTime()) / 1000).toBe(7 * day)
  })
})
