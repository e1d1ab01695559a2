/** An invitation link in a browser: its owner makes it, a stranger's agent asks with it. */
import { button, expectAccessible, expectText, open } from './browser'
import { inbox, openInbox } from './controls/inbox'
import { expect, test } from './fixtures'
import { send } from './server'

test('a request of a stranger with a link waits in the first list of the inbox', async ({
  ownPage: page,
  server,
  scout,
}) => {
  await open(page, '/invitations')
  await page.getByText('Name it, or limit it').click()
  await page.getByLabel('Name').fill('For the shop')
  await button(page, 'Make link').click()
  await expectText(page, 'The link is ready')
  await expectAccessible(page)
  const url =
    (await page
      .getByText(/\/ask\/[0-9A-Z]{26}$/)
      .first()
      .textContent()) ?? ''
  const program = await fetch(url, { headers: { accept: 'application/json' } })
  const { target, request_url } = await program.json()
  expect([target, request_url]).toEqual([url, `${server.url}/beak/peck/request`])
  const body = { target, action: 'read:calendar', scope: 'limited' }
  expect((await send(server, 'POST /beak/peck/request', { key: scout.key, body })).status).toBe(200)
  await open(page, new URL(url).pathname)
  await expectText(page, 'This is your own link')
  await expectAccessible(page)
  await openInbox(page)
  await expect(inbox.row(page, 'read:calendar')).toBeVisible()
})
