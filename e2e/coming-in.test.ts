/**
 * Sign-up, sign-in and sign-out in a browser, with codes and with passkeys, and their errors. Also the routes of next-auth, the
 * development outbox and error pages.
 */
import { request } from 'node:http'
import type { Page } from '@playwright/test'
import { addPasskey, expectText, heading, link, open, openUnfolded, signInAs, tokenOf } from './browser'
import { askForCode, signIn, signInWithPasskey, signUp } from './controls/sign-in'
import { expect, test } from './fixtures'
import { codeAfter, codeIn, outboxAddressOf, wrongCode } from './outbox'
import { anAddress, anotherSession, aPerson, profileOf, statusOf } from './people'
import { type Server, send } from './server'

/** Returns the cookies that make the browser a known device. */
const deviceCookies = async (page: Page) =>
  (await page.context().cookies()).filter(({ name }) => name.startsWith('beak.device.'))

const listMe = (page: Page) => page.getByLabel('List me in the public directory')

/** Uses up the five tries that a code has. */
async function enterFiveWrongCodes(server: Server, email: string, code: string): Promise<void> {
  for (const _ of [1, 2, 3, 4, 5])
    await send(server, 'POST /beak/signin', { body: { email, otp: wrongCode(code) } })
}

test.describe('signing up', () => {
  test('leads from the form to the code, a passkey, a certificate and the home page', {
    tag: '@changed',
  }, async ({ page, passkeys: _, server }) => {
    const email = anAddress('gadwall')
    const code = await codeAfter(server, email, () => signUp(page, 'Gadwall', email))
    await expect(heading(page, 'Confirm your email')).toBeVisible()
    await expect(signIn.code(page)).toBeFocused()
    // A complete code is submitted automatically, also with spaces from a mail program.
    await signIn.code(page).fill(` ${code.slice(0, 3)} ${code.slice(3)}`)
    await expect(heading(page, 'Hello, Gadwall')).toBeVisible()
    expect((await profileOf(server, { token: await tokenOf(page) })).trust_tier).toBe('T1')
    await signIn.addPasskey(page).click()
    await expect(listMe(page)).not.toBeChecked()
    await signIn.issueCertificate(page).click()
    await expect(signIn.certificateReady(page)).toBeVisible()
    await link(page, 'Go home').click()
    await page.waitForURL('**/home')
    expect((await profileOf(server, { token: await tokenOf(page) })).directory_visible).toBe(false)
  })

  test('lists in the directory who ticks that, and nobody else', async ({ page, passkeys: _, server }) => {
    const email = anAddress('lister')
    await signIn.code(page).fill(await codeAfter(server, email, () => signUp(page, 'Lister', email)))
    await expect(heading(page, 'Hello, Lister')).toBeVisible()
    const visible = async () => (await profileOf(server, { token: await tokenOf(page) })).directory_visible
    expect(await visible()).toBe(false)
    await signIn.addPasskey(page).click()
    await listMe(page).check()
    await signIn.issueCertificate(page).click()
    await expect(signIn.certificateReady(page)).toBeVisible()
    expect(await visible()).toBe(true)
  })

  test('shows errors beside the fields, keeps the typed values, and fills in nothing of the link', {
    tag: '@changed',
  }, async ({ page }) => {
    await open(page, '/signup?pass=SUP-1&email=thief%40evil.example&name=Thief')
    await expect(signIn.email(page)).toHaveValue('')
    await expect(signIn.name(page)).toHaveValue('')
    await signIn.name(page).fill('Admin1')
    await signIn.email(page).fill('not an address')
    await signIn.signUp(page).click()
    await expect(signIn.email(page)).toHaveAttribute('aria-invalid', 'true')
    await expect(signIn.name(page)).toHaveAttribute('aria-invalid', 'true')
    await expect(signIn.name(page)).toHaveValue('Admin1')
    await expect(signIn.name(page)).toBeFocused()
    await expect(signIn.email(page)).toHaveValue('not an address')
  })

  test('leads to the sign-in with a registered email, and keeps the email', async ({ page, person }) => {
    await signUp(page, 'Another', person.email)
    await expectText(page, 'This email already has an account')
    await expect(signIn.email(page)).toHaveValue(person.email)
    expect(page.url()).not.toContain('pond')
  })

  test('sends the code to a corrected email, and frees the mistyped one', async ({ page, server }) => {
    const [wrong, right] = [anAddress('tpyo'), anAddress('typo')]
    await signUp(page, 'Typo', wrong)
    await page.getByText('Wrong email?').click()
    await page.getByLabel('Correct email address').fill(right)
    await page.getByRole('button', { name: 'Send code to this email' }).click()
    await expectText(page, right)
    await signIn.code(page).fill(await codeIn(server, right))
    await expect(heading(page, 'Hello, Typo')).toBeVisible()
    const body = { email: wrong, display_name: 'Owner' }
    expect((await send(server, 'POST /beak/signup', { body })).status).toBe(200)
  })
})

