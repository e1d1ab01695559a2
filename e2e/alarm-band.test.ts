/** Two browsers of one account: what one changes without a passkey, the other asks about. */
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { Locator, Page } from '@playwright/test'
import { button, expectText, heading, open, tokenOf } from './browser'
import { test as base, expect } from './fixtures'
import { anAgent, anotherSession, aPerson, type Person, statusOf } from './people'
import { type Server, send, startServer } from './server'

/** A server with people whose accounts are older than a day: a younger account is only told. */
const test = base.extend<object, { oldAccounts: { server: Server; people: Person[] } }>({
  oldAccounts: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const first = await startServer()
      const people = [
        await aPerson(first, 'Mallard'),
        await aPerson(first, 'Teal'),
        await aPerson(first, 'Gadwall'),
      ]
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

/** Expects how long ago it was, with the whole time for programs and in the title. */
async function expectDistance(time: Locator): Promise<void> {
  await expect(time).toHaveText(/^(just now|\d+ seconds? ago)$/)
  await expect(time).toHaveAttribute('datetime', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  await expect(time).toHaveAttribute('title', /\d{1,2} \w{3} \d{4}, \d\d:\d\d UTC/)
}

test('"It was me" ends the question in this browser only, until the next change', async ({
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
  await expect(band(page)).toHaveText(
    new RegExp(`Webhook to "${host}" added (just now|\\d+ seconds? ago) on an unknown device. Was it you\\?`),
  )
  await expect(band(page)).not.toContainText('WHK-')
  await expectDistance(band(page).getByRole('time'))
  await button(page, 'It was me').click()
  await expect(band(page)).toHaveCount(0)
  await open(page, '/pecks')
  await expect(band(page)).toHaveCount(0)

  await open(thirdPage, '/home')
  await expect(band(thirdPage)).toContainText('an unknown device')
  await open(otherPage, '/home')
  await expect(band(otherPage)).toHaveCount(0)

  await createWebhook(server, await tokenOf(otherPage))
  await open(page, '/home')
  await expect(band(page)).toContainText('an unknown device')
})

test('the band counts the minutes while its page stays open', async ({
  server,
  oldAccounts: { people },
  newPage,
}) => {
  const person = people[2] as Person
  await createWebhook(server, (await anotherSession(server, person)).token)
  const page = await newPage({ as: person })
  await page.clock.install()
  await open(page, '/home')
  await expectDistance(band(page).getByRole('time'))
  await page.clock.fastForward('11:00')
  await expect(band(page).getByRole('time')).toHaveText('11 minutes ago')
})

test('"Not all were me" leads to each session with its changes, and to one button that signs it out', async ({
  server,
  oldAccounts: { people },
  newPage,
}) => {
  const [, person] = people as [Person, Person]
  const page = await newPage({ as: person })
  const [thief, other] = [await anotherSession(server, person), await anotherSession(server, person)]
  await open(page, '/home')
  await createWebhook(server, other.token)
  await anAgent(server, thief, { agent_name: 'Cuckoo' })
  await createWebhook(server, thief.token)
  // An open page shows the changes at once. An answer is one about all that it showed.
  await expect(band(page)).toContainText(/3 changes from other devices. Were they you\? .+ and 2 others/)
  // One click vouches only for what is shown.
  await expect(band(page).getByRole('button')).toHaveCount(0)
  await band(page).getByRole('link', { name: 'Check changes' }).click()
  await expect(heading(page, 'Recent changes', 1)).toBeVisible()
  await expect(button(page, 'All 3 were me')).toBeVisible()
  await button(page, 'Not all were me').click()
  await expect(button(page, 'Everything is fixed')).toBeVisible()
  await expect(band(page).getByRole('button')).toHaveCount(0)
  await expect(heading(page, 'Somebody else changed your account?', 2)).toBeVisible()

  const sessions = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading') })
  await expect(sessions).toHaveCount(2)
  const two = sessions.filter({ hasText: 'Agent "Cuckoo" added' })
  await expect(two.getByRole('listitem')).toHaveCount(2)
  await expect(two).toContainText(`Webhook to "${host}" added`)
  await expect(two).toContainText('Still signed in')
  await expect(two).toContainText(/Signed in (just now|\d+ seconds ago) from /)
  await expect(sessions.getByRole('button')).toHaveCount(2)
  // Two webhooks have the host: the link leads to the one of this device.
  await expect(two.getByRole('link', { name: 'Open agent' })).toHaveAttribute(
    'href',
    /^\/agents\/manage\/AGT-/,
  )
  await expect(two.getByRole('link', { name: 'Open webhook' })).toHaveAttribute('href', /^\/webhooks\/WHK-/)

  await two.getByRole('button', { name: /^Sign out device/ }).click()
  await expectText(page, /Signed out: Unknown device, signed in .+ from .+\./)
  await expect(two).toContainText('Signing out did not undo these. Check each one.')
  await expect(two.getByRole('button')).toHaveCount(0)
  await expect(sessions.getByRole('button')).toHaveCount(1)
  expect(await statusOf(server, thief.token)).toBe(401)
  expect(await statusOf(server, other.token)).toBe(200)
  expect(await statusOf(server, person.token)).toBe(200)

  // A closed page loses nothing: the reminder stays in the band until the person ends it.
  await open(page, '/home')
  await expect(band(page)).toContainText('You reported changes that you did not make.')
  await expect(band(page).getByRole('button')).toHaveCount(0)
  await band(page).getByRole('link', { name: 'Finish securing your account' }).click()
  await button(page, 'Everything is fixed').click()
  await expect(band(page)).toHaveCount(0)
  await open(page, '/home')
  await expect(band(page)).toHaveCount(0)
})
