/** The passkey functions of the TypeScript client, in Chromium on a page of the service. */
import type { Beak } from '@beak/client'
import type * as passkeyFunctions from '@beak/client/passkeys'
import { verifyOutcome } from '@beak/client/verify'
import type { Page } from '@playwright/test'
import { buildSync } from 'esbuild'
import { randomPhone } from '@/lib/fixtures/accounts'
import { test as base, expect } from './fixtures'
import { aBondedAgent, confirmPhone } from './people'
import { send } from './server'

/** What the bundle makes global. */
interface ClientInPage {
  Beak: typeof Beak
  passkeys: typeof passkeyFunctions
}
declare const beakClient: ClientInPage

const bundle = buildSync({
  stdin: {
    contents: "export { Beak } from '@beak/client'; export * as passkeys from '@beak/client/passkeys'",
    resolveDir: process.cwd(),
  },
  bundle: true,
  format: 'iife',
  globalName: 'beakClient',
  write: false,
}).outputFiles[0]?.text

/** A page with the client and an authenticator. */
const test = base.extend<{ clientPage: Page }>({
  clientPage: async ({ page, passkeys: _ }, use) => {
    await page.goto('/verify')
    await page.evaluate(bundle ?? '')
    await use(page)
  },
})

/** Registers a passkey for the person with this token. */
const register = (page: Page, token: string) =>
  page.evaluate(
    (sent) =>
      beakClient.passkeys.registerPasskey(
        new beakClient.Beak({ url: location.origin, token: sent }),
        'My laptop',
      ),
    token,
  )

test.describe('the client in a browser', () => {
  test('registers a passkey and signs in with it', async ({ clientPage: page, person, server }) => {
    expect(await register(page, person.token)).toMatchObject({ name: 'My laptop', user_verified: true })
    const { token, duckling_id } = await page.evaluate(() =>
      beakClient.passkeys.signInWithPasskey(new beakClient.Beak({ url: location.origin })),
    )
    expect(duckling_id).toBe(person.id)
    expect((await send(server, 'GET /beak/profile', { token })).status).toBe(200)
  })

  test('confirms a session, and approves a request so that the receipt has the signature', async ({
    clientPage: page,
    person,
    server,
  }) => {
    // A session without the proof of a passkey registers no agent once there is one.
    const { key } = await aBondedAgent(server, person)
    await register(page, person.token)
    const { body: peck } = await send(server, 'POST /beak/peck/request', {
      key,
      body: { target_duckling_id: person.id, action: 'send:email', scope: 'limited' },
    })
    const [confirmed, approved] = await page.evaluate(
      async ([token = '', peck_id = '']) => {
        const beak = new beakClient.Beak({ url: location.origin, token })
        const { confirmWithPasskey, approveWithPasskey } = beakClient.passkeys
        return [
          await confirmWithPasskey(beak),
          await approveWithPasskey(beak, { peck_id, statement_version: 1 }),
        ] as const
      },
      [person.token, peck.peck_id],
    )
    expect(confirmed.success).toBe(true)
    expect(approved.status).toBe('approved')
    const receipt = await send(server, `GET /beak/peck/receipt?peck_id=${peck.peck_id}`, {
      token: person.token,
    })
    expect(receipt.body.passkey).toMatchObject({ assertion: expect.anything() })
  })

  test('signs an approval and a rejection of version 2, and both receipts verify', async ({
    clientPage: page,
    person,
    server,
  }) => {
    const { key } = await aBondedAgent(server, person)
    await register(page, person.token)
    const ask = async (action: string) => {
      const body = { target_duckling_id: person.id, action, scope: 'limited' }
      return (await send(server, 'POST /beak/peck/request', { key, body })).body.peck_id
    }
    const ids = [await ask('send:email'), await ask('send:letter')]
    await page.evaluate(
      async ([token = '', approved = '', rejected = '']) => {
        const beak = new beakClient.Beak({ url: location.origin, token })
        const { approveWithPasskey, rejectWithPasskey } = beakClient.passkeys
        await approveWithPasskey(beak, { peck_id: approved, statement_version: 2 })
        await rejectWithPasskey(beak, { peck_id: rejected, reason: 'Too late' })
      },
      [person.token, ...ids],
    )
    const verdicts = await Promise.all(
      ids.map(async (id) => {
        const { body } = await send(server, `GET /beak/peck/outcome?peck_id=${id}`, { token: person.token })
        return verifyOutcome(body, {
          issuer: server.url,
          require: 'signed',
          outcome: ['approved', 'rejected'],
        })
      }),
    )
    expect(verdicts).toMatchObject([
      { ok: true, facts: { outcome: 'approved', passkey: { verifiedUser: true } } },
      { ok: true, facts: { outcome: 'rejected', passkey: { verifiedUser: true } } },
    ])
  })

  test('raises a person from T2 to T3', async ({ clientPage: page, person, server }) => {
    await confirmPhone(server, person, randomPhone())
    await register(page, person.token)
    const elevated = await page.evaluate(
      (token) => beakClient.passkeys.elevateWithPasskey(new beakClient.Beak({ url: location.origin, token })),
      person.token,
    )
    expect(elevated).toEqual({ status: 'elevated', trust_tier: 'T3' })
  })

  test('throws the error of the library when the person closes the prompt', async ({
    clientPage: page,
    passkeys,
    person,
  }) => {
    await passkeys.confirm(false)
    await expect(register(page, person.token)).rejects.toThrow(/NotAllowedError|not allowed|timed out/i)
  })
})
