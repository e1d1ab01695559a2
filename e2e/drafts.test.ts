/** What a person has typed when the session ends, and what the frame of the pages shows after a change. */
import type { Page } from '@playwright/test'
import { button, expectFocusOn, expectText, heading, link, open, openUnfolded, tokenOf } from './browser'
import { inbox, openInbox } from './controls/inbox'
import { signIn } from './controls/sign-in'
import { expect, test } from './fixtures'
import { codeAfter, codeIn } from './outbox'
import { aBondedAgent, aPerson, confirmPhone, type Person } from './people'
import { type Server, send } from './server'

const banner = 'Your session ended before this was sent. Your draft is below.'

const endSession = async (server: Server, page: Page) =>
  send(server, 'POST /beak/signout', { token: await tokenOf(page), body: {} })

/** Signs in with a code on the sign-in page that is open, and skips the offer of a passkey. */
async function enterCode(server: Server, page: Page, { email }: Person): Promise<void> {
  await signIn.email(page).fill(email)
  await signIn.code(page).fill(await codeAfter(server, email, () => signIn.mailCode(page).click()))
}

async function signInHere(server: Server, page: Page, person: Person): Promise<void> {
  await enterCode(server, page, person)
  await signIn.passkeyOffer(page).waitFor()
  await signIn.skipPasskey(page).click()
}

const stored = (page: Page) => page.evaluate(() => JSON.stringify({ ...window.sessionStorage }))

async function typeRequest(page: Page, target: string): Promise<void> {
  await open(page, '/pecks/new/action')
  await page.getByLabel('To', { exact: true }).fill(target)
  await page.getByLabel('Action').fill('feed:ducks')
  await page.getByLabel('How often').selectOption('timed')
  await page.getByLabel('Message').fill('Two slices, please.')
}

test.describe('a form that is sent after the session has ended', () => {
  test('comes back after the sign-in with everything that was typed', async ({
    ownPage: page,
    person,
    server,
  }) => {
    const target = await aPerson(server, 'Teal')
    await typeRequest(page, target.id)
    await endSession(server, page)
    await button(page, 'Send request').click()
    await expectText(page, 'Nothing was sent.')
    await signInHere(server, page, person)
    await expectFocusOn(page, banner)
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe(target.id)
    expect(await page.getByLabel('Action').inputValue()).toBe('feed:ducks')
    expect(await page.getByLabel('How often').inputValue()).toBe('timed')
    expect(await page.getByLabel('Message').inputValue()).toBe('Two slices, please.')
    // Nothing was sent before, and the request is sent once now.
    await button(page, 'Send request').click()
    await page.waitForURL(/\/pecks\/(sent|PECK-)/)
    const { body } = await send(server, 'GET /beak/peck/history', { token: target.token })
    expect(body.items).toHaveLength(1)
    await open(page, '/pecks/new/action')
    await expect(page.getByText(banner)).toHaveCount(0)
    expect(await page.getByLabel('Action').inputValue()).toBe('')
  })

  test('finds the right one of several forms, and opens it', async ({
    ownPage: page,
    person,
    server,
    complaints,
  }) => {
    // The stream of the inbox ends with the session.
    complaints.expect(/status of 401 \(Unauthorized\) at .*\/api\/pecks\/stream/)
    const scout = await aBondedAgent(server, await aPerson(server, 'Teal'))
    for (const action of ['feed:ducks', 'read:calendar'])
      await send(server, 'POST /beak/peck/request', {
        key: scout.key,
        body: { target_duckling_id: person.id, action, scope: 'limited' },
      })
    await openInbox(page)
    await inbox.row(page, 'feed:ducks').click()
    const card = inbox.card(page, 'feed:ducks')
    await inbox.reject(card).click()
    await inbox.reason(card).fill('They are full.')
    await endSession(server, page)
    await inbox.confirmReject(card).click()
    await expectText(page, 'Nothing was sent.')
    // Back on the page of this request, without an offer of a passkey in between.
    await enterCode(server, page, person)
    await page.waitForURL('**/pecks/PECK-*')
    await expectFocusOn(page, banner)
    await expect(page.getByLabel('Your own reason')).toHaveValue('They are full.')
    await expect(page.getByText(banner)).toBeVisible()
  })

  test('comes back when the session ended in another window before it was sent', async ({
    ownPage: page,
    person,
    server,
    complaints,
  }) => {
    complaints.expect(/status of 401/)
    const scout = await aBondedAgent(server, await aPerson(server, 'Teal'))
    const { body } = await send(server, 'POST /beak/peck/request', {
      key: scout.key,
      body: { target_duckling_id: person.id, action: 'feed:ducks', scope: 'limited' },
    })
    await open(page, `/pecks/${body.peck_id}`)
    await page.getByText('Reject with a reason …').click()
    await page.getByLabel('Your own reason').fill('They are full.')
    const other = await page.context().newPage()
    await open(other, '/home')
    await signIn.signOut(other)
    await page.waitForURL('**/signin**')
    await enterCode(server, page, person)
    await page.waitForURL('**/pecks/PECK-*')
    await expectFocusOn(page, 'This was not sent. Your draft is below.')
    await expect(page.getByLabel('Your own reason')).toHaveValue('They are full.')
  })

  test('is not shown to another person who signs in', async ({ ownPage: page, server }) => {
    await typeRequest(page, 'DUCK-00000000000000000000000000')
    await endSession(server, page)
    await button(page, 'Send request').click()
    await expectText(page, 'Nothing was sent.')
    await signInHere(server, page, await aPerson(server, 'Other'))
    await page.waitForURL('**/pecks/new/action')
    await expect(heading(page, 'New request')).toBeVisible()
    await expect.poll(() => stored(page)).not.toContain('Two slices')
    await expect(page.getByText(banner)).toHaveCount(0)
    expect(await page.getByLabel('Message').inputValue()).toBe('')
  })

  test('works without JavaScript as before: sign-in leads back to the page', async ({
    newPage,
    person,
    server,
  }) => {
    const page = await newPage({ as: person, javaScriptEnabled: false })
    await page.goto('/profile')
    await page.getByLabel('Short bio').fill('Likes ponds')
    await endSession(server, page)
    await button(page, 'Save').first().click()
    await page.waitForURL('**/signin?next=%2Fprofile')
  })
})

