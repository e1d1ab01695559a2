/**
 * Sensitive changes in a browser: where the API asks for a passkey, the page prompts for it and then continues. Also the removal of lost
 * passkeys, and the mailed links that cancel the removal and undo a change of address.
 */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import {
  addPasskey,
  button,
  expectFocusOn,
  expectText,
  heading,
  link,
  open,
  openUnfolded,
  signInAs,
  unfold,
} from './browser'
import { account, profile, security } from './controls/account'
import { agents, registerAgent } from './controls/agents'
import { signIn } from './controls/sign-in'
import { test as base, expect } from './fixtures'
import { codeAfter, codeIn, linkTo } from './outbox'
import { anAddress, anAgent, anotherSession, profileOf, statusOf } from './people'
import { type Server, send } from './server'

/** The person of `ownPage` has a passkey and signed in with a code, so sensitive changes need the passkey. */
const test = base.extend({
  ownPage: async ({ ownPage: page, passkeys, server, person }, use) => {
    await addPasskey(server, person, passkeys)
    await use(page)
  },
})

const passkeysOf = async (server: Server, { token }: { token: string }) =>
  (await send(server, 'GET /beak/passkey/list', { token })).body

/** Asks for the code to a new address, on the profile page. */
async function askForAddressCode(page: Page, address: string): Promise<void> {
  await profile.newAddress(page).fill(address)
  await profile.sendCode(page).click()
}

test.describe('an action that needs a passkey', () => {
  test('asks for the passkey and then saves the entered values', async ({
    ownPage: page,
    person,
    server,
  }) => {
    await openUnfolded(page, '/profile')
    await profile.lowestTier(page).selectOption('T0')
    await profile.saveRequests(page).click()
    await expectText(page, profile.saved)
    expect(await profileOf(server, person)).toMatchObject({ min_peck_tier: 'T0' })
  })

  test('loads the library for passkeys only when it asks for one', async ({ ownPage: page }) => {
    const scripts: string[] = []
    await openUnfolded(page, '/profile')
    await page.waitForLoadState('networkidle')
    page.on('request', (request) => {
      if (/\.js(\?|$)/.test(request.url())) scripts.push(request.url())
    })
    await profile.lowestTier(page).selectOption('T0')
    await profile.saveRequests(page).click()
    await expectText(page, profile.saved)
    expect(scripts.length).toBeGreaterThan(0)
  })

  test('keeps the entered values when the prompt is closed, says what to do, and continues with its button', async ({
    ownPage: page,
    person,
    passkeys,
    server,
  }) => {
    const address = anAddress('pintail')
    await passkeys.confirm(false)
    await openUnfolded(page, '/profile')
    await askForAddressCode(page, address)
    await expectText(
      page,
      `${profile.promptClosed} so nothing was changed. Confirm with your passkey to continue.`,
    )
    await expectFocusOn(page, profile.promptClosed)
    await expect(profile.newAddress(page)).toHaveValue(address)
    await expect(profile.sendCode(page)).not.toHaveAttribute('aria-disabled', 'true')

    await passkeys.confirm(true)
    await page.keyboard.press('Tab')
    await expect(profile.confirm(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await signIn.code(page).fill(await codeIn(server, address))
    await expectText(page, profile.addressChanged(address))
    expect((await profileOf(server, person)).email).toBe(address)
  })

  test('keeps a typed code, which the server never sends back, when the prompt is closed in the second step', async ({
    ownPage: page,
    person,
    passkeys,
    server,
  }) => {
    const address = anAddress('shoveler')
    await openUnfolded(page, '/profile')
    await askForAddressCode(page, address)
    await expect(signIn.code(page)).toBeVisible()
    const otp = await codeIn(server, address)
    // Another session, without a passkey proof, in the same page.
    await signInAs(page.context(), server, await anotherSession(server, person))
    await passkeys.confirm(false)
    await signIn.code(page).fill(otp)
    await expectText(page, profile.promptClosed)
    await expect(signIn.code(page)).toHaveValue(otp)
    await passkeys.confirm(true)
    await profile.confirm(page).click()
    await expectText(page, profile.addressChanged(address))
  })

  test('continues in a dialog: removes a passkey', async ({ ownPage: page, person, server }) => {
    await openUnfolded(page, '/security')
    await security.removePasskey(page).click()
    await security.confirmRemoval(page).click()
    await expectText(page, 'was removed.')
    expect((await passkeysOf(server, person)).items).toEqual([])
  })

  test('registers an agent, rotates its key and makes a new handshake', async ({
    ownPage: page,
    person,
    server,
  }) => {
    await open(page, '/agents/new/key')
    await registerAgent(page, 'Scout')
    const [agent] = (await send(server, 'GET /beak/agent/list', { token: person.token })).body.items
    await signInAs(page.context(), server, await anotherSession(server, person))
    await open(page, `/agents/manage/${agent.agent_id}`)
    await agents.hasKey(page).click()
    await agents.newHandshake(page).click()
    await expectText(page, agents.bondingCommandLabel)
    await signInAs(page.context(), server, await anotherSession(server, person))
    await open(page, `/agents/manage/${agent.agent_id}`)
    await agents.forBuilders(page).click()
    await agents.rotate(page).click()
    await agents.daysLeft(page).fill('7')
    await agents.confirmRotate(page).click()
    await expect(agents.newKey(page)).toBeVisible()
  })

  test('downloads the export', async ({ ownPage: page, person, complaints }) => {
    // The first request is refused, and leads to the prompt.
    complaints.expect(/status of 403/)
    await openUnfolded(page, '/account')
    const download = page.waitForEvent('download')
    await account.download(page).click()
    const exported = JSON.parse(readFileSync(await (await download).path(), 'utf8'))
    expect(exported.profile.duckling_id).toBe(person.id)
    await expectText(page, 'Your data is saved as beak-export.json.')
  })

  test('closes the account', async ({ ownPage: page, person, server }) => {
    await openUnfolded(page, '/account')
    await account.close(page).click()
    await account.typedEmail(page).fill(person.email)
    await account.confirmClose(page).click()
    await page.waitForURL(/\/goodbye\?/)
    expect(await statusOf(server, person.token)).toBe(401)
  })

  test('leads to a fresh sign-in when the account has no passkey, and then back to the page', async ({
    ownPage: page,
    complaints,
  }) => {
    complaints.expect(/status of 403/)
    await page.route('**/api/export', (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          status: 403,
          code: 'E4009',
          detail: 'This needs a sign-in in the last 10 minutes.',
          action: 'Sign in again.',
          required: 'fresh_sign_in',
        }),
      }),
    )
    await openUnfolded(page, '/account')
    await account.download(page).click()
    await expectText(page, 'This needs a sign-in in the last 10 minutes.')
    await link(page, 'Sign in again').click()
    await page.waitForURL(/\/signin\?reason=fresh&next=%2Faccount$/)
    await expectText(page, 'Sign in again to continue')
  })
})

