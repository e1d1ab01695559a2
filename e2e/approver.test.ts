/** The approver and the service together: setting it, approving on it, and what neither a page of the service nor another window can do. */
import type { Page } from '@playwright/test'
import { buildApprover } from '@/packages/approver/build.mjs'
import { answerAddress, readAnswer } from '@/packages/approver/messages'
import { serveApprover } from '@/packages/approver/serve.mjs'
import { freePort } from '@/scripts/servers/free-port.mjs'
import {
  addPasskey,
  button,
  expectAccessible,
  expectText,
  open,
  openUnfolded,
  withAuthenticator,
} from './browser'
import { test as base, expect } from './fixtures'
import type { Person } from './people'
import { type Server, send } from './server'

let built: ReturnType<typeof buildApprover> | undefined

const test = base.extend<{ approver: string; askHigh: (name?: string) => Promise<string> }>({
  approver: async ({ server: _ }, use) => {
    built ??= buildApprover(process.cwd())
    const served = await serveApprover(await built, await freePort())
    await use(served.url)
    served.close()
  },
  askHigh: async ({ ask }, use) => use((name = 'customers-production') => ask('delete:database', { name })),
})

const main = (page: Page) => page.getByRole('main')

const getPeck = async (server: Server, { token }: Person, peckId: string) =>
  (await send(server, `GET /beak/peck/status?peck_id=${peckId}`, { token })).body

const receiptOf = async (server: Server, { token }: Person, peckId: string) =>
  (await send(server, `GET /beak/peck/outcome?peck_id=${peckId}`, { token })).body

/** Opens a request and leaves for the approver with a button of its page. */
async function leaveWith(page: Page, peckId: string, name: RegExp, approver: string): Promise<void> {
  await open(page, `/pecks/${peckId}`)
  await main(page).getByRole('button', { name }).first().click()
  await page.waitForURL(`${approver}/**`)
}
const rejectThere = /^Reject on approver.localhost/
const approveThere = /^Approve on approver.localhost/

/** Presses a button of the approver, which ignores a press before a person can have read the page. */
async function press(page: Page, name: string): Promise<void> {
  await expect(button(page, name)).toBeVisible()
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 800)))
  await button(page, name).click()
}

/** Adds a passkey, and sets the approver under Security. */
async function setApprover(page: Page, server: Server, person: Person, origin: string): Promise<void> {
  await addPasskey(server, person, await withAuthenticator(page))
  // The approver is a part for builders.
  await send(server, 'POST /beak/profile/update', { token: person.token, body: { builder: true } })
  await openUnfolded(page, '/security')
  const form = page.getByRole('form', { name: 'Set an approver' })
  await form.getByLabel('Address of the approver').fill(`${origin}/`)
  await button(page, 'Open the approver').click()
  await page.waitForURL(`${origin}/**`)
  await press(page, 'Create passkey')
  await page.waitForURL('**/security/approver')
  await expectText(page, `From now on, you approve high risks on ${origin}.`)
}

test('approves a high risk on its own site, and the receipt names it', async ({
  ownPage: page,
  person,
  server,
  approver,
  askHigh,
}) => {
  await setApprover(page, server, person, approver)
  await expectAccessible(page)

  const peckId = await askHigh()
  await open(page, `/pecks/${peckId}`)
  await expectText(page, 'Your approver signs this approval.')
  await expectAccessible(page)
  await main(page).getByRole('button', { name: approveThere }).click()
  await page.waitForURL(`${approver}/**`)
  await expect(page.getByText('customers-production').first()).toBeVisible()
  await press(page, 'Delete the database “customers-production” with passkey')
  await page.waitForURL(`**/pecks/${peckId}/approver`)
  await expectText(page, 'Approved and signed with your passkey.')
  expect(await receiptOf(server, person, peckId)).toMatchObject({
    version: 3,
    outcome: 'approved',
    statement: { approver },
  })
})

/** Returns the host of an approver, which the buttons name. */
const hostOf = (approver: string) => new URL(approver).host

/** Returns the message in the fragment of the approver's address, as text. */
const sentTo = (page: Page) => Buffer.from(new URL(page.url()).hash.slice(1), 'base64url').toString()

