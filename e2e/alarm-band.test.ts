/** Two browsers of one account: what one changes without a passkey, the other asks about. */
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { Page } from '@playwright/test'
import { button, expectText, heading, open, tokenOf } from './browser'
import { test as base, expect } from './fixtures'
import { anotherSession, aPerson, type Person, statusOf } from './people'
import { type Server, send, startServer } from './server'

/** A server with people whose accounts are older than a day: a younger account is only told. */
const test = base.extend<object, { oldAccounts: { server: Server; people: Person[] } }>({
  oldAccounts: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const first = await startServer()
      const people = [await aPerson(first, 'Mallard'), await aPerson(first, 'Teal')]
      await first.stop()
      const { dataDir, port } = first
      const database = await PGlite.create(join(dataDir, 'db'))
      await database.exec(`UPDATE "Duckling" SET "createdAt" = now() - interval '3 days'`)
      await database.close()
      const server = await startServer({ dataDir, port })
      await use({ server, people })
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  server: [async ({ oldAccounts }, use) => use(oldAccounts.server), { scope: 'worker' }],
})

const band = (page: Page) => page.getByRole('region', { name: 'Changes of your account' })
const host = 'hooks.example.com'

/** Creates a webhook in a browser that signed in with a code. */
async function createWebhook(server: Server, token: string): Promise<void> {
  const body = { url: `https://${host}/beak` }
  const { status } = await send(server, 'POST /beak/webhook/create', { token, body })
  expect(status).toBe(200)
}

test('"Yes" ends the question in this browser only, until the next change', async ({
  server,
  oldAccounts: { people },
  newPage,
}) => {
  const [person] = people as [Person]
  const [page, otherPage] = [
    await newPage({ as: person }),
    await newPage({ as: await anotherSession(server, person) }),
  ]
  await open(otherPage, '/home')
  await createWebhook(server, await tokenOf(otherPage))
  const thirdPage = await newPage({ as: await anotherSession(server, person) })

  await open(page, '/home')
  await expect(band(page)).toContainText(`The webhook endpoint "${host}" was created.`)
  await expect(band(page)).toContainText('Was this you?')
  await expect(band(page)).not.toContainText('WHK-')
  await button(page, 'Yes').click()
  await expect(band(page)).toHaveCount(0)
  await open(page, '/pecks')
  await expect(band(page)).toHaveCount(0)

  await open(thirdPage, '/home')
  await expect(band(thirdPage)).toContainText('Was this you?')
  await open(otherPage, '/home')
  await expect(band(otherPage)).toHaveCount(0)

  await createWebhook(server, await tokenOf(otherPage))
  await open(page, '/home')
  await expect(band(page)).toContainText('Was this you?')
})

test('"No" leads to the change and to the button that signs out its session', async ({
  server,
  oldAccounts: { people },
  newPage,
}) => {
  const [, person] = people as [Person, Person]
  const page = await newPage({ as: person })
  const thief = await anotherSession(server, person)
  await open(page, '/home')
  await createWebhook(server, thief.token)
  // An open page shows the change at once.
  await expect(band(page)).toContainText(`The webhook endpoint "${host}" was created.`)
  await button(page, 'No').click()
  await expect(heading(page, 'Recent changes', 1)).toBeVisible()
  await expect(band(page)).toHaveCount(0)
  await expect(heading(page, `The webhook endpoint "${host}" was created.`)).toBeVisible()
  await button(page, /^Sign out session/).click()
  await expectText(page, 'One session was signed out.')
  expect(await statusOf(server, thief.token)).toBe(401)
  expect(await statusOf(server, person.token)).toBe(200)
})
