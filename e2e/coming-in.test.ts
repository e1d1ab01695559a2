/**
 * Coming in and going out: sign-up with the code from the mail, sign-in by code and by passkey, the ways out of what goes
 * wrong on the way, next-auth's own routes, and what an error looks like. In the browser, on the running server.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { complaintsOf, signInAs, startBrowser, withAuthenticator } from './browser'
import {
  aPerson,
  codeIn,
  eventually,
  outboxOf,
  type RunningServer,
  send,
  startServer,
  stopAll,
} from './server'

let server: RunningServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer({ env: { LOG_LEVEL: 'error' } }), startBrowser()])
}, 60_000)
afterAll(async () => {
  await browser?.close()
  stopAll()
})

async function aPage(options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(10_000)
  return context.newPage()
}

const tokenOf = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === 'beak.session')?.value ?? ''
const statusOf = async (token: string) => (await send(server, 'GET /beak/profile', { token })).status
const codesTo = (email: string) =>
  outboxOf(server).filter((mail) => mail.to === email && /\b\d{6}\b/.test(mail.text)).length
/** A code that is not that one. */
const otherThan = (code: string) => (code === '111111' ? '222222' : '111111')

async function signUp(page: Page, name: string, email: string): Promise<void> {
  await page.goto('/signup')
  await page.getByLabel('Display name').fill(name)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Sign up' }).click()
}

/** Goes as far as the code in signing in. */
async function askForCode(page: Page, email: string, path = '/signin'): Promise<void> {
  await page.goto(path)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Mail me a code' }).click()
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
}

