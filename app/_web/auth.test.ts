import { describe, expect, it } from 'vitest'
import { rotateTestSecret } from '@/lib/fixtures/secrets'
import { sha256Hex } from '@/lib/kernel/secrets/secrets'
import { authSecret } from './auth'

/** The CSRF cookie as next-auth makes it. */
const cookieWith = (secret: string) => `token|${sha256Hex(`token${secret}`)}`

describe('the secret of next-auth', () => {
  it('stays the secret that made the CSRF cookie during a rotation, and is the new secret without such a cookie', () => {
    const before = authSecret(undefined)
    expect(authSecret(cookieWith(before))).toBe(before)
    const { forgetPrevious } = rotateTestSecret()
    const current = authSecret(undefined)
    expect(current).not.toBe(before)
    expect(authSecret(cookieWith(before))).toBe(before)
    for (const cookie of [cookieWith(current), cookieWith('forged'), `|${sha256Hex(before)}`, 'token', '|'])
      expect(authSecret(cookie)).toBe(current)
    forgetPrevious()
    expect(authSecret(cookieWith(before))).toBe(current)
  })
})
