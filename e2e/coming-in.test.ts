/**
 * Coming in and going out: sign-up with the code from the mail, sign-in by code and by passkey, the ways out of what goes
 * wrong on the way, next-auth's own routes, and what an error looks like. In the browser, on the running server.
 */
import { request } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { complaintsOf, patient, signInAs, startBrowser, withAuthenticator } from './browser'
import {
  aPerson,
  codeIn,
  eventually,
  outboxAddressOf,
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
/** The cookies that make the browser a known device. */
const deviceCookies = async (page: Page) =>
  (await page.context().cookies()).filter(({ name }) => name.startsWith('beak.device.'))
const statusOf = async (token: string) => (await send(server, 'GET /beak/profile', { token })).status
const codesTo = (email: string) =>
  outboxOf(server).filter((mail) => mail.to === email && /\b\d{6}\b/.test(mail.text)).length
/** Asks for a page with a session's cookie, and follows nothing. */
const visit = (path: string, token: string) =>
  fetch(`${server.url}${path}`, { headers: { cookie: `beak.session=${token}` }, redirect: 'manual' })
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

describe('signing up', patient, () => {
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
    expect(complaints).toEqual([])
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

describe('signing in with a code', patient, () => {
  it('says a wrong code beside the field, keeps the address, and takes the right one then', async () => {
    const person = await aPerson(server, 'Wigeon')
    const page = await aPage()
    const before = codesTo(person.email)
    await askForCode(page, person.email, '/signin?next=%2Fsecurity')
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

  it('keeps the browser as a known device, whose codes the wrong tries of strangers do not end', async () => {
    const person = await aPerson(server, 'Canvasback')
    const page = await aPage()
    const signIn = async (beforeCode: (code: string) => Promise<void>) => {
      const before = codesTo(person.email)
      await askForCode(page, person.email, '/signin?next=%2Fprofile')
      await eventually(() => codesTo(person.email) > before || null)
      const code = await codeIn(server, person.email)
      await beforeCode(code)
      await page.getByLabel('Six-digit code').fill(code)
    }
    await signIn(async () => undefined)
    await page.getByRole('button', { name: 'Not now' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    const [kept] = await deviceCookies(page)
    expect(kept).toMatchObject({
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
      value: expect.stringMatching(/^DEV-/),
    })
    expect(kept?.name).not.toContain('canvasback')
    await signIn(async (code) => {
      for (const _ of [1, 2, 3, 4, 5])
        await send(server, 'POST /beak/signin', { body: { email: person.email, otp: otherThan(code) } })
    })
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
    expect((await deviceCookies(page)).map(({ value }) => value)).toEqual([kept?.value])
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
    await page.goto('/signin?next=%2Fprofile')
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

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example/', '/\t/evil.example'])(
    'stays on this site, whatever next says: %j',
    async (next) => {
      const { token } = await aPerson(server, `Stay${Buffer.from(next).toString('hex').slice(0, 8)}`)
      const response = await visit(`/signin?next=${encodeURIComponent(next)}`, token)
      expect(response.headers.get('location')).toBe('/home')
    },
  )
})

describe('signing in with a passkey', patient, () => {
  /** A page of somebody who has just added a passkey, and is signed out again. */
  async function aPageWithPasskey(name: string) {
    const person = await aPerson(server, name)
    const page = await aPage()
    const authenticator = await withAuthenticator(page)
    await signInAs(page.context(), server, person)
    await page.goto('/signin/passkey')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('heading', { name: 'Your passkey is ready' }).waitFor()
    await page.context().clearCookies()
    return { person, page, ...authenticator }
  }
  /** Presses the button without any of the signs that start the offer in the autofill. */
  const press = (page: Page) =>
    page.getByRole('button', { name: 'Sign in with a passkey' }).dispatchEvent('click')

  it('signs in by the button, and ends the session that it replaces', async () => {
    const { person, page } = await aPageWithPasskey('Pintail')
    await signInAs(page.context(), server, person)
    await page.goto('/signin?reason=fresh&next=%2Fsecurity')
    await page.getByText('needs a fresh sign-in').waitFor()
    await press(page)
    await page.waitForURL('**/security')
    const token = await tokenOf(page)
    expect(token).not.toBe(person.token)
    expect([await statusOf(token), await statusOf(person.token)]).toEqual([200, 401])
    expect(await deviceCookies(page)).toMatchObject([{ httpOnly: true, sameSite: 'Lax' }])
  })

  it('signs in by the passkey that the browser offers in the address field', async () => {
    const { page } = await aPageWithPasskey('Shoveler')
    await page.goto('/signin?next=%2Fsecurity')
    await page.getByLabel('E-mail address').focus()
    await page.waitForURL('**/security')
    expect(await statusOf(await tokenOf(page))).toBe(200)
  })

  it('goes on after a prompt that was closed', async () => {
    const { page, session, id } = await aPageWithPasskey('Goldeneye')
    await session.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: false })
    await page.goto('/signin')
    await press(page)
    await page.getByText('The passkey prompt was closed.').waitFor()
    await session.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: true })
    await press(page)
    await page.waitForURL('**/home')
  })

  it('says of a passkey that was removed what to do instead', async () => {
    const { page } = await aPageWithPasskey('Garganey')
    await page.goto('/signin')
    await press(page)
    await page.waitForURL('**/home')
    // A session that began with the passkey may remove it.
    const token = await tokenOf(page)
    const { body } = await send(server, 'GET /beak/passkey/list', { token })
    const [{ passkey_id }] = body.items
    expect((await send(server, 'POST /beak/passkey/remove', { token, body: { passkey_id } })).status).toBe(
      200,
    )
    await page.context().clearCookies()
    await page.goto('/signin')
    await press(page)
    await page.getByText('it may have been removed from your account').waitFor()
    expect(await page.getByRole('button', { name: 'Mail me a code' }).isVisible()).toBe(true)
  })
})

describe('signing out', patient, () => {
  it('ends the session at the API, and says so', async () => {
    const person = await aPerson(server, 'Pochard')
    const page = await aPage()
    await signInAs(page.context(), server, person)
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    expect(await statusOf(person.token)).toBe(401)
    expect(await tokenOf(page)).toBe('')
  })

  it('from everywhere else reaches the other browser at its next step, which is told why and comes back', async () => {
    const person = await aPerson(server, 'Tufted')
    const page = await aPage()
    await signInAs(page.context(), server, person)
    const otp = await codeIn(server, person.email)
    const elsewhere = await send(server, 'POST /beak/signin', { body: { email: person.email, otp } })
    const { token } = elsewhere.body
    await send(server, 'POST /beak/session/revoke', { token, body: { all_others: true } })
    await page.goto('/profile')
    await page.getByText('You have been signed out').waitFor()
    expect(new URL(page.url()).searchParams.get('next')).toBe('/profile')
  })
})

describe("next-auth's own routes", patient, () => {
  interface Form {
    csrfToken?: string
    cookie?: string
    origin?: string
    fields?: Record<string, string>
  }
  async function csrf(url = server.url) {
    const response = await fetch(`${url}/api/auth/csrf`)
    const { csrfToken } = (await response.json()) as { csrfToken: string }
    return {
      csrfToken,
      cookie: response.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; '),
    }
  }
  const post = (action: string, form: Form, url = server.url) =>
    fetch(`${url}/api/auth/${action}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: form.cookie ?? '', ...(form.origin ? { origin: form.origin } : {}) },
      body: new URLSearchParams({ csrfToken: form.csrfToken ?? '', ...form.fields }),
    })
  const sessionIn = (response: Response) =>
    response.headers
      .getSetCookie()
      .map((line) => /^beak\.session=([^;]*)/.exec(line)?.[1])
      .find((value) => value !== undefined)

  it('that no page needs are not there', async () => {
    const shut = ['providers', 'session', 'signin', 'signout', 'error', 'verify-request', 'callback/code']
    for (const action of shut)
      expect([action, (await fetch(`${server.url}/api/auth/${action}`)).status]).toEqual([action, 404])
    for (const action of ['session', 'signin/code', '_log', 'callback/other', 'callback'])
      expect([action, (await post(action, await csrf())).status]).toEqual([action, 404])
  })

  it('sign in with the token of the API in the cookie, and out of that session', async () => {
    const { email } = await aPerson(server, 'Eider')
    const fields = { email, otp: await codeIn(server, email), callbackUrl: '//evil.example', json: 'true' }
    const ask = await csrf()
    const signedIn = await post('callback/code', { ...ask, origin: server.url, fields })
    expect([signedIn.status, await signedIn.json()]).toEqual([200, { url: `${server.url}/home` }])
    const token = sessionIn(signedIn) ?? ''
    expect(await statusOf(token)).toBe(200)
    const cookie = `${ask.cookie}; beak.session=${token}`
    const signedOut = await post('signout', { ...ask, cookie })
    expect([signedOut.status, signedOut.headers.get('location')]).toEqual([303, `${server.url}/signed-out`])
    expect([sessionIn(signedOut), await statusOf(token)]).toEqual(['', 401])
  })

  it('say of a failure its code and nothing else, and leave it in the audit log', async () => {
    const { email, token } = await aPerson(server, 'Merganser')
    const otp = otherThan(await codeIn(server, email))
    const refused = await post('callback/code', { ...(await csrf()), fields: { email, otp } })
    expect(refused.headers.get('location')).toBe(`${server.url}/signin?error=E4006&next=%2Fhome`)
    expect(sessionIn(refused)).toBeUndefined()
    const { body } = await send(server, 'GET /beak/audit?action=session.started', { token })
    expect(body.items[0].outcome).toBe('denied')
  })

  it('refuse what does not come from our own pages', async () => {
    const { email } = await aPerson(server, 'Harlequin')
    const fields = { email, otp: await codeIn(server, email) }
    const ask = await csrf()
    for (const form of [
      { fields },
      { ...ask, csrfToken: 'made up', fields },
      { ...ask, cookie: '', fields },
      { ...ask, origin: 'https://evil.example', fields },
      { ...ask, origin: 'null', fields },
    ]) {
      const response = await post('callback/code', form)
      expect([response.status, sessionIn(response)]).toEqual([403, undefined])
    }
  })
})

describe('the outbox of a development server', patient, () => {
  it('shows the newest code first, and only under the name of this machine', async () => {
    const person = await aPerson(server, 'Bufflehead')
    const page = await aPage()
    expect((await page.goto('/dev/outbox'))?.status()).toBe(404)
    await page.goto(outboxAddressOf(server))
    expect(page.url()).toBe(`${server.url}/`)
    await page.goto('/dev/outbox')
    const newest = page.getByRole('listitem').filter({ hasText: person.email }).first()
    await newest
      .getByText(await codeIn(server, person.email), { exact: true })
      .first()
      .waitFor()
    const status = await new Promise((resolve, reject) =>
      request(`${server.url}/dev/outbox`, { headers: { host: 'evil.example' } }, (response) =>
        resolve(response.resume().statusCode),
      )
        .on('error', reject)
        .end(),
    )
    expect(status).toBe(404)
  })
})

describe('pages that cannot be shown', patient, () => {
  it('answer 404 in our own words where there is nothing', async () => {
    const page = await aPage()
    const response = await page.goto('/nothing/here')
    expect(response?.status()).toBe(404)
    await page.getByRole('heading', { name: 'Nothing nests here' }).waitFor()
  })

  it('say so while the browser is offline', async () => {
    const page = await aPage()
    await page.goto('/signin')
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await page.context().setOffline(false)
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
  })
})

describe('a server for others, with strict limits', patient, () => {
  it('shows no outbox, counts sign-ins through next-auth like those at the API, and says when to come back', async () => {
    const strict = await startServer({
      env: {
        LOG_LEVEL: 'silent',
        BASE_URL: 'http://beak.example',
        LIMIT_SIGNIN: '1/1',
        LIMIT_AUTHENTICATED: '1/1',
      },
    })
    expect((await fetch(`${strict.url}/dev/outbox`)).status).toBe(404)

    const { csrfToken, cookie } = await fetch(`${strict.url}/api/auth/csrf`).then(async (response) => ({
      ...((await response.json()) as { csrfToken: string }),
      cookie: response.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; '),
    }))
    const tryCode = () =>
      fetch(`${strict.url}/api/auth/callback/code`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie },
        body: new URLSearchParams({ csrfToken, email: 'nobody@pond.example', otp: '123456' }),
      }).then((response) => response.headers.get('location'))
    expect([await tryCode(), await tryCode()]).toEqual([
      'http://beak.example/signin?error=E4006&next=%2Fhome',
      'http://beak.example/signin?error=E4004&next=%2Fhome',
    ])

    const account = { email: 'anas@pond.example', display_name: 'Anas' }
    const { body } = await send(strict, 'POST /beak/signup', { body: account })
    const page = await aPage()
    await page.context().addCookies([{ name: 'beak.session', value: body.token, url: strict.url }])
    await page.goto(`${strict.url}/profile`)
    const response = await page.goto(`${strict.url}/profile`)
    expect(response?.status()).toBe(429)
    expect(response?.headers()['retry-after']).toMatch(/^\d+$/)
    await page.getByRole('heading', { name: 'Too many requests' }).waitFor()
    expect(await page.content()).not.toMatch(/PageProblem|node_modules/)
    await strict.stop()
  }, 60_000)
})
