import { afterEach, expect, it } from 'vitest'
import { config, useConfig } from '@/lib/kernel/config'
import { cookieName } from '@/lib/kernel/request/session-cookie'
import { cookieOptions } from './session-cookie'

const { baseUrl } = config()
afterEach(() => useConfig({ baseUrl }))

// security: check-27
it('limits the session cookie to its host and https, and hides it from scripts', () => {
  useConfig({ baseUrl: 'https://beak.example' })
  expect(cookieName()).toBe('__Host-beak.session')
  expect(cookieOptions()).toEqual({ httpOnly: true, sameSite: 'lax', path: '/', secure: true })
})

it('uses a plain name over http, because browsers refuse the prefix there', () => {
  useConfig({ baseUrl: 'http://localhost:3000' })
  expect(cookieName()).toBe('beak.session')
  expect(cookieOptions()).toMatchObject({ httpOnly: true, sameSite: 'lax', secure: false })
})

// security: check-27
it('limits the session cookie to the path of BASE_URL, with the prefix that allows a path', () => {
  useConfig({ baseUrl: 'https://beak.example/prod' })
  expect(cookieName()).toBe('__Secure-beak.session')
  expect(cookieOptions()).toEqual({ httpOnly: true, sameSite: 'lax', path: '/prod', secure: true })
})
