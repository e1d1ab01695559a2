/** The pages of the room "You" as a new person with a passkey sees them: how much there is, and the switch "I build or host". */
import type { Page } from '@playwright/test'
import { button, expectText, heading, open, openUnfolded, tokenOf, withAuthenticator } from './browser'
import { security } from './controls/account'
import { expect, test } from './fixtures'
import { profileOf } from './people'
import { send } from './server'

const pages = ['/you', '/profile', '/certificate', '/security', '/notifications', '/invitations', '/account']

/** Counts what a person can fill in and press on a page without opening a fold. */
async function countControls(page: Page) {
  const main = page.getByRole('main')
  const field = main.locator('input:not([type=hidden]), select, textarea').filter({ visible: true })
  const pressed = main.locator('button, a[class*="rounded-control"]').filter({ visible: true })
  return { fields: await field.count(), buttons: await pressed.count() }
}

test('the settings have at most 20 fields and 15 buttons before the switch', async ({
  ownPage: page,
  person,
  server,
}) => {
  await withAuthenticator(page)
  await send(server, 'POST /beak/cert/issue', { token: person.token })
  await open(page, '/security')
  await security.addPasskey(page).click()
  await expectText(page, security.passkeyAdded)
  const sums = { fields: 0, buttons: 0 }
  const counted: Record<string, object> = {}
  for (const path of pages) {
    await open(page, path)
    const count = await countControls(page)
    counted[path] = count
    sums.fields += count.fields
    sums.buttons += count.buttons
  }
  test.info().annotations.push({ type: 'counts', description: JSON.stringify({ sums, counted }) })
  expect(sums.fields, JSON.stringify(counted)).toBeLessThanOrEqual(20)
  expect(sums.buttons, JSON.stringify(counted)).toBeLessThanOrEqual(15)
})

test('the room "You" says how things stand, and each part leads to its page', async ({
  ownPage: page,
  server,
}) => {
  await send(server, 'POST /beak/cert/issue', { token: await tokenOf(page) })
  await open(page, '/you')
  await expectText(page, 'No passkey yet. Signed in on this device only.')
  await expectText(page, 'Every request: Mail.')
  await expectText(page, /Valid, issued .* It says: email confirmed\./)
  for (const [name, title] of [
    ['Change Profile', 'Profile'],
    ['View Certificate', 'Certificate'],
    ['Manage Security', 'Security'],
    ['Change Notifications', 'Notifications'],
    ['Manage Data', 'Data'],
  ] as const) {
    await open(page, '/you')
    await page.getByRole('link', { name }).click()
    await heading(page, title, 1).waitFor()
  }
})

test.describe('the switch "I build or host"', () => {
  const settings = (page: Page) => page.getByRole('navigation', { name: 'You', exact: true })

  test('is off for a new person, turns on by opening a page for builders, and can be turned off', async ({
    ownPage: page,
    person,
    server,
  }) => {
    const isOn = async () => (await profileOf(server, person)).builder
    await open(page, '/profile')
    await expect(settings(page).getByRole('link', { name: 'Webhooks' })).toHaveCount(0)
    await open(page, '/security')
    await expect(page.getByText('Approver')).toHaveCount(0)
    const goTo = page.getByRole('status').filter({ hasText: 'Go to …' })
    await page.keyboard.press('g')
    await expect(goTo).not.toContainText('Webhooks')
    await page.keyboard.press('w')
    await expect(goTo).toHaveCount(0)
    expect(new URL(page.url()).pathname).toBe('/security')

    // A read without a page, such as a prefetch or a crawler with the cookie, changes nothing.
    expect((await page.request.get('/webhooks')).status()).toBe(200)
    expect(await isOn()).toBe(false)

    await open(page, '/webhooks')
    await expect.poll(isOn).toBe(true)
    await expect(settings(page).getByRole('link', { name: 'Sites you run' })).toBeVisible()
    await openUnfolded(page, '/security')
    await expect(button(page, 'Open the approver')).toBeVisible()
    await page.keyboard.press('g')
    await expect(goTo).toContainText('Webhooks')
    await page.keyboard.press('t')
    await page.waitForURL('**/sites')

    await open(page, '/you')
    await button(page, 'Turn off').click()
    await expect(button(page, 'Turn on')).toBeVisible()
    expect(await isOn()).toBe(false)
    await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Clients' })).toHaveCount(0)
  })

  test('shows programmers the checks on public pages, which are folded for others', async ({
    newPage,
    person,
    server,
  }) => {
    const { body } = await send(server, 'POST /beak/cert/issue', { token: person.token })
    const page = await newPage({})
    await open(page, `/verify/${body.cert_id}`)
    await expect(page.getByText('For experts')).toBeVisible()
    await expect(button(page, 'Copy HTML')).toBeHidden()
    await page.getByText('For experts').click()
    await expect(button(page, 'Copy HTML')).toBeVisible()
    await send(server, 'POST /beak/profile/update', { token: person.token, body: { builder: true } })
    const own = await newPage({ as: person })
    await open(own, `/verify/${body.cert_id}`)
    await expect(button(own, 'Copy HTML')).toBeVisible()
  })
})
