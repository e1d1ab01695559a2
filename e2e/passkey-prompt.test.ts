/**
 * Sensitive changes on the pages: where the API asks for a passkey, the page asks the person and then goes on. Also the removal of
 * lost passkeys, and the mailed links that keep passkeys and bring an address back. In a browser, on the running server.
 */
import { readFileSync } from 'node:fs'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPerson, type Person, patient, signInAs, startBrowser, withAuthenticator } from './browser'
import { codeIn, eventually, outboxOf, type RunningServer, send, startServer, stopAll } from './server'

let server: RunningServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer({ env: { LOG_LEVEL: 'error' } }), startBrowser()])
}, 120_000)
afterAll(async () => {
  await browser?.close()
  stopAll()
})

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const profileOf = async ({ token }: Pick<Person, 'token'>) =>
  (await send(server, 'GET /beak/profile', { token })).body

interface Owner {
  person: Person
  page: Page
  /** Whether the authenticator confirms who is there: without that it answers like a prompt that was closed. */
  confirms: (isUserVerified: boolean) => Promise<unknown>
}

/** Opens a page of the server. */
const at = (page: Page, path: string) => page.goto(server.url + path)

/** Somebody with a passkey in this browser, signed in with a code: sensitive changes need the passkey. */
async function anOwner(name: string): Promise<Owner> {
  const person = await aPerson(server, name)
  const context = await browser.newContext({ reducedMotion: 'reduce', acceptDownloads: true })
  context.setDefaultTimeout(15_000)
  await signInAs(context, server, person)
  const page = await context.newPage()
  const { session, id } = await withAuthenticator(page)
  await at(page, '/security')
  await button(page, 'Add a passkey').click()
  await says(page, 'is ready')
  return { person, page, confirms: (yes) => verifyUser(session, id, yes) }
}

function verifyUser(session: CDPSession, authenticatorId: string, isUserVerified: boolean) {
  return session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
}

const hasFocus = (page: Page, text: string) =>
  page.waitForFunction((words) => document.activeElement?.textContent?.includes(words), text)