test.describe('signing in with a code', () => {
  test('shows a wrong code beside the field, keeps the email, and then accepts the right code', {
    tag: '@changed',
  }, async ({ page, person, server }) => {
    const code = await codeAfter(server, person.email, () =>
      askForCode(page, person.email, '/signin?next=%2Fsecurity'),
    )
    await signIn.code(page).fill(wrongCode(code))
    await expect(signIn.wrongCode(page)).toBeVisible()
    await expectText(page, person.email)
    // A reload loses nothing, and the URL does not contain the email address.
    await page.reload()
    await expectText(page, person.email)
    expect(page.url()).not.toContain('pond.example')
    await signIn.code(page).fill(code)
    // A person without a passkey gets the offer of one once.
    await expect(signIn.passkeyOffer(page)).toBeVisible()
    await signIn.skipPasskey(page).click()
    await page.waitForURL('**/security')
    expect(await statusOf(server, await tokenOf(page))).toBe(200)
  })

  test('rejects the code after five wrong tries, says so, and continues with a new code', async ({
    page,
    person,
    server,
  }) => {
    const code = await codeAfter(server, person.email, () => askForCode(page, person.email))
    // In the page, because wrong codes count for the network that sends them.
    const wrong = Array.from({ length: 6 }, (_, digit) => String(digit).repeat(6)).filter(
      (one) => one !== code,
    )
    for (const entered of wrong.slice(0, 5)) {
      const answered = page.waitForResponse((response) => response.request().method() === 'POST')
      await signIn.code(page).fill(entered)
      await answered
      // The answer is shown: it empties the field.
      await expect(signIn.code(page)).toHaveValue('')
    }
    await signIn.code(page).fill(code)
    await expectText(page, 'Five wrong codes')
    await signIn.otherAddress(page).click()
    await expect(signIn.email(page)).toHaveValue(person.email)
    const fresh = await codeAfter(server, person.email, () => signIn.mailCode(page).click())
    await signIn.code(page).fill(fresh)
    await expect(signIn.passkeyOffer(page)).toBeVisible()
  })

  test('remembers the browser as a known device, whose codes still work after five wrong tries of strangers', async ({
    page,
    server,
  }) => {
    const person = await aPerson(server, 'Canvasback')
    const askForProfile = () =>
      codeAfter(server, person.email, () => askForCode(page, person.email, '/signin?next=%2Fprofile'))
    await signIn.code(page).fill(await askForProfile())
    await signIn.skipPasskey(page).click()
    await expect(heading(page, 'Profile', 1)).toBeVisible()
    await signIn.signOut(page)
    await expect(signIn.signedOut(page)).toBeVisible()
    const [kept] = await deviceCookies(page)
    expect(kept).toMatchObject({
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
      value: expect.stringMatching(/^DEV-/),
    })
    expect(kept?.name).not.toContain('canvasback')
    const code = await askForProfile()
    await enterFiveWrongCodes(server, person.email, code)
    await signIn.code(page).fill(code)
    await expect(heading(page, 'Profile', 1)).toBeVisible()
    expect((await deviceCookies(page)).map(({ value }) => value)).toEqual([kept?.value])
  })

  test('shows a countdown to the next code, hidden from screen readers, and then sends a code', {
    tag: '@changed',
  }, async ({ page, person, server }) => {
    await page.clock.install()
    await codeAfter(server, person.email, () => askForCode(page, person.email))
    const resend = page.getByRole('button', { name: 'Send a new code' })
    await expect(resend).toHaveAttribute('aria-disabled', 'true')
    await expect(resend.locator('[aria-hidden="true"]')).toHaveText(/^in (29|30) s$/)
    await page.clock.runFor(31_000)
    await codeAfter(server, person.email, () =>
      page.getByRole('button', { name: 'Send a new code', exact: true }).click(),
    )
    await expectText(page, 'A new code is on its way.')
    await expect(resend).toHaveAttribute('aria-disabled', 'true')
  })

  test('works without JavaScript', async ({ newPage, person, server }) => {
    const page = await newPage({ javaScriptEnabled: false })
    await page.goto('/signin?next=%2Fprofile')
    await expect(signIn.withPasskey(page)).toBeHidden()
    await signIn.email(page).fill(person.email)
    const code = await codeAfter(server, person.email, () => signIn.mailCode(page).click())
    await signIn.code(page).fill(wrongCode(code))
    await signIn.withCode(page).click()
    await expect(signIn.wrongCode(page)).toBeVisible()
    await signIn.code(page).fill(code)
    await signIn.withCode(page).click()
    await signIn.skipPasskey(page).click()
    await expect(heading(page, 'Profile', 1)).toBeVisible()
  })

  // security: site-8
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example/', '/\t/evil.example'])
    test(`stays on this site, whatever next says: ${JSON.stringify(next)}`, async ({ person, server }) => {
      const response = await fetch(`${server.url}/signin?next=${encodeURIComponent(next)}`, {
        headers: { cookie: `beak.session=${person.token}` },
        redirect: 'manual',
      })
      expect(response.headers.get('location')).toBe('/home')
    })
})

