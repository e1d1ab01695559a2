/** The sign-in of a device: a person enters its code on a page, sees the device, and approves or denies it. */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import {
  addPasskey,
  button,
  expectAccessible,
  expectFocusOn,
  expectText,
  link,
  open,
  sidewaysOf,
  violationsOf,
} from './browser'
import { security } from './controls/account'
import { expect, test } from './fixtures'
import { anotherSession, aPerson, statusOf } from './people'
import { type Server, send } from './server'

const { BEAK_SCREENSHOTS: folder } = process.env

const authorize = async (server: Server) =>
  (await send(server, 'POST /beak/device/authorize', { body: { client_name: 'beak on laptop' } })).body

const poll = (server: Server, { device_code }: { device_code: string }) =>
  send(server, 'POST /beak/device/token', { body: { device_code } })

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code on your device').fill(code)
  await button(page, 'Continue').click()
}

test('a typed code leads to the device, and the approval to a session with its name', async ({
  ownPage: page,
  server,
}) => {
  const codes = await authorize(server)
  await open(page, '/device')
  await enterCode(page, codes.user_code.toLowerCase().replace('-', ' '))
  await expectFocusOn(page, 'Let “beak on laptop” sign in as you?')
  await expectText(page, codes.user_code)
  await button(page, 'Approve').click()
  await expectFocusOn(page, 'Device approved')
  const { status, body } = await poll(server, codes)
  expect([status, await statusOf(server, body.token)]).toEqual([200, 200])
  await link(page, 'See where you are signed in').click()
  await expect(page.getByRole('heading', { name: 'beak on laptop' })).toBeVisible()
  await security.endSession(page).click()
  await expectText(page, /Signed out: “beak on laptop”, signed in .+\./)
  expect(await statusOf(server, body.token)).toBe(401)
})

test('the link of a device has its code, and a denied device gets nothing', async ({
  ownPage: page,
  server,
}) => {
  const codes = await authorize(server)
  await open(
    page,
    new URL(codes.verification_uri_complete).pathname + new URL(codes.verification_uri_complete).search,
  )
  await expect(page.getByLabel('Code on your device')).toHaveValue(codes.user_code)
  await button(page, 'Continue').click()
  await button(page, 'Deny').click()
  await expectFocusOn(page, 'Device denied')
  const { status, body } = await poll(server, codes)
  expect([status, body.current_status]).toEqual([409, 'denied'])
})

test('the approval of a device that has not signed in is taken back on the security page', async ({
  ownPage: page,
  server,
}) => {
  const codes = await authorize(server)
  await open(page, '/device')
  await enterCode(page, codes.user_code)
  await button(page, 'Approve').click()
  await expectFocusOn(page, 'Device approved')
  await link(page, 'See where you are signed in').click()
  await security.takeBackApproval(page).click()
  await expectText(page, 'The approval was taken back.')
  await expectAccessible(page)
  const { status, body } = await poll(server, codes)
  expect([status, body.current_status]).toEqual([409, 'denied'])
})

test('an unknown code is refused at its field, and keeps what was typed', async ({ ownPage: page }) => {
  await open(page, '/device')
  await enterCode(page, 'BBBB-BBBB')
  const field = page.getByLabel('Code on your device')
  await expect(field).toHaveAccessibleDescription(/No device is waiting with this code/)
  await expect(field).toHaveValue('BBBB-BBBB')
  await expect(field).toBeFocused()
})

// security: device-1
test('a person with a passkey confirms with it before the device is shown', async ({
  ownPage: page,
  person,
  passkeys,
  server,
}) => {
  await addPasskey(server, person, passkeys)
  const codes = await authorize(server)
  await passkeys.confirm(false)
  await open(page, '/device')
  await enterCode(page, codes.user_code)
  await expect(button(page, 'Confirm with passkey')).toBeVisible()
  await expect(page.getByText('beak on laptop')).toHaveCount(0)
  await passkeys.confirm(true)
  await button(page, 'Confirm with passkey').click()
  await button(page, 'Approve').click()
  await expectFocusOn(page, 'Device approved')
})

test('a visitor signs in first, and comes back to the code', async ({ page, server }) => {
  const { user_code } = await authorize(server)
  await open(page, `/device?user_code=${user_code}`)
  const next = new URL(page.url()).searchParams.get('next')
  expect([new URL(page.url()).pathname, next]).toEqual(['/signin', `/device?user_code=${user_code}`])
})

// security: device-3
test('a device cannot approve another device', async ({ newPage, server }) => {
  const person = await aPerson(server, 'Teal')
  const first = await authorize(server)
  const { token } = await anotherSession(server, person)
  await send(server, 'POST /beak/device/approve', { token, body: { user_code: first.user_code } })
  const device = (await poll(server, first)).body
  const page = await newPage({ as: { token: device.token } })
  await open(page, '/device')
  await enterCode(page, (await authorize(server)).user_code)
  await expectText(page, 'This needs a sign-in in the last 10 minutes.')
  await expect(link(page, 'Sign in again')).toBeVisible()
})

test('every step is accessible and fits the screen, also on a phone', async ({ ownPage: page, server }) => {
  const codes = await authorize(server)
  await open(page, '/device')
  await enterCode(page, codes.user_code)
  for (const step of ['Let “beak on laptop” sign in as you?', 'Device approved']) {
    if (step === 'Device approved') await button(page, 'Approve').click()
    await expectFocusOn(page, step)
    for (const size of [
      { width: 320, height: 700 },
      { width: 1280, height: 900 },
    ]) {
      await page.setViewportSize(size)
      if (folder)
        await page.screenshot({
          path: join(folder, `device-${step.slice(0, 6)}-${size.width}.png`),
          fullPage: true,
        })
      expect(await sidewaysOf(page)).toBe(0)
      await expectAccessible(page)
    }
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violationsOf(page, { only: ['color-contrast'] })).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
  }
})