test.describe('without JavaScript', () => {
  test('says that the confirmation needs a passkey and JavaScript, and keeps the entered values', async ({
    ownPage: _,
    newPage,
    person,
  }) => {
    const page = await newPage({ as: person, javaScriptEnabled: false })
    const address = anAddress('garganey')
    await page.goto('/profile')
    await askForAddressCode(page, address)
    // By its element: Playwright finds no text inside noscript.
    await expect(page.locator('form noscript p')).toContainText('Passkeys need JavaScript.')
    await expect(profile.newAddress(page)).toHaveValue(address)
  })

  test('answers a refused export with a page', async ({ ownPage: _, newPage, person, complaints }) => {
    complaints.expect(/status of 403/)
    const page = await newPage({ as: person, javaScriptEnabled: false })
    await page.goto('/account')
    await link(page, 'Download my data').click()
    await expect(heading(page, 'Your file was not downloaded')).toBeVisible()
    await expectText(page, 'needs a confirmation with your passkey')
    expect((await page.reload())?.status()).toBe(403)
    await link(page, 'Go back').click()
    await page.waitForURL('**/account')
  })
})

test.describe('lost passkeys', () => {
  test('are removed 24 hours after a request. Every page shows when, and any session can cancel it', async ({
    ownPage: page,
    newPage,
    person,
    server,
  }) => {
    await signInAs(page.context(), server, await anotherSession(server, person))
    await openUnfolded(page, '/security')
    await security.removeAll(page).click()
    await security.confirmRemoveAll(page).click()
    await page.waitForURL('**/security?recovery=started')
    await expectFocusOn(page, 'Your passkeys will be removed in 24 hours')
    await expect(
      security
        .removalBanner(page)
        .getByText(/will be removed on \d+ \w+ \d{4}/)
        .first(),
    ).toBeVisible()
    await expectText(page, 'A removal is pending')

    // Another session, on pages of both parts of the site.
    const otherPage = await newPage({ as: person })
    for (const path of ['/directory', '/home']) {
      await open(otherPage, path)
      await expect(security.removalBanner(otherPage)).toBeVisible()
    }
    await security.cancelRemoval(otherPage).click()
    await otherPage.waitForURL('**/security?recovery=cancelled')
    await expectFocusOn(otherPage, 'Your passkeys stay')
    await expect(security.removalBanner(otherPage)).toHaveCount(0)
    const { recovery, items } = await passkeysOf(server, person)
    expect([recovery, items.length]).toEqual([null, 1])
  })

  test('can be removed only after a sign-in with a code, to which the page links', async ({
    ownPage: page,
  }) => {
    // A sign-in with the passkey is fresh, but it is not one with a code.
    await page.context().clearCookies()
    await open(page, '/signin?next=%2Fsecurity')
    await signIn.withPasskey(page).click()
    await page.waitForURL('**/security')
    await unfold(page)
    await security.removeAll(page).click()
    await security.confirmRemoveAll(page).click()
    await expectText(page, 'This needs a sign-in by code in the last 10 minutes.')
    await link(page, 'Sign in with a code').click()
    await page.waitForURL(/reason=code/)
    await expect(heading(page, 'Welcome back')).toBeVisible()
    await expect(signIn.withPasskey(page)).toHaveCount(0)
  })

  test('are kept when the link in the mail is used, which works once', async ({
    ownPage: page,
    person,
    complaints,
    server,
  }) => {
    complaints.expect(/status of 404/)
    const { token } = await anotherSession(server, person)
    await send(server, 'POST /beak/passkey/recover', { token })
    const keepLink = await linkTo(server, '/keep-passkeys', person.email)
    await page.context().clearCookies()
    await open(page, keepLink)
    await security.cancelRemoval(page).click()
    await expect(heading(page, 'Your passkeys stay.')).toBeVisible()
    expect(page.url()).not.toContain('token')
    const { recovery, items } = await passkeysOf(server, person)
    expect([recovery, items.length]).toEqual([null, 1])

    await open(page, keepLink)
    await security.cancelRemoval(page).click()
    await expect(heading(page, 'This link has expired or was used.')).toBeVisible()
    expect((await page.reload())?.status()).toBe(404)
    await expect(heading(page, 'This link has expired or was used.')).toBeVisible()
  })
})

