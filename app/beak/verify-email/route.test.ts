import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { networkKey } from '@/lib/domain/codes/live-codes'
import { aDuckling, aNetwork } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'

const verify = (token: string, otp: string) => call('POST /beak/verify-email', { token, body: { otp } })

describe('200', () => {
  // security: stranger-2
  it('raises T0 to T1 once for 50 simultaneous calls with the correct code', async () => {
    const duckling = await aDuckling({ tier: 'T0' })
    const otp = await codeFor(duckling.email)
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(duckling.token, otp)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 401, 409, 429].includes(status))).toBe(true)
    const raised = await db().auditEvent.count({
      where: { ducklingId: duckling.id, action: 'trust.elevated', outcome: 'success' },
    })
    expect(raised).toBe(1)
  })

  it('takes effect for the current token', async () => {
    const duckling = await aDuckling({ tier: 'T0' })
    await verify(duckling.token, await codeFor(duckling.email))
    expect((await call('GET /beak/profile', { token: duckling.token })).body.trust_tier).toBe('T1')
  })
})

describe('wrong codes at sign-in', () => {
  it('void the sign-up code for sign-in, but not for verification', async () => {
    const duckling = await aDuckling({ tier: 'T0' })
    const otp = await codeFor(duckling.email)
    const home = aNetwork()
    const { email } = duckling
    await db().otpCode.updateMany({ where: { address: email }, data: { requester: networkKey(home()) } })
    const signIn = (code: string) => call('POST /beak/signin', { body: { email, otp: code }, from: home() })
    const wrong = otp === '123456' ? '654321' : '123456'
    for (let tries = 0; tries < 5; tries++) expect((await signIn(wrong)).status).toBe(401)
    expect((await signIn(otp)).status).toBe(429)
    expect((await verify(duckling.token, otp)).status).toBe(200)
    await call('POST /beak/signin/otp', { body: { email }, from: home() })
    await codeFor(email)
    expect((await signIn(otp)).status).toBe(401)
  })
})

describe('401', () => {
  it('rejects a wrong code', async () => {
    const duckling = await aDuckling({ tier: 'T0' })
    const otp = await codeFor(duckling.email)
    const wrong = await verify(duckling.token, otp === '123456' ? '654321' : '123456')
    expect([wrong.status, wrong.body.code]).toEqual([401, 'E4006'])
    expect((await call('GET /beak/profile', { token: duckling.token })).body.trust_tier).toBe('T0')
  })
})

describe('409', () => {
  // security: check-46
  it('returns 409 from verification and resending when the address is already verified', async () => {
    const duckling = await aDuckling()
    expect((await verify(duckling.token, '123456')).body).toMatchObject({ status: 409, code: 'E4008' })
    expect((await call('POST /beak/verify-email/resend', { token: duckling.token })).body).toMatchObject({
      status: 409,
      code: 'E4008',
    })
  })
})

describe('POST /beak/verify-email/resend', () => {
  it('mails a new code that verifies the address', async () => {
    const duckling = await aDuckling({ tier: 'T0' })
    expect((await sentTo(duckling.email)).map(({ kind }) => kind)).toEqual(['signup_code'])
    const { status, body } = await call('POST /beak/verify-email/resend', { token: duckling.token })
    expect([status, body.expires_in]).toEqual([200, 600])
    expect((await sentTo(duckling.email)).at(-1)?.kind).toBe('verify_email_code')
    expect((await verify(duckling.token, await codeFor(duckling.email))).status).toBe(200)
  })

  it('sends at most three codes in ten minutes, then returns how long to wait', async () => {
    const duckling = await aDuckling({ tier: 'T0' })
    const home = aNetwork()
    const resend = () => call('POST /beak/verify-email/resend', { token: duckling.token, from: home() })
    const sent = [await resend(), await resend(), await resend()]
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200])
    const refused = await resend()
    expect([refused.status, refused.body.code]).toEqual([429, 'E4004'])
    expect(refused.body.retry_after).toBeGreaterThan(590)
    expect(refused.headers.get('retry-after')).toBe(String(refused.body.retry_after))
    expect((await sentTo(duckling.email)).filter(({ kind }) => kind === 'verify_email_code')).toHaveLength(3)
  })
})
