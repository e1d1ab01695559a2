/** The mail about a sign-in from a new kind of device (security bar, item 13). */
import { expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'

async function signIn({ email }: ADuckling, userAgent: string): Promise<void> {
  await call('POST /beak/signin/otp', { body: { email } })
  const body = { email, otp: await codeFor(email) }
  const { status } = await call('POST /beak/signin', { body, headers: { 'User-Agent': userAgent } })
  expect(status).toBe(200)
}

const noticesTo = async ({ email }: ADuckling) =>
  (await sentTo(email)).filter(({ kind }) => kind === 'new_device').map(({ text }) => text)

it('mails the owner about a sign-in from a new kind of device, and not about a known one', async () => {
  const duckling = await aDuckling()
  expect(await noticesTo(duckling)).toEqual([])
  await signIn(duckling, 'Thief/1.0')
  const mails = await noticesTo(duckling)
  expect(mails).toEqual([expect.stringContaining('sign-in to your account from a new device')])
  await signIn(duckling, 'Thief/1.0')
  expect(await noticesTo(duckling)).toEqual(mails)
  // A second notice within ten minutes would wait in this table.
  const waiting = await db().notice.findMany({ where: { ducklingId: duckling.id, kind: 'new_device' } })
  expect(waiting.map(({ count }) => count)).toEqual([0])
})