test.describe('a change of email', () => {
  test('can be undone with the link in the mail to the earlier address, and then the owner keeps single agents and webhooks', async ({
    ownPage: page,
    person,
    server,
  }) => {
    const address = anAddress('merganser')
    await openUnfolded(page, '/profile')
    const code = await codeAfter(server, address, () => askForAddressCode(page, address))
    await signIn.code(page).fill(code)
    await expectText(page, profile.addressChanged(address))
    for (const agent_name of ['Mine', 'Theirs']) await anAgent(server, person, { agent_name })
    const body = { url: 'http://127.0.0.1:9/theirs' }
    await send(server, 'POST /beak/webhook/create', { token: person.token, body })

    await open(page, await linkTo(server, '/email-undo', person.email))
    await button(page, 'Restore my email').click()
    await expect(heading(page, 'Your earlier email is restored.')).toBeVisible()
    expect(page.url()).not.toContain('token')
    expect(await statusOf(server, person.token)).toBe(401)
    const session = await anotherSession(server, person)
    expect(await profileOf(server, session)).toMatchObject({ email: person.email })
    await signInAs(page.context(), server, session)
    await openUnfolded(page, '/security')
    await link(page, 'See what was stopped').click()
    await expect(heading(page, 'Restored account')).toBeVisible()
    await button(page, 'Keep Mine').click()
    await expectText(page, 'Mine works again.')
    await button(page, 'Keep 127.0.0.1').click()
    await expectText(page, 'The webhook to 127.0.0.1:9 is on again.')
    await expect(page.getByText('Paused', { exact: true })).toHaveCount(1)
    await expect(page.getByText('Passkeys removed')).toBeVisible()
  })
})
