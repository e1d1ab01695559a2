/** The approver and the service together: setting it, approving on it, and what neither a page of the service nor another window can do. */
import type { Page } from '@playwright/test'
import { buildApprover } from '@/approver/build.mjs'
import { answerAddress } from '@/approver/messages'
import { serveApprover } from '@/approver/serve.mjs'
import { freePort } from '@/scripts/servers/free-port.mjs'
import { addPasskey, button, expectAccessible, expectText, open, withAuthenticator } from './browser'
import { test as base, expect } from './fixtures'
import type { Person } from './people'
import { send } from './server'

const test = base.extend<{ approver: string; askHigh: () => Promise<string> }>({
  approver: async ({ server: _ }, use) => {
    const served = await serveApprover(await buildApprover(process.cwd()), await freePort())
    await use(served.url)
    served.close()
  },
  askHigh: async ({ server, scout, person }, use) =>
    use(async () => {
      const { body } = await send(server, 'POST /beak/peck/request', {
        key: scout.key,
        body: {
          target_duckling_id: person.id,
          action: 'delete:database',
          scope: 'limited',
          params: { name: 'customers-production' },
        },
      })
      return body.peck_id
    }),
})

const main = (page: Page) => page.getByRole('main')

/** Presses a button of the approver, which ignores a press before a person can have read the page. */
async function press(page: Page, name: string): Promise<void> {
  await expect(button(page, name)).toBeVisible()
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 800)))
  await button(page, name).click()
}

/** Adds a passkey, and sets the approver under Security. */
async function setApprover(page: Page, person: Person, origin: string): Promise<void> {
  await withAuthenticator(page)
  await page.goto('/')
  await addPasskey(page, person)
  await open(page, '/security')
  const form = page.getByRole('form', { name: 'Set an approver' })
  await form.getByLabel('Address of the approver').fill(`${origin}/`)
  await button(page, 'Open the approver').click()
  await page.waitForURL(`${origin}/**`)
  await press(page, 'Create passkey')
  await page.waitForURL('**/security/approver')
  await expectText(page, `From now on, ${origin} approves high risks.`)
}

test('approves a high risk on its own site, and the receipt names it', async ({
  ownPage: page,
  person,
  server,
  approver,
  askHigh,
}) => {
  await setApprover(page, person, approver)
  await expectAccessible(page)

  const peckId = await askHigh()
  await open(page, `/pecks/${peckId}`)
  await expectText(page, 'Your approver signs this approval.')
  await expectAccessible(page)
  await main(page)
    .getByRole('button', { name: /^Approve on approver.localhost/ })
    .click()
  await page.waitForURL(`${approver}/**`)
  await expect(page.getByText('customers-production').first()).toBeVisible()
  await press(page, 'Delete the database “customers-production” with passkey')
  await page.waitForURL(`**/pecks/${peckId}/approver`)
  await expectText(page, 'Approved and signed with your passkey.')
  const { body: receipt } = await send(server, `GET /beak/peck/outcome?peck_id=${peckId}`, {
    token: person.token,
  })
  expect(receipt).toMatchObject({ version: 3, outcome: 'approved', statement: { approver } })
})

test('takes no answer that this window has not asked for', async ({
  ownPage: page,
  person,
  server,
  approver,
  askHigh,
}) => {
  await setApprover(page, person, approver)
  const peckId = await askHigh()
  const forged = answerAddress(`${server.url}/pecks/${peckId}/approver`, {
    type: 'decided',
    version: 1,
    state: 'A'.repeat(32),
    credential: { id: 'AAAA' },
  })
  await page.goto(forged)
  await expectText(page, 'There is no answer here that you asked for')
  expect(new URL(page.url()).hash).toBe('')
  await page.goto(`/pecks/${peckId}/approver`)
  await expectText(page, 'There is no answer here that you asked for')
  await expectAccessible(page)
  const { body } = await send(server, `GET /beak/peck/status?peck_id=${peckId}`, { token: person.token })
  expect(body.status).toBe('pending')
})

test('can be removed after a day, and be kept until then', async ({ ownPage: page, person, approver }) => {
  await setApprover(page, person, approver)
  await open(page, '/security')
  await button(page, 'Remove it in 24 hours').click()
  await expectText(page, 'A removal is pending')
  await expectAccessible(page)
  await button(page, 'Keep it').click()
  await expect(button(page, 'Remove it in 24 hours')).toBeVisible()
})
