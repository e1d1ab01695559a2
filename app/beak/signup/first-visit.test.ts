import { expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { aDuckling, randomEmail } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'

const berlin = { 'Beak-Time-Zone': 'europe/berlin', 'Accept-Language': 'de-at,de;q=0.9,en;q=0.8' }
const tokyo = { 'Beak-Time-Zone': 'Asia/Tokyo', 'Accept-Language': 'ja' }

const browserOf = (email: string) =>
  db().duckling.findUniqueOrThrow({
    where: { email },
    select: { browserTimeZone: true, browserLanguage: true },
  })

async function signUp(email: string, headers: Record<string, string>): Promise<string> {
  const body = { email, display_name: 'Mallard' }
  return (await call('POST /beak/signup', { body, headers })).body.token
}

async function signIn(email: string, headers: Record<string, string>): Promise<string> {
  await call('POST /beak/signin/otp', { body: { email }, headers })
  const otp = await codeFor(email)
  return (await call('POST /beak/signin', { body: { email, otp }, headers })).body.token
}

it('records the time zone and the language of the browser of the first visit, and keeps them', async () => {
  const email = randomEmail()
  const token = await signUp(email, berlin)
  const first = { browserTimeZone: 'Europe/Berlin', browserLanguage: 'de-AT' }
  expect(await browserOf(email)).toEqual(first)
  await call('POST /beak/verify-email', { token, body: { otp: await codeFor(email) } })
  await signIn(email, tokyo)
  expect(await browserOf(email)).toEqual(first)
  const { body } = await call('GET /beak/account/export', { token })
  expect(body.account).toMatchObject({ browser_time_zone: 'Europe/Berlin', browser_language: 'de-AT' })
  expect((await call('GET /beak/profile/overview', { token })).body.time_zone).toBe('Europe/Berlin')
})

it('records them at the first sign-in of an account that has none', async () => {
  const { email } = await aDuckling()
  await signIn(email, berlin)
  expect(await browserOf(email)).toEqual({ browserTimeZone: 'Europe/Berlin', browserLanguage: 'de-AT' })
})

it.each<Record<string, string>>([
  { 'Beak-Time-Zone': 'Europe/Berlin; DROP', 'Accept-Language': '*' },
  { 'Beak-Time-Zone': '+02:00', 'Accept-Language': `x-${'a'.repeat(40)}` },
  { 'Beak-Time-Zone': 'a'.repeat(65), 'Accept-Language': 'de_AT<script>' },
  { 'Beak-Time-Zone': '', 'Accept-Language': `${'de,'.repeat(400)}` },
])('records nothing malformed: %j', async (headers) => {
  const email = randomEmail()
  await signUp(email, headers)
  expect(await browserOf(email)).toEqual({ browserTimeZone: null, browserLanguage: null })
})

it('removes those of another person who signed up with the address', async () => {
  const email = randomEmail()
  await signUp(email, tokyo)
  await signIn(email, berlin)
  expect(await browserOf(email)).toEqual({ browserTimeZone: 'Europe/Berlin', browserLanguage: 'de-AT' })
})

it('shows the times of notices in that zone, until the person chooses another one', async () => {
  const email = randomEmail()
  const token = await signUp(email, berlin)
  await call('POST /beak/verify-email', { token, body: { otp: await codeFor(email) } })
  await signIn(email, {})
  const notices = async () => (await sentTo(email)).filter(({ kind }) => kind === 'new_device')
  expect((await notices()).at(-1)?.text).toMatch(/When: \d+ \w+ 20\d\d, \d\d:\d\d \(Europe\/Berlin\)/)
})
