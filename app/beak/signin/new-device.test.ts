/** The mail about a sign-in from a device that is not known (security bar, check-13). */
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { aPasskey } from '@/lib/factories/passkeys'

const headers = { 'User-Agent': 'Owner/1.0' }

/** Signs in with a code and returns the device token. */
async function signIn({ email }: ADuckling, device_token?: string): Promise<string> {
  const device = device_token === undefined ? {} : { device_token }
  await call('POST /beak/signin/otp', { body: { email, ...device } })
  const body = { email, otp: await codeFor(email), ...device }
  const answer = await call('POST /beak/signin', { body, headers })
  expect(answer.status).toBe(200)
  return answer.body.device_token
}

async function signInWithPasskey(
  { authenticator }: Awaited<ReturnType<typeof aPasskey>>,
  device_token?: string,
): Promise<void> {
  const { body } = await call('POST /beak/passkey/login/options')
  const device = device_token === undefined ? {} : { device_token }
  const login = { body: { credential: authenticator.get(body), ...device }, headers }
  expect((await call('POST /beak/passkey/login', login)).status).toBe(200)
}

/** How many sign-ins the owner was mailed about, or will be in the next collected mail. */
async function noticesTo({ id, email }: ADuckling): Promise<number> {
  const mails = (await sentTo(email)).filter(({ kind }) => kind === 'new_device')
  const [waiting] = await db().notice.findMany({ where: { ducklingId: id, kind: 'new_device' } })
  return mails.length + (waiting?.count ?? 0)
}

describe('the mail about a new sign-in', () => {
  // security: mail-15, check-13
  it('mails the owner about a sign-in from a device that is not known, also with the user agent of the owner', async () => {
    const duckling = await aDuckling()
    expect(await noticesTo(duckling)).toBe(0)
    await signIn(duckling)
    const mails = (await sentTo(duckling.email)).filter(({ kind }) => kind === 'new_device')
    expect(mails.map(({ text }) => text)).toEqual([
      expect.stringContaining('from a device that we have not seen before'),
    ])
    await signIn(duckling)
    expect(await noticesTo(duckling)).toBe(2)
  })

  it('is not sent for a known device, and is for the token of another account', async () => {
    const [duckling, other] = [await aDuckling(), await aDuckling()]
    const token = await signIn(duckling)
    await signIn(duckling, token)
    expect(await noticesTo(duckling)).toBe(1)
    await signIn(duckling, await signIn(other))
    expect(await noticesTo(duckling)).toBe(2)
  })

  it('is sent for a passkey too, unless the device is known', async () => {
    const duckling = await aDuckling()
    const passkey = await aPasskey(duckling)
    const token = await signIn(duckling)
    await signInWithPasskey(passkey, token)
    expect(await noticesTo(duckling)).toBe(1)
    await signInWithPasskey(passkey)
    expect(await noticesTo(duckling)).toBe(2)
  })
})
