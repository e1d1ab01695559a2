/** The page on which people choose how requests reach them, with a receiver of the test. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { button, expectAccessible, expectText, open, openUnfolded, tokenOf, unfold } from './browser'
import { test as base, expect } from './fixtures'
import { send } from './server'

interface Receiver {
  url: string
  received: string[]
  /** The status of its next answers. */
  status: number
}

const test = base.extend<{ receiver: Receiver }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  receiver: async ({}, use) => {
    const receiver: Receiver = { url: '', received: [], status: 200 }
    const listener = createServer((request, response) => {
      receiver.received.push(request.url ?? '')
      request.resume()
      response.writeHead(receiver.status).end()
    })
    listener.listen(0, '127.0.0.1')
    await once(listener, 'listening')
    receiver.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
    await use(receiver)
    listener.close()
    listener.closeAllConnections()
  },
})

test('a channel is added, tested, limited to some requests and removed', async ({
  ownPage: page,
  receiver,
  server,
}) => {
  const settings = async () =>
    (await send(server, 'GET /beak/notifications', { token: await tokenOf(page) })).body
  await openUnfolded(page, '/notifications')
  await page.getByText('A free app for push messages. Your own').click()
  const ntfy = page.getByRole('form', { name: 'ntfy', exact: true })
  await ntfy.getByLabel('Address of the topic').fill('not an address')
  await ntfy.getByRole('button', { name: 'Add channel' }).click()
  await expect(ntfy.getByLabel('Address of the topic')).toBeFocused()
  await ntfy.getByLabel('Address of the topic').fill(`${receiver.url}/pond`)
  await ntfy.getByLabel('Name').fill('My phone')
  await ntfy.getByLabel('Include the amount or the target').uncheck()
  await ntfy.getByRole('button', { name: 'Add channel' }).click()
  await expectText(page, 'Added: My phone.')

  await button(page, 'Send a test to My phone').click()
  await expectText(page, 'The test was accepted.')
  expect(receiver.received).toHaveLength(1)
  receiver.status = 500
  await button(page, 'Send a test to My phone').click()
  await expectText(page, 'The test did not arrive.')
  await expectText(page, 'Failing since')

  await page.locator('summary', { hasText: 'Rename My phone' }).press('Enter')
  const rename = page.getByRole('form', { name: 'Rename My phone' })
  await rename.getByLabel('Name').fill('')
  await rename.getByRole('button', { name: 'Save name' }).press('Enter')
  await expect(rename.getByLabel('Name')).toBeFocused()
  await rename.getByLabel('Name').fill('Pocket')
  await rename.getByLabel('Name').press('Enter')
  await expectText(page, 'The channel is now called Pocket.')
  await expect(page.getByRole('heading', { name: 'Pocket' })).toBeVisible()
  await expectAccessible(page)

  await page.locator('summary', { hasText: 'Details Pocket' }).press('Enter')
  const details = page.getByRole('form', { name: 'Details of Pocket' })
  const named = details.getByLabel('Include the amount or the target')
  await expect(details.getByText('Anyone who knows the topic can read it')).toBeVisible()
  await expect(named).not.toBeChecked()
  await named.check()
  await details.getByRole('button', { name: 'Save details' }).click()
  await expect(details.getByText('Saved.')).toBeVisible()
  await page.reload()
  await unfold(page)
  await page.locator('summary', { hasText: 'Details Pocket' }).press('Enter')
  await expect(named).toBeChecked()

  const box = (name: string) => page.getByRole('checkbox', { name, exact: true })
  const routing = page.getByRole('form', { name: 'When should we notify you?' })
  const mailed = (risk: string) => page.getByRole('group', { name: 'Mail' }).getByLabel(`${risk} risks`)
  await expect(mailed('High')).toHaveValue('always')
  await expect(mailed('Medium')).toHaveValue('otherwise')
  await expect(mailed('Low')).toHaveValue('otherwise')
  await box('Low risk: Pocket').uncheck()
  await expectAccessible(page)
  await mailed('Medium').selectOption('Always')
  await routing.getByRole('button', { name: 'Save' }).click()
  await expect(routing.getByText('Saved.')).toBeVisible()
  await page.reload()
  await expect(box('Low risk: Pocket')).not.toBeChecked()
  await expect(box('Medium risk: Pocket')).toBeChecked()
  expect((await settings()).channels.mail).toMatchObject({ requests: 'all', announces: ['high', 'medium'] })
  await open(page, '/you')
  await expectText(page, 'High risks: Mail and Pocket. Medium risks: Mail and Pocket. Low risks: Mail.')
  await openUnfolded(page, '/notifications')
  await mailed('Medium').selectOption('Never')
  await expect(mailed('High')).toBeVisible()
  await expect(mailed('Low')).toBeHidden()
  await mailed('High').selectOption('Never')
  await expect(mailed('Medium')).toBeHidden()
  await expect(page.getByText('Also about requests of my own agents')).toBeHidden()
  await expectAccessible(page)
  await page.reload()

  await unfold(page)
  await page.getByLabel('How long').selectOption('Until a day that I choose')
  await expect(page.getByLabel('Day', { exact: true })).toBeVisible()
  await page.getByRole('form', { name: 'Pause' }).getByRole('button').click()
  await expectText(page, 'Paused until')
  expect(Date.parse((await settings()).paused_until)).toBeGreaterThan(Date.now())
  await button(page, 'End the pause').click()
  await expect(page.getByLabel('How long')).toBeVisible()

  await page.getByLabel('Let people and agents I know see when I open their request').check()
  await routing.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await settings()).shows_seen).toBe(true)

  await button(page, 'Remove Pocket').click()
  await button(page, 'Remove channel').click()
  await expect(button(page, 'Remove Pocket')).toBeHidden()
})

test('a channel gets another name without JavaScript, and the form shows what is wrong', async ({
  ownPage,
  newPage,
  person,
  server,
}) => {
  const body = { kind: 'ntfy', url: 'https://ntfy.example/pond', name: 'My phone' }
  const added = await send(server, 'POST /beak/channel/add', { token: await tokenOf(ownPage), body })
  expect(added.status).toBe(200)
  const page = await newPage({ as: person, javaScriptEnabled: false })
  await page.goto('/notifications')
  await page.locator('summary', { hasText: 'Rename My phone' }).press('Enter')
  const rename = (name: string) => page.getByRole('form', { name: `Rename ${name}` })
  await rename('My phone').getByLabel('Name').fill('')
  await rename('My phone').getByRole('button').click()
  await expect(rename('My phone').getByLabel('Name')).toHaveAttribute('aria-invalid', 'true')
  await rename('My phone').getByLabel('Name').fill('Pocket')
  await rename('My phone').getByRole('button').click()
  await expect(rename('Pocket').getByText('The channel is now called Pocket.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Pocket' })).toBeVisible()
})