describe('signing up', () => {
  it('leads from a name and an address over the mailed code and a passkey to a certificate, and home', async () => {
    const page = await aPage()
    await withAuthenticator(page)
    const complaints = complaintsOf(page)
    await signUp(page, 'Gadwall', 'gadwall@pond.example')
    await page.getByRole('heading', { name: 'Confirm your address' }).waitFor()
    const code = await codeIn(server, 'gadwall@pond.example')
    const field = page.getByLabel('Six-digit code')
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    // Complete is sent, also with what a mail program copies along.
    await field.fill(` ${code.slice(0, 3)} ${code.slice(3)}`)
    await page.getByRole('heading', { name: 'Hello, Gadwall' }).waitFor()
    expect((await send(server, 'GET /beak/profile', { token: await tokenOf(page) })).body.trust_tier).toBe(
      'T1',
    )
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Issue my certificate' }).click()
    await page.getByRole('heading', { name: 'Gadwall has hatched' }).waitFor()
    await page.getByRole('link', { name: 'Go home' }).click()
    await page.waitForURL('**/home')
    // Whether every page exists that the pages link to is not this test's matter.
    expect(complaints.filter((complaint) => !complaint.includes('status of 404'))).toEqual([])
  })

  it('says what is wrong beside the field, keeps what was typed, and shows the code one was invited with', async () => {
    const page = await aPage()
    await page.goto('/signup?ref=QUACK42')
    expect(await page.getByLabel('Referral code').inputValue()).toBe('QUACK42')
    await page.getByLabel('Display name').fill('Admin1')
    await page.getByLabel('E-mail address').fill('not an address')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.locator('[aria-invalid="true"]').nth(1).waitFor()
    const name = page.getByLabel('Display name')
    expect(await name.inputValue()).toBe('Admin1')
    expect(await name.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('not an address')
    expect(await page.getByLabel('Referral code').inputValue()).toBe('QUACK42')
  })

  it('leads with a known address to signing in, and keeps the address', async () => {
    const known = await aPerson(server, 'Known')
    const page = await aPage()
    await signUp(page, 'Another', known.email)
    await page.getByText('This address has a duckling already').waitFor()
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(known.email)
    expect(page.url()).not.toContain('pond')
  })

  it('mends a mistyped address: the right one gets the code, and the wrong one is free again', async () => {
    const page = await aPage()
    await signUp(page, 'Typo', 'tpyo@pond.example')
    await page.getByText('Wrong address?').click()
    await page.getByLabel('The right address').fill('typo@pond.example')
    await page.getByRole('button', { name: 'Mail the code there' }).click()
    await page.getByText('typo@pond.example').waitFor()
    await page.getByLabel('Six-digit code').fill(await codeIn(server, 'typo@pond.example'))
    await page.getByRole('heading', { name: 'Hello, Typo' }).waitFor()
    const again = { email: 'tpyo@pond.example', display_name: 'Owner' }
    expect((await send(server, 'POST /beak/signup', { body: again })).status).toBe(200)
  })
})

describe('signing in with a code', () => {
  it('says a wrong code beside the field, keeps the address, and takes the right one then', async () => {
    const person = await aPerson(server, 'Wigeon')
    const page = await aPage()
    const before = codesTo(person.email)
    await askForCode(page, person.email, '/signin?next=/security')
    await eventually(() => codesTo(person.email) > before || null)
    const code = await codeIn(server, person.email)
    await page.getByLabel('Six-digit code').fill(otherThan(code))
    await page.getByText('This is not the code, or it has expired.').waitFor()
    await page.getByText(person.email).waitFor()
    // A reload loses nothing, and no address stands in the address bar.
    await page.reload()
    await page.getByText(person.email).waitFor()
    expect(page.url()).not.toContain('pond.example')
    await page.getByLabel('Six-digit code').fill(code)
    // Without a passkey one is offered, once.
    await page.getByRole('heading', { name: 'Next time without a code?' }).waitFor()
    await page.getByRole('button', { name: 'Not now' }).click()
    await page.waitForURL('**/security')
    expect(await statusOf(await tokenOf(page))).toBe(200)
  })

  it('says after five wrong codes that they are dead, and goes on with a new one', async () => {
    const person = await aPerson(server, 'Scaup')
    const page = await aPage()
    const before = codesTo(person.email)
    await askForCode(page, person.email)
    await eventually(() => codesTo(person.email) > before || null)
    const code = await codeIn(server, person.email)
    for (const _ of [1, 2, 3, 4, 5])
      await send(server, 'POST /beak/signin', { body: { email: person.email, otp: otherThan(code) } })
    await page.getByLabel('Six-digit code').fill(code)
    await page.getByText('Five wrong codes').waitFor()
    await page.getByRole('button', { name: 'Use another address, or a passkey' }).click()
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(person.email)
    await page.getByRole('button', { name: 'Mail me a code' }).click()
    await eventually(() => codesTo(person.email) > before + 1 || null)
    await page.getByLabel('Six-digit code').fill(await codeIn(server, person.email))
    await page.getByRole('heading', { name: 'Next time without a code?' }).waitFor()
  })

  it('counts down to the next code for the eye only, and then mails one', async () => {
    const person = await aPerson(server, 'Smew')
    const page = await aPage()
    await page.clock.install()
    const before = codesTo(person.email)
    await askForCode(page, person.email)
    const button = page.getByRole('button', { name: 'Send a new code' })
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    expect(await button.locator('[aria-hidden="true"]').textContent()).toMatch(/^in (29|30) s$/)
    await page.clock.runFor(31_000)
    await page.getByRole('button', { name: 'Send a new code', exact: true }).click()
    await page.getByText('A new code is on its way.').waitFor()
    await eventually(() => codesTo(person.email) === before + 2 || null)
    expect(await button.getAttribute('aria-disabled')).toBe('true')
  })

  it('works without JavaScript, from the address to the code and in', async () => {
    const person = await aPerson(server, 'Teal')
    const page = await aPage({ javaScriptEnabled: false })
    const before = codesTo(person.email)
    await page.goto('/signin?next=/profile')
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(false)
    await page.getByLabel('E-mail address').fill(person.email)
    await page.getByRole('button', { name: 'Mail me a code' }).click()
    await eventually(() => codesTo(person.email) > before || null)
    const code = await codeIn(server, person.email)
    await page.getByLabel('Six-digit code').fill(otherThan(code))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('This is not the code, or it has expired.').waitFor()
    await page.getByLabel('Six-digit code').fill(code)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Not now' }).click()
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
  })

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example/', '/%09/evil.example'])(
    'stays on this site, whatever next says: %s',
    async (next) => {
      const person = await aPerson(server, `Stay${Buffer.from(next).toString('hex').slice(0, 8)}`)
      const page = await aPage()
      await signInAs(page.context(), server, person)
      await page.goto(`/signin?next=${encodeURIComponent(decodeURIComponent(next))}`)
      expect(new URL(page.url()).origin).toBe(server.url)
      expect(new URL(page.url()).pathname).toBe('/home')
    },
  )
})
