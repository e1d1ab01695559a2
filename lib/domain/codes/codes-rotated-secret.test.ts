/** While the previous secret is known, a rotation of BEAK_SECRET changes nothing for the users. */
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { aDuckling, randomEmail } from '@/lib/factories/ducklings'
import { codeFor } from '@/lib/factories/outbox'
import { rotateTestSecret } from '@/lib/fixtures/secrets'
import { isOutboxCookie, makeOutboxCookie } from '@/lib/http/dev-outbox'
import { readClock } from '@/lib/kernel/runtime/clock'
import { unknownSubject } from './codes'

const signIn = (email: string, otp: string) => call('POST /beak/signin', { body: { email, otp } })

async function mailedCode(email: string): Promise<string> {
  await call('POST /beak/signin/otp', { body: { email } })
  return codeFor(email)
}

describe('during a rotation of the secret', () => {
  // security: secret-4
  it('accepts a code that was mailed before, once', async () => {
    const { email } = await aDuckling()
    const otp = await mailedCode(email)
    rotateTestSecret()
    expect((await signIn(email, otp)).status).toBe(200)
    expect((await signIn(email, otp)).status).toBe(401)
  })

  it('rejects a code that was mailed before when the previous secret was removed', async () => {
    const { email } = await aDuckling()
    const otp = await mailedCode(email)
    rotateTestSecret().forgetPrevious()
    expect((await signIn(email, otp)).status).toBe(401)
    expect((await signIn(email, await mailedCode(email))).status).toBe(200)
  })

  // security: secret-4
  it('keeps sessions and the cookie of the development outbox valid', async () => {
    const { token } = await aDuckling()
    const cookie = makeOutboxCookie(readClock())
    const { forgetPrevious } = rotateTestSecret()
    expect((await call('GET /beak/profile', { token })).status).toBe(200)
    expect(isOutboxCookie(cookie, readClock())).toBe(true)
    expect(isOutboxCookie(`${cookie}x`, readClock())).toBe(false)
    forgetPrevious()
    expect((await call('GET /beak/profile', { token })).status).toBe(200)
    expect(isOutboxCookie(cookie, readClock())).toBe(false)
  })

  it('returns the next page of a list for a cursor from before', async () => {
    const { token } = await aDuckling()
    for (let n = 0; n < 2; n++) await aDuckling({ tier: 'T1' })
    const page = await call('GET /beak/spaceducks?limit=1', { token })
    const cursor = encodeURIComponent(page.body.next_cursor)
    rotateTestSecret()
    expect((await call(`GET /beak/spaceducks?limit=1&cursor=${cursor}`, { token })).status).toBe(200)
  })

  it.each([
    ['codes', 'signin', (email: string) => signIn(email, '000000')],
    [
      'passwords',
      'password',
      (email: string) => call('POST /beak/signin', { body: { email, password: 'wrong wrong wrong' } }),
    ],
  ] as const)('does not reset the count of wrong %s for an unknown address', async (_, purpose, wrong) => {
    const email = randomEmail()
    for (let n = 0; n < 3; n++) expect((await wrong(email)).status).toBe(401)
    const before = unknownSubject(email)
    rotateTestSecret()
    await Promise.all(Array.from({ length: 2 }, () => wrong(email)))
    const guard = (subject: string) =>
      db().otpGuard.findUnique({ where: { subject_purpose: { subject, purpose } } })
    expect(await guard(unknownSubject(email))).toMatchObject({ failures: 5 })
    expect(await guard(before)).toBeNull()
  })
})
