import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { changeEmail } from '@/lib/domain/identity/change-email'
import { aDuckling, aNetwork, randomEmail } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { hour, minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'

const home = aNetwork()
const change = (token: string, body: unknown) =>
  call('POST /beak/email-change', { token, body, from: home() })

/** Returns a duckling that has requested a change of address, with the mailed code. */
async function anEmailChange(options: Parameters<typeof aDuckling>[0] = {}) {
  const duckling = await aDuckling(options)
  const newEmail = randomEmail()
  await change(duckling.token, { new_email: newEmail })
  return { ...duckling, newEmail, otp: await codeFor(newEmail) }
}

const wrong = (otp: string) => (otp === '000000' ? '000001' : '000000')

describe('200', () => {
  it('mails a code to the new address, and changes the address with that code', async () => {
    const { id, token, email } = await aDuckling()
    const newEmail = randomEmail()
    const asked = await change(token, { new_email: newEmail })
    expect(asked.body).toEqual({
      success: true,
      message: expect.any(String),
      expires_in: 600,
      resend_after: expect.any(Number),
    })
    expect((await call('GET /beak/profile', { token })).body.email).toBe(email)
    const { status, body } = await change(token, { new_email: newEmail, otp: await codeFor(newEmail) })
    expect([status, body.duckling_id, body.email, body.email_verified]).toEqual([200, id, newEmail, true])
    expect((await call('GET /beak/profile', { token })).body).toEqual(body)
    expect((await sentTo(email)).filter(({ kind }) => kind === 'email_changed')).toHaveLength(1)
    expect(await db().auditEvent.count({ where: { ducklingId: id, action: 'duckling.email_changed' } })).toBe(
      1,
    )
  })

  it('lets the owner sign in with the new address, and frees the old one when its undo link has expired', async () => {
    const { id, token, email, newEmail, otp } = await anEmailChange()
    await change(token, { new_email: newEmail, otp })
    await call('POST /beak/signin/otp', { body: { email: newEmail } })
    const signin = await call('POST /beak/signin', {
      body: { email: newEmail, otp: await codeFor(newEmail) },
    })
    expect(signin.status).toBe(200)
    await db().mailLink.updateMany({ where: { ducklingId: id }, data: { expiresAt: readClock() } })
    const signup = await call('POST /beak/signup', { body: { email, display_name: 'Heir' } })
    expect(signup.status).toBe(200)
  })

  it('accepts the new address in any spelling', async () => {
    const { token, newEmail, otp } = await anEmailChange()
    const { body } = await change(token, { new_email: ` ${newEmail.toUpperCase()} `, otp })
    expect(body.email).toBe(newEmail)
  })

  it('returns the same answer for a taken address as for a free one', async () => {
    const { token } = await aDuckling()
    const other = await aDuckling()
    const [free, taken] = [
      await change(token, { new_email: randomEmail() }),
      await change(token, { new_email: other.email }),
    ]
    expect([taken.status, taken.body]).toEqual([free.status, free.body])
  })

  it('does not raise the tier, and verify-email then requires a code of the new address', async () => {
    const { token, email, newEmail, otp } = await anEmailChange({ tier: 'T0' })
    const old = await codeFor(email)
    await change(token, { new_email: newEmail, otp })
    expect((await call('GET /beak/profile', { token })).body).toMatchObject({
      trust_tier: 'T0',
      email_verified: true,
    })
    expect((await call('POST /beak/verify-email', { token, body: { otp: old } })).status).toBe(401)
    await call('POST /beak/verify-email/resend', { token })
    const verified = await call('POST /beak/verify-email', { token, body: { otp: await codeFor(newEmail) } })
    expect(verified.body.trust_tier).toBe('T1')
  })

  it('sends no mail to an old address that was never verified', async () => {
    const { token, email, newEmail, otp } = await anEmailChange({ tier: 'T0' })
    await change(token, { new_email: newEmail, otp })
    expect((await sentTo(email)).filter(({ kind }) => kind === 'email_changed')).toHaveLength(0)
  })
})

describe('400', () => {
  it.each([
    [{}, 'new_email'],
    [{ new_email: 'nobody' }, 'new_email'],
    [{ new_email: 'a＠＠example.com' }, 'new_email'],
    [{ new_email: 'a@example.com,b@example.com' }, 'new_email'],
    [{ new_email: 'a@example.com\r\nBcc: b@example.com' }, 'new_email'],
    [{ new_email: 'a@example.com', otp: '12345' }, 'otp'],
    [{ new_email: 'a@example.com', otp: 123456 }, 'otp'],
    [{ new_email: 'a@example.com', email: 'b@example.com' }, 'email'],
  ])('names the invalid field in %j', async (body, field) => {
    const { token } = await aDuckling()
    const answer = await change(token, body)
    expect([answer.status, answer.body.errors[0].field]).toEqual([400, field])
  })
})

describe('401', () => {
  it('rejects a wrong code and records the attempt', async () => {
    const { id, token, email, newEmail, otp } = await anEmailChange()
    const { status, body } = await change(token, { new_email: newEmail, otp: wrong(otp) })
    expect([status, body.code]).toEqual([401, 'E4006'])
    expect((await call('GET /beak/profile', { token })).body.email).toBe(email)
    const denied = { ducklingId: id, action: 'duckling.email_changed', outcome: 'denied' }
    expect(await db().auditEvent.count({ where: denied })).toBe(1)
  })

  it('accepts a code only for its address and from the duckling that requested it', async () => {
    const { token, newEmail, otp } = await anEmailChange()
    const other = await aDuckling()
    expect((await change(token, { new_email: other.email, otp })).status).toBe(401)
    expect((await change(token, { new_email: randomEmail(), otp })).status).toBe(401)
    expect((await change(other.token, { new_email: newEmail, otp })).status).toBe(401)
    expect((await change(token, { new_email: newEmail, otp })).status).toBe(200)
  })

  // security: check-8
  it('rejects a code of another purpose', async () => {
    const { token, email } = await aDuckling()
    await call('POST /beak/signin/otp', { body: { email } })
    expect((await change(token, { new_email: email, otp: await codeFor(email) })).status).toBe(401)
  })

  it('rejects a code after ten minutes', async () => {
    const duckling = await anEmailChange()
    const context = await duckling.context()
    const now = secondsAfter(context.now, 10 * minute + 1)
    // The sign-in is recent, so that only the code is too old.
    const late = { ...context, now, caller: { ...context.caller, authTime: now } }
    await expect(changeEmail(late, duckling.newEmail, duckling.otp)).rejects.toMatchObject({
      failure: 'code_invalid',
    })
  })

  it('accepts a code once for 50 simultaneous calls', async () => {
    const { token, newEmail, otp } = await anEmailChange()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => change(token, { new_email: newEmail, otp })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401 || status === 429)).toHaveLength(49)
  })

  it('rejects a sign-in with a code that was mailed to the old address', async () => {
    const { token, email, newEmail, otp } = await anEmailChange()
    await call('POST /beak/signin/otp', { body: { email } })
    const old = await codeFor(email)
    await change(token, { new_email: newEmail, otp })
    for (const address of [email, newEmail]) {
      const { status } = await call('POST /beak/signin', { body: { email: address, otp: old } })
      expect(status).toBe(401)
    }
  })
})