test.describe('signing in with a passkey', () => {
  test('signs in with the button, and ends the session that it replaces', async ({
    ownPage: page,
    passkeys: _,
    person,
    server,
  }) => {
    await open(page, '/signin/passkey')
    await signIn.addPasskey(page).click()
    await expect(heading(page, 'Your passkey is ready')).toBeVisible()
    await open(page, '/signin?reason=fresh&next=%2Fsecurity')
    await expectText(page, 'needs a fresh sign-in')
    await signInWithPasskey(page)
    await page.waitForURL('**/security')
    const token = await tokenOf(page)
    expect(token).not.toBe(person.token)
    expect([await statusOf(server, token), await statusOf(server, person.token)]).toEqual([200, 401])
    expect(await deviceCookies(page)).toMatchObject([{ httpOnly: true, sameSite: 'Lax' }])
  })

  test('signs in with the passkey that the browser offers in the email field', async ({
    page,
    person,
    passkeys,
    server,
  }) => {
    await addPasskey(server, person, passkeys)
    await open(page, '/signin?next=%2Fsecurity')
    await signIn.email(page).focus()
    await page.waitForURL('**/security')
    expect(await statusOf(server, await tokenOf(page))).toBe(200)
  })

  test('works again after a closed prompt', { tag: '@changed' }, async ({
    page,
    person,
    passkeys,
    server,
  }) => {
    await addPasskey(server, person, passkeys)
    await passkeys.confirm(false)
    await open(page, '/signin')
    await signInWithPasskey(page)
    await expectText(page, 'The passkey prompt was closed.')
    await passkeys.confirm(true)
    await signInWithPasskey(page)
    await page.waitForURL('**/home')
  })

  test('says what to do when the passkey was removed', async ({
    page,
    person,
    passkeys,
    complaints,
    server,
  }) => {
    complaints.expect(/status of 401/)
    await addPasskey(server, person, passkeys)
    await open(page, '/signin')
    await signInWithPasskey(page)
    await page.waitForURL('**/home')
    // A session that began with the passkey may remove the passkey.
    const token = await tokenOf(page)
    const { body } = await send(server, 'GET /beak/passkey/list', { token })
    const [{ passkey_id }] = body.items
    const removed = await send(server, 'POST /beak/passkey/remove', { token, body: { passkey_id } })
    expect(removed.status).toBe(200)
    await page.context().clearCookies()
    await open(page, '/signin')
    await signInWithPasskey(page)
    await expectText(page, 'it may have been removed from your account')
    await expect(signIn.mailCode(page)).toBeVisible()
  })
})