test('rejects on its own site with a reason that the approver does not get, and with one click, or plainly without it', async ({
  ownPage: page,
  person,
  server,
  approver,
  askHigh,
}) => {
  await setApprover(page, server, person, approver)
  // Both are sent before an answer: after a rejection, the agent has to wait.
  const [peckId, next] = [await askHigh(), await askHigh('orders-production')]
  await open(page, `/pecks/${peckId}`)
  await expectText(page, 'You can reject here without it.')
  await page.getByText('Reject with a reason …').click()
  const form = page.getByRole('form', { name: /^Reject with a reason/ })
  await form.getByRole('button', { name: `Reject on ${hostOf(approver)}` }).click()
  await expectText(page, 'Pick a reason or write your own.')
  await form.getByLabel('Your own reason').fill('Ask me on Monday.')
  await expectAccessible(page)
  await form.getByRole('button', { name: `Reject on ${hostOf(approver)}` }).click()
  await page.waitForURL(`${approver}/**`)
  await expect(page.getByRole('heading', { name: 'Reject this request?' })).toBeVisible()
  expect(sentTo(page)).toContain('customers-production')
  expect(sentTo(page)).not.toContain('Monday')
  await press(page, 'Reject with passkey')
  await page.waitForURL(`**/pecks/${peckId}/approver`)
  await expectText(page, 'Rejected and signed with your passkey.')
  await expectAccessible(page)
  expect(await receiptOf(server, person, peckId)).toMatchObject({
    version: 3,
    outcome: 'rejected',
    statement: { approver, decision: 'reject' },
  })
  expect((await getPeck(server, person, peckId)).reason).toBe('Ask me on Monday.')

  await leaveWith(page, next, rejectThere, approver)
  await press(page, 'Go back without signing')
  await page.waitForURL(`**/pecks/${next}/approver`)
  await expectText(page, 'You went back from your approver without a signature.')
  expect((await getPeck(server, person, next)).status).toBe('pending')
  await open(page, `/pecks/${next}`)
  await main(page).getByRole('button', { name: 'Reject', exact: true }).click()
  await expectText(page, 'Rejected.')
})

// security: site-3
test('does not use the answer of one decision for another one', async ({
  ownPage: page,
  person,
  server,
  approver,
  askHigh,
}) => {
  await setApprover(page, server, person, approver)
  const statusOf = async (peckId: string) => (await getPeck(server, person, peckId)).status
  const [one, other] = [await askHigh(), await askHigh('orders-production')]
  await leaveWith(page, one, rejectThere, approver)
  const { state } = JSON.parse(sentTo(page)) as { state: string }
  const answer = { type: 'decided', version: 1, state, credential: { id: 'AAAA' } } as const
  // The answer for one request, taken to the page of another one and to the page of the settings.
  for (const path of [`/pecks/${other}/approver`, '/security/approver']) {
    await page.goto(answerAddress(`${server.url}${path}`, answer))
    await expectText(page, 'There is no answer here that you asked for')
  }
  // An answer of another kind.
  await page.goto(answerAddress(`${server.url}/pecks/${one}/approver`, { ...answer, type: 'enrolled' }))
  await expectText(page, 'There is no answer here that you asked for')
  expect([await statusOf(one), await statusOf(other)]).toEqual(['pending', 'pending'])

  // A real signature of a rejection, brought back when this tab has since asked for an approval.
  await leaveWith(page, one, rejectThere, approver)
  const isAnswer = (url: URL) => url.pathname === `/pecks/${one}/approver`
  await page.route(isAnswer, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
  await press(page, 'Reject with passkey')
  await page.waitForURL(isAnswer)
  const kept = page.url()
  await page.unroute(isAnswer)
  await leaveWith(page, one, approveThere, approver)
  const { state: asked } = JSON.parse(sentTo(page)) as { state: string }
  await page.goto(kept)
  await expectText(page, 'There is no answer here that you asked for')
  // Even with the state of the approval, the service refuses it as an approval.
  const signed = readAnswer(new URL(kept).hash)
  if (signed?.type !== 'decided') throw new Error('not signed')
  await page.goto('/')
  await page.goto(answerAddress(`${server.url}/pecks/${one}/approver`, { ...signed, state: asked }))
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'See the request' })).toBeVisible()
  await expectAccessible(page)
  expect(await statusOf(one)).toBe('pending')
})

// security: site-2
test('takes no answer that this window has not asked for, can be removed after a day, and be kept until then', async ({
  ownPage: page,
  person,
  server,
  approver,
  askHigh,
}) => {
  await setApprover(page, server, person, approver)
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
  expect((await getPeck(server, person, peckId)).status).toBe('pending')

  await openUnfolded(page, '/security')
  await button(page, 'Remove it in 24 hours').click()
  await expectText(page, 'A removal is pending')
  await expectAccessible(page)
  await button(page, 'Keep it').click()
  await expect(button(page, 'Remove it in 24 hours')).toBeVisible()
})