describe('an action that needs a passkey', patient, () => {
  it('asks for the passkey and then saves what was chosen', async () => {
    const { person, page } = await anOwner('Mallard')
    await at(page, '/profile')
    await page.getByRole('combobox').selectOption('T0')
    await button(page, 'Save').last().click()
    await says(page, 'Saved.')
    expect(await profileOf(person)).toMatchObject({ min_peck_tier: 'T0' })
  })

  it('loads the library for passkeys only when it asks for one', async () => {
    const { page } = await anOwner('Gadwall')
    const scripts: string[] = []
    await at(page, '/profile')
    await page.waitForLoadState('networkidle')
    page.on('request', (request) => {
      if (/\.js(\?|$)/.test(request.url())) scripts.push(request.url())
    })
    await page.getByRole('combobox').selectOption('T0')
    await button(page, 'Save').last().click()
    await says(page, 'Saved.')
    expect(scripts.length).toBeGreaterThan(0)
  })

  it('keeps what was typed when the prompt is closed, says what to do, and goes on by its button', async () => {
    const { person, page, confirms } = await anOwner('Pintail')
    await confirms(false)
    await at(page, '/profile')
    const address = page.getByLabel('New address')
    await address.fill('pintail@lake.example')
    await button(page, 'Send the code').click()
    await says(
      page,
      'The passkey prompt was closed, so nothing was changed. Confirm with your passkey to continue.',
    )
    await hasFocus(page, 'The passkey prompt was closed,')
    expect(await address.inputValue()).toBe('pintail@lake.example')
    expect(await button(page, 'Send the code').getAttribute('aria-disabled')).not.toBe('true')

    await confirms(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByLabel('Six-digit code').fill(await codeIn(server, 'pintail@lake.example'))
    await button(page, 'Change my address').click()
    await says(page, 'Your address is pintail@lake.example now.')
    expect((await profileOf(person)).email).toBe('pintail@lake.example')
  })

  it('keeps a typed code, which never travels back, when the prompt is closed in the second step', async () => {
    const { person, page, confirms } = await anOwner('Shoveler')
    await at(page, '/profile')
    await page.getByLabel('New address').fill('shoveler@lake.example')
    await button(page, 'Send the code').click()
    const code = page.getByLabel('Six-digit code')
    await code.waitFor()
    const otp = await codeIn(server, 'shoveler@lake.example')
    // Another session, without a proof, in the same page.
    await signInAs(page.context(), server, await anotherSession(person))
    await confirms(false)
    await code.fill(otp)
    await button(page, 'Change my address').click()
    await says(page, 'The passkey prompt was closed,')
    expect(await code.inputValue()).toBe(otp)
    await confirms(true)
    await button(page, 'Confirm with passkey').click()
    await says(page, 'Your address is shoveler@lake.example now.')
  })

  it('goes on in a dialog: removes a passkey', async () => {
    const { person, page } = await anOwner('Wigeon')
    await at(page, '/security')
    await button(page, 'Remove').first().click()
    await button(page, 'Remove it').click()
    await says(page, 'is removed.')
    expect((await send(server, 'GET /beak/passkey/list', { token: person.token })).body.items).toEqual([])
  })

  it('rotates the key of an agent and makes a new handshake', async () => {
    const { person, page } = await anOwner('Smew')
    const { body } = await send(server, 'POST /beak/agent/register', {
      token: (await anotherSession(person)).token,
      body: { agent_name: 'Scout', agent_type: 'assistant', capabilities: ['read:profile'] },
    })
    await at(page, `/agents/manage/${body.agent_id}`)
    await button(page, 'Make a new handshake').click()
    await says(page, 'Run this where the agent lives')
    await signInAs(page.context(), server, await anotherSession(person))
    await at(page, `/agents/manage/${body.agent_id}`)
    await button(page, 'Rotate the key').click()
    await page.getByLabel('Days until the new key expires').fill('7')
    await button(page, 'Rotate it now').click()
    await page.getByRole('heading', { name: 'The new key, shown this once' }).waitFor()
  })

  it('downloads the export', async () => {
    const { person, page } = await anOwner('Teal')
    await at(page, '/account')
    const download = page.waitForEvent('download')
    await button(page, 'Download my data').click()
    const exported = JSON.parse(readFileSync(await (await download).path(), 'utf8'))
    expect(exported.profile.duckling_id).toBe(person.id)
    await says(page, 'Your data is saved as beak-export.json.')
  })

  it('closes the account', async () => {
    const { person, page } = await anOwner('Scaup')
    await at(page, '/account')
    await button(page, 'Close my account').click()
    await page.getByLabel('Your display name').fill('Scaup')
    await button(page, 'Close it for good').click()
    await page.waitForURL(/\/goodbye\?/)
    expect((await send(server, 'GET /beak/profile', { token: person.token })).status).toBe(401)
  })

  it('leads to a fresh sign-in where the account has no passkey, and back to the page', async () => {
    const { page } = await anOwner('Goldeneye')
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
    await at(page, '/account')
    await button(page, 'Download my data').click()
    await says(page, 'This needs a sign-in in the last 10 minutes.')
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await page.waitForURL(/\/signin\?reason=fresh&next=%2Faccount$/)
    await says(page, 'Once more, to be sure')
  })
})

describe('without JavaScript', patient, () => {
  it('says that confirming needs a passkey and JavaScript, and keeps what was typed', async () => {
    const { person } = await anOwner('Garganey')
    const context = await browser.newContext({ javaScriptEnabled: false })
    await signInAs(context, server, person)
    const page = await context.newPage()
    await at(page, '/profile')
    await page.getByLabel('New address').fill('garganey@lake.example')
    await button(page, 'Send the code').click()
    // By its element: Playwright looks for no text inside noscript.
    expect(await page.locator('form noscript p').textContent()).toContain(
      'Confirming with a passkey needs JavaScript, and so does signing in with one.',
    )
    expect(await page.getByLabel('New address').inputValue()).toBe('garganey@lake.example')
  })

  it('answers a refused export with a page', async () => {
    const { person } = await anOwner('Eider')
    const context = await browser.newContext({ javaScriptEnabled: false })
    await signInAs(context, server, person)
    const page = await context.newPage()
    await at(page, '/account')
    await page.getByRole('link', { name: 'Download my data' }).click()
    await page.getByRole('heading', { name: 'Your file was not downloaded' }).waitFor()
    await says(page, 'needs a confirmation with your passkey')
    const answer = await page.reload()
    expect(answer?.status()).toBe(403)
    await page.getByRole('link', { name: 'Go back' }).click()
    await page.waitForURL('**/account')
  })
})

/** Signs in once more with a code, as another browser would: a session without a passkey proof. */
async function anotherSession(person: Person): Promise<Pick<Person, 'token'>> {
  const sent = outboxOf(server).filter(({ to }) => to === person.email).length
  await send(server, 'POST /beak/signin/otp', { body: { email: person.email } })
  await eventually(() =>
    outboxOf(server)
      .filter(({ to }) => to === person.email)
      .slice(sent)
      .some(({ text }) => /\b\d{6}\b/.test(text))
      ? true
      : null,
  )
  const { body } = await send(server, 'POST /beak/signin', {
    body: { email: person.email, otp: await codeIn(server, person.email) },
  })
  return { token: body.token }
}

/** The address in the newest mail to somebody that leads to that page. */
const linkTo = (path: string, email: string) =>
  eventually(() =>
    outboxOf(server)
      .filter(({ to }) => to === email)
      .map(({ text }) => new RegExp(`${path}\\?token=\\S+`).exec(text)?.[0])
      .findLast((link) => link !== undefined),
  )

const banner = (page: Page) => page.getByRole('region', { name: 'Removal of your passkeys' })

describe('lost passkeys', patient, () => {
  it('are removed after 24 hours on request: every page says when, and any session cancels it', async () => {
    const { person, page } = await anOwner('Bufflehead')
    await signInAs(page.context(), server, await anotherSession(person))
    await at(page, '/security')
    await button(page, 'Remove all my passkeys in 24 hours').click()
    await page.waitForURL('**/security?recovery=started')
    await hasFocus(page, 'Your passkeys will be removed in 24 hours')
    await banner(page)
      .getByText(/will be removed on \d+ \w+ \d{4}/)
      .first()
      .waitFor()
    await says(page, 'A removal is pending')

    // Another session, on pages of both parts of the site.
    const other = await browser.newContext({ reducedMotion: 'reduce' })
    await signInAs(other, server, person)
    const theirs = await other.newPage()
    for (const path of ['/directory', '/home']) {
      await at(theirs, path)
      await banner(theirs).waitFor()
    }
    await banner(theirs).getByRole('button', { name: 'Cancel the removal' }).click()
    await theirs.waitForURL('**/security?recovery=cancelled')
    await hasFocus(theirs, 'Your passkeys stay')
    await banner(theirs).waitFor({ state: 'detached' })
    const { body } = await send(server, 'GET /beak/passkey/list', { token: person.token })
    expect([body.recovery, body.items.length]).toEqual([null, 1])
  })

  it('need a sign-in with a code, which the page leads to', async () => {
    const { page } = await anOwner('Ruddy')
    // A sign-in with the passkey is fresh, and is not one with a code.
    await page.context().clearCookies()
    await at(page, '/signin?next=%2Fsecurity')
    await button(page, 'Sign in with a passkey').click()
    await page.waitForURL('**/security')
    await button(page, 'Remove all my passkeys in 24 hours').click()
    await says(page, 'This needs a sign-in by code in the last 10 minutes.')
    await page.getByRole('link', { name: 'Sign in with a code' }).click()
    await page.waitForURL(/reason=code/)
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
    expect(await button(page, 'Sign in with a passkey').count()).toBe(0)
  })

  it('stay when the link in the mail is used; the link works once', async () => {
    const { person, page } = await anOwner('Canvasback')
    await send(server, 'POST /beak/passkey/recover', { token: (await anotherSession(person)).token })
    const link = await linkTo('/keep-passkeys', person.email)
    await page.context().clearCookies()
    await at(page, link)
    await button(page, 'Cancel the removal').click()
    await page.getByRole('heading', { name: 'Your passkeys stay.' }).waitFor()
    expect(page.url()).not.toContain('token')
    const { body } = await send(server, 'GET /beak/passkey/list', { token: person.token })
    expect([body.recovery, body.items.length]).toEqual([null, 1])

    await at(page, link)
    await button(page, 'Cancel the removal').click()
    await page.getByRole('heading', { name: 'This link has expired or was used.' }).waitFor()
    const answer = await page.reload()
    expect(answer?.status()).toBe(404)
    await page.getByRole('heading', { name: 'This link has expired or was used.' }).waitFor()
  })
})

describe('a change of e-mail', patient, () => {
  it('is undone by the link in the mail to the earlier address', async () => {
    const { person, page } = await anOwner('Merganser')
    await at(page, '/profile')
    await page.getByLabel('New address').fill('merganser@lake.example')
    await button(page, 'Send the code').click()
    await page.getByLabel('Six-digit code').fill(await codeIn(server, 'merganser@lake.example'))
    await button(page, 'Change my address').click()
    await says(page, 'Your address is merganser@lake.example now.')

    await at(page, await linkTo('/email-undo', person.email))
    await button(page, 'Bring my address back').click()
    await page.getByRole('heading', { name: 'Your earlier address is back.' }).waitFor()
    expect(page.url()).not.toContain('token')
    expect((await send(server, 'GET /beak/profile', { token: person.token })).status).toBe(401)
    expect(await profileOf(await anotherSession(person))).toMatchObject({ email: person.email })
  })
})