test.describe('signing out', () => {
  test('ends the session at the API, and confirms it', async ({ ownPage: page, person, server }) => {
    await openUnfolded(page, '/profile')
    await signIn.signOut(page)
    await expect(signIn.signedOut(page)).toBeVisible()
    expect(await statusOf(server, person.token)).toBe(401)
    expect(await tokenOf(page)).toBe('')
  })

  test('on all other devices takes effect at their next request, says why, and keeps the page to return to', async ({
    ownPage: page,
    person,
    server,
  }) => {
    const { token } = await anotherSession(server, person)
    await send(server, 'POST /beak/session/revoke', { token, body: { all_others: true } })
    await page.goto('/profile')
    await expectText(page, 'You have been signed out')
    expect(new URL(page.url()).searchParams.get('next')).toBe('/profile')
  })
})

interface AuthForm {
  csrfToken?: string
  cookie?: string
  origin?: string
  fields?: Record<string, string>
}

/** Returns the token and the cookie that a form for next-auth needs. */
async function csrfOf({ url }: Server) {
  const response = await fetch(`${url}/api/auth/csrf`)
  const { csrfToken } = (await response.json()) as { csrfToken: string }
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0])
  return { csrfToken, cookie: cookies.join('; ') }
}

/** Posts a form to next-auth. */
function postAuth({ url }: Server, action: string, form: AuthForm): Promise<Response> {
  return fetch(`${url}/api/auth/${action}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: form.cookie ?? '', ...(form.origin ? { origin: form.origin } : {}) },
    body: new URLSearchParams({ csrfToken: form.csrfToken ?? '', ...form.fields }),
  })
}

test.describe("next-auth's own routes", () => {
  const sessionIn = (response: Response) =>
    response.headers
      .getSetCookie()
      .map((line) => /^beak\.session=([^;]*)/.exec(line)?.[1])
      .find((value) => value !== undefined)

  // security: check-68
  test('answer 404 when no page needs them', async ({ server }) => {
    const shut = ['providers', 'session', 'signin', 'signout', 'error', 'verify-request', 'callback/code']
    for (const action of shut)
      expect([action, (await fetch(`${server.url}/api/auth/${action}`)).status]).toEqual([action, 404])
    for (const action of ['session', 'signin/code', '_log', 'callback/other', 'callback'])
      expect([action, (await postAuth(server, action, await csrfOf(server))).status]).toEqual([action, 404])
  })

  test('store the session token of the API in the cookie, and end that session', async ({
    person,
    server,
  }) => {
    const { email } = person
    const fields = { email, otp: await codeIn(server, email), callbackUrl: '//evil.example', json: 'true' }
    const csrf = await csrfOf(server)
    const signedIn = await postAuth(server, 'callback/code', { ...csrf, origin: server.url, fields })
    expect([signedIn.status, await signedIn.json()]).toEqual([200, { url: `${server.url}/home` }])
    const token = sessionIn(signedIn) ?? ''
    // A browser follows Max-Age and not the time of a machine whose clock may be wrong.
    const stored = signedIn.headers.getSetCookie().find((one) => one.startsWith('beak.session='))
    expect(stored).toContain('; Max-Age=86400;')
    expect(await statusOf(server, token)).toBe(200)
    const cookie = `${csrf.cookie}; beak.session=${token}`
    const signedOut = await postAuth(server, 'signout', { ...csrf, cookie })
    expect([signedOut.status, signedOut.headers.get('location')]).toEqual([303, `${server.url}/signed-out`])
    expect([sessionIn(signedOut), await statusOf(server, token)]).toEqual(['', 401])
  })

  test('show only the code of a failure, and record the failure in the audit log', async ({
    person,
    server,
  }) => {
    const { email, token } = person
    const fields = { email, otp: wrongCode(await codeIn(server, email)) }
    const refused = await postAuth(server, 'callback/code', { ...(await csrfOf(server)), fields })
    expect(refused.headers.get('location')).toBe(`${server.url}/signin?error=E4006&next=%2Fhome`)
    expect(sessionIn(refused)).toBeUndefined()
    const { body } = await send(server, 'GET /beak/audit?action=session.started', { token })
    expect(body.items[0].outcome).toBe('denied')
  })

  test('refuse forms from other sites', async ({ person, server }) => {
    const { email } = person
    const fields = { email, otp: await codeIn(server, email) }
    const csrf = await csrfOf(server)
    for (const form of [
      { fields },
      { ...csrf, csrfToken: 'made up', fields },
      { ...csrf, cookie: '', fields },
      { ...csrf, origin: 'https://evil.example', fields },
      { ...csrf, origin: 'null', fields },
    ]) {
      const response = await postAuth(server, 'callback/code', form)
      expect([response.status, sessionIn(response)]).toEqual([403, undefined])
    }
  })
})

test.describe('the outbox of a development server', () => {
  test('shows the newest code first, and answers 404 under any other host name', async ({
    page,
    person,
    complaints,
    server,
  }) => {
    complaints.expect(/status of 404/)
    expect((await page.goto('/dev/outbox'))?.status()).toBe(404)
    await page.goto(outboxAddressOf(server))
    await expect(page).toHaveURL('/')
    await page.goto('/dev/outbox')
    const newest = page.getByRole('listitem').filter({ hasText: person.email }).first()
    const code = await codeIn(server, person.email)
    await expect(newest.getByText(code, { exact: true }).first()).toBeVisible()
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

test.describe('an error page', () => {
  test('has status 404 and our own text for an unknown address', async ({ page, complaints }) => {
    complaints.expect(/status of 404/)
    expect(await open(page, '/nothing/here')).toBe(404)
    await expect(heading(page, 'Page not found')).toBeVisible()
  })

  test('says that the browser is offline while it is', { tag: '@changed' }, async ({
    page,
    context,
    complaints,
  }) => {
    complaints.expect(/ERR_INTERNET_DISCONNECTED/)
    await open(page, '/signin')
    await context.setOffline(true)
    await expect(page.getByText("You're offline.")).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByText("You're offline.")).toHaveCount(0)
  })
})

// security: check-15
test('a public server has no outbox, counts sign-ins through next-auth like those at the API, and sends Retry-After', async ({
  start,
  page,
  complaints,
}) => {
  complaints.expect(/status of 429/)
  const strict = await start({
    env: {
      LOG_LEVEL: 'silent',
      BASE_URL: 'http://beak.example',
      LIMIT_SIGNIN: '1/1',
      LIMIT_AUTHENTICATED: '1/1',
    },
  })
  expect((await fetch(`${strict.url}/dev/outbox`)).status).toBe(404)

  const csrf = await csrfOf(strict)
  const fields = { email: 'nobody@pond.example', otp: '123456' }
  const tryCode = async () =>
    (await postAuth(strict, 'callback/code', { ...csrf, fields })).headers.get('location')
  expect([await tryCode(), await tryCode()]).toEqual([
    'http://beak.example/signin?error=E4006&next=%2Fhome',
    'http://beak.example/signin?error=E4004&next=%2Fhome',
  ])

  const account = { email: 'anas@pond.example', display_name: 'Anas' }
  const { body } = await send(strict, 'POST /beak/signup', { body: account })
  await signInAs(page.context(), strict, body)
  await page.goto(`${strict.url}/profile`)
  const response = await page.goto(`${strict.url}/profile`)
  expect(response?.status()).toBe(429)
  expect(response?.headers()['retry-after']).toMatch(/^\d+$/)
  await expect(heading(page, 'Too many requests')).toBeVisible()
  expect(await page.content()).not.toMatch(/PageProblem|node_modules/)
})