test('a form that was answered leaves nothing behind, and codes are never stored', async ({
  newPage,
  server,
}) => {
  const page = await newPage({ as: await aPerson(server, 'Newcomer', { verified: false }) })
  await page.addInitScript(() => {
    const write = Storage.prototype.setItem
    Object.assign(window, { written: [] as string[] })
    Storage.prototype.setItem = function (key, value) {
      ;(window as unknown as { written: string[] }).written.push(value)
      write.call(this, key, value)
    }
  })
  await openUnfolded(page, '/security')
  await signIn.code(page).fill('123456')
  await expect(page.locator('[aria-invalid="true"]')).toBeVisible()
  await openUnfolded(page, '/profile')
  await page.getByLabel('Short bio').fill('Likes ponds')
  await button(page, 'Save').first().click()
  await expectText(page, 'Saved.')
  expect(await stored(page)).not.toContain('Likes ponds')
  const written = await page.evaluate(() => (window as unknown as { written: string[] }).written.join())
  expect(written).toContain('Likes ponds')
  expect(written).not.toContain('123456')
})

test.describe('the frame of the pages', () => {
  test('shows a tier that was reached elsewhere at the next page, without a reload', async ({
    newPage,
    server,
  }) => {
    const person = await aPerson(server, 'Newcomer', { verified: false })
    const page = await newPage({ as: person })
    const notConfirmed = page.locator('header').getByText('Email not confirmed')
    await openUnfolded(page, '/profile')
    await page.evaluate(() => Object.assign(window, { isSame: true }))
    await expect(notConfirmed).toHaveCount(1)
    const otp = await codeIn(server, person.email)
    await send(server, 'POST /beak/verify-email', { token: person.token, body: { otp } })
    await link(page, 'Data').click()
    await expect(notConfirmed).toHaveCount(0)
    expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
  })

  test('loads nothing more while nothing has changed', async ({ ownPage: page }) => {
    await openUnfolded(page, '/profile')
    const loaded: string[] = []
    page.on('request', (request) => {
      if (request.headers().rsc) loaded.push(new URL(request.url()).pathname)
    })
    await link(page, 'Data').click()
    await heading(page, 'Data', 1).waitFor()
    await link(page, 'Activity').click()
    await heading(page, 'Activity', 1).waitFor()
    expect(loaded).toEqual(['/account', '/audit'])
  })
})

test.describe('a link "Add a passkey"', () => {
  test('leads to the field of the form, and shows it', async ({ ownPage: page }) => {
    await openUnfolded(page, '/profile')
    await link(page, 'Add a passkey').click()
    await page.waitForURL('**/security#add-passkey')
    const name = page.getByLabel(/Passkey name/)
    await expect(name).toBeFocused()
    await expect(name).toBeInViewport()
  })

  test('does so on the same page and after a reload', async ({ ownPage: page, person, server }) => {
    await confirmPhone(server, person, '+41791234568')
    await openUnfolded(page, '/security')
    await expect(page.getByLabel(/Passkey name/)).not.toBeFocused()
    await link(page, 'Add a passkey below').click()
    await expect(page.getByLabel(/Passkey name/)).toBeFocused()
    await page.reload()
    await expect(page.getByLabel(/Passkey name/)).toBeFocused()
  })
})