describe('409', () => {
  it('reveals that the address is taken only to the person who has the code', async () => {
    const { token, email } = await aDuckling()
    const owner = await aDuckling()
    await change(token, { new_email: owner.email })
    const otp = await codeFor(owner.email)
    const { status, body } = await change(token, { new_email: owner.email, otp })
    expect([status, body.code]).toEqual([409, 'E4003'])
    expect((await call('GET /beak/profile', { token })).body.email).toBe(email)
    expect((await call('GET /beak/profile', { token: owner.token })).body.email).toBe(owner.email)
  })

  it('gives the address to one of two ducklings with a code for it', async () => {
    const first = await anEmailChange()
    const second = await aDuckling()
    await change(second.token, { new_email: first.newEmail })
    const otp = await codeFor(first.newEmail)
    const answers = await Promise.all([
      change(first.token, { new_email: first.newEmail, otp: first.otp }),
      change(second.token, { new_email: first.newEmail, otp }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe('429', () => {
  it('mails at most three codes to an address in ten minutes', async () => {
    const { token } = await aDuckling()
    const newEmail = randomEmail()
    const answers = []
    for (let index = 0; index < 4; index++) answers.push(await change(token, { new_email: newEmail }))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(answers[3]?.headers.get('retry-after')).toMatch(/^\d+$/)
  })

  it('mails at most twenty codes a day for an account, whatever the addresses', async () => {
    const { id, token } = await aDuckling()
    const createdAt = secondsAfter(new Date(), -12 * hour)
    await db().otpCode.createMany({
      data: Array.from({ length: 19 }, () => ({
        id: newId('otp', createdAt),
        purpose: 'email_change' as const,
        address: randomEmail(),
        ducklingId: id,
        createdAt,
      })),
    })
    expect((await change(token, { new_email: randomEmail() })).status).toBe(200)
    const { status, body } = await change(token, { new_email: randomEmail() })
    expect(status).toBe(429)
    expect(Math.round(body.retry_after / hour)).toBe(12)
  })

  it('voids the codes after five wrong tries', async () => {
    const { token, newEmail, otp } = await anEmailChange()
    for (let index = 0; index < 5; index++) await change(token, { new_email: newEmail, otp: wrong(otp) })
    expect((await change(token, { new_email: newEmail, otp })).status).toBe(429)
  })
})
