/** A site signs people in with Beak: it is registered on a page, a person signs in there, sees where, and ends it. */
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { button, expectAccessible, expectText, open, openUnfolded, sidewaysOf, violationsOf } from './browser'
import { expect, test } from './fixtures'

const { BEAK_SCREENSHOTS: folder } = process.env

/** Looks at a page in light and dark, wide and at 320 px. */
async function look(page: Page, name: string): Promise<void> {
  await expectAccessible(page)
  const shoot = async (form: string) => {
    if (folder !== undefined)
      await page.screenshot({ path: join(folder, `${name}-${form}.png`), fullPage: true })
  }
  await shoot('desktop')
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await sidewaysOf(page)).toBe(0)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violationsOf(page)).toEqual([])
  await shoot('phone-dark')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
}

test('a person signs in at a site, sees what it knows, and ends it', async ({
  ownPage: page,
  newPage,
  person,
  server,
}) => {
  let gotCode: (target: URL) => void = () => undefined
  const shop = createServer((request, response) => {
    gotCode(new URL(request.url ?? '/', 'http://127.0.0.1'))
    response.setHeader('Content-Type', 'text/html').end('<!DOCTYPE html><title>Shop</title>Hello.')
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(shop.address() as AddressInfo).port}`
  const redirect = `http://${host}/callback`

  await open(page, '/sites')
  await look(page, 'sites-none')
  await page.getByLabel('Name of the site').fill('Shop')
  await page.getByLabel('After a sign-in, people go back to').fill(redirect)
  await button(page, 'Register the site').click()
  const made = page.getByRole('region', { name: 'Give these to your site' })
  await expect(made).toBeVisible()
  const texts = await made.locator('pre').allTextContents()
  const [clientId = '', secret = ''] = texts
  await look(page, 'sites-registered')
  await button(page, "I've saved it").click()

  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirect,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    scope: 'openid profile email tier handle certificate',
    state: 'kept',
  })
  const stranger = await newPage()
  await open(stranger, `${server.url}/oauth/authorize?${query}`)
  // Both ways are in view: somebody with an account does not sign up first.
  await expect(stranger.getByRole('main').getByRole('link', { name: 'Sign in' })).toBeInViewport()
  await expect(stranger.getByLabel('Your name')).toBeInViewport()
  await look(stranger, 'site-stranger')

  await open(page, `${server.url}/oauth/authorize?${query}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Sign in to ${host}?`)
  await expectText(page, person.email)
  await expectText(page, 'The site also asks for your handle. You have none')
  await expect(page.getByLabel('Your handle')).toHaveCount(0)
  await expect(page.locator('[data-room-nav] [aria-current]')).toHaveCount(0)
  await look(page, 'site-sheet')
  await expect(page.getByLabel('Your email address')).not.toBeChecked()
  await page.getByLabel('Your email address').check()
  const code = new Promise<URL>((resolve) => {
    gotCode = resolve
  })
  await button(page, 'Sign in').click()
  const target = await code
  await expect(page).toHaveTitle('Shop')
  expect(target.searchParams.get('state')).toBe('kept')
  const tokens = await (
    await fetch(`${server.url}/oauth/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: target.searchParams.get('code') ?? '',
        redirect_uri: redirect,
        code_verifier: verifier,
      }),
    })
  ).json()
  const asked = () =>
    fetch(`${server.url}/oauth/userinfo`, { headers: { Authorization: `Bearer ${tokens.access_token}` } })
  const told = await (await asked()).json()
  expect(told).toMatchObject({ email: person.email, email_verified: true, tier: 'T1' })
  expect(told).not.toHaveProperty('preferred_username')

  await openUnfolded(page, '/security')
  const sites = page.getByRole('region', { name: 'Sites you sign in to' })
  await expect(sites).toContainText(host)
  await expect(sites).toContainText('your name, your email address and what you have confirmed')
  await look(page, 'site-security')
  await sites.getByRole('button', { name: 'End' }).click()
  await expectText(page, 'The site learns nothing more')
  expect((await asked()).status).toBe(401)

  await open(page, '/sites')
  await page.locator('summary').getByText('Change').click()
  await look(page, 'sites-one')
  await button(page, 'Delete this site').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete this site' }).click()
  await expectText(page, 'The site was deleted.')
  await open(page, '/connect/signed-out')
  await look(page, 'site-signed-out')
  await open(page, `/oauth/logout?client_id=${clientId}&post_logout_redirect_uri=https://evil.example/`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign out of a site?')
  await look(page, 'site-asked-to-sign-out')
  shop.closeAllConnections()
  shop.close()
})
