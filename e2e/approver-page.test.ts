/**
 * The page of the approver in a browser: a service enrols and lets decide by navigation, and what a service could try is refused. The service is a
 * page of this test on a host of its own.
 */

import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { base64url } from '@beak/proofs/bytes'
import { checkAssertion } from '@beak/proofs/receipts/assertion'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { verifyRegistrationResponse } from '@simplewebauthn/server'
import {
  account,
  agent,
  decideMessage,
  enrolMessage,
  type Faults,
  owner,
} from '@/lib/fixtures/approver-messages'
import { buildApprover } from '@/packages/approver/build.mjs'
import {
  type ApproverAnswer,
  type ApproverMessage,
  fragmentMax,
  messageAddress,
  readAnswer,
} from '@/packages/approver/messages'
import { type RefusalReason, refusals } from '@/packages/approver/refused'
import { serveApprover } from '@/packages/approver/serve.mjs'
import { freePort } from '@/scripts/servers/free-port.mjs'
import {
  button,
  expectAccessible,
  expectFocusOn,
  expectText,
  heading,
  type Passkeys,
  type StoredPasskeys,
  sidewaysOf,
  violationsOf,
  withAuthenticator,
} from './browser'
import { test as base, expect } from './own-server'
import { walk } from './page-checks/keyboard'

let approver: Awaited<ReturnType<typeof serveApprover>>
let service: Server
/** The address of the service, of a site that is not set up, and of a host that serves the page of the approver without headers. */
let [issuer, elsewhere, bare] = ['', '', '']

/** What a browser in which the service is set up has: what the approver remembers, and its passkey. */
interface Enrolment {
  credentialId: string
  publicKey: string
  memory: Awaited<ReturnType<BrowserContext['storageState']>>
  stored: StoredPasskeys
}

/** One for all tests of a worker: each of them would wait most of its time for an enrolment of its own. */
let enrolment: Enrolment

const newState = () => base64url(randomBytes(24))

/** Returns the message that asks for a passkey. */
const enrolling = (change = {}) =>
  enrolMessage({ issuer, return: `${issuer}/approver`, state: newState(), ...change })

/** Returns the message that asks for a signature of the passkey. */
function deciding(credentialId: string, { facts, message, ...faults }: Faults = {}) {
  return decideMessage({
    facts: { issuer, approver: approver.url, ...facts },
    message: {
      issuer,
      return: `${issuer}/approver`,
      state: newState(),
      credential_ids: [credentialId],
      ...message,
    },
    ...faults,
  })
}

/** Opens a message, as a link or redirect of the service does. */
async function sendTo(page: Page, message: ApproverMessage): Promise<void> {
  await page.goto(`${issuer}/`)
  await page.goto(messageAddress(approver.url, message))
}

/** Waits as long as a person reads at least. An earlier press does nothing. */
const readPage = (page: Page) => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 800)))

async function press(page: Page, name: string | RegExp): Promise<void> {
  await readPage(page)
  await button(page, name).click()
}

/** Returns the answer that the page took back to the service. */
async function answerAt(page: Page): Promise<ApproverAnswer | null> {
  await page.waitForURL(`${issuer}/approver#*`)
  return readAnswer(new URL(page.url()).hash)
}

async function expectRefused(page: Page, reason: RefusalReason): Promise<void> {
  await expect(heading(page, refusals[reason].title, 1)).toBeVisible()
  await expect(button(page, /passkey/)).toHaveCount(0)
}

interface Enrolled {
  credentialId: string
  /** Verifies that the passkey signed a statement on the approver. Throws for every other signature. */
  verify: (answer: ApproverAnswer | null, message: { statement_text: string }) => Promise<void>
}

interface Fixtures {
  /** The console of the page stays without errors, for example of its policy. */
  errors: string[]
  passkeys: Passkeys
  /** The service is set up in the browser of the page. */
  enrolled: Enrolled
}

const test = base.extend<Fixtures>({
  errors: async ({ context }, use) => {
    const errors: string[] = []
    context.on('console', (message) => {
      if (message.type() === 'error' && !/favicon/.test(message.location().url)) errors.push(message.text())
    })
    context.on('weberror', (error) => errors.push(String(error.error())))
    await use(errors)
    expect(errors).toEqual([])
  },
  page: async ({ page, errors: _ }, use) => use(page),
  passkeys: async ({ page }, use) => use(await withAuthenticator(page)),
  enrolled: async ({ context, passkeys }, use) => {
    const { credentialId, publicKey, memory, stored } = enrolment
    await context.setStorageState(memory)
    await passkeys.add(stored)
    await use({
      credentialId,
      verify: async (decided, { statement_text }) => {
        if (decided?.type !== 'decided') throw new Error('not decided')
        const { authenticatorData, clientDataJSON, signature } = decided.credential.response as Record<
          string,
          string
        >
        const assertion = { authenticatorData, clientDataJSON, signature } as never
        await checkAssertion(
          { credential_id: decided.credential.id, public_key: publicKey, assertion },
          statement_text,
          approver.url,
        )
      },
    })
  },
})

/** Sets the service up in a browser of its own, as a person does. */
async function enrol(browser: Browser): Promise<Enrolment> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const passkeys = await withAuthenticator(page)
  const message = enrolling()
  await sendTo(page, message)
  await press(page, 'Create passkey')
  const answer = await answerAt(page)
  if (answer?.type !== 'enrolled') throw new Error('not enrolled')
  expect(answer.state).toBe(message.state)
  const { registrationInfo } = await verifyRegistrationResponse({
    response: answer.credential as never,
    expectedChallenge: message.challenge,
    expectedOrigin: approver.url,
    expectedRPID: 'approver.localhost',
  })
  const publicKey = base64url(registrationInfo?.credential.publicKey ?? new Uint8Array())
  const [memory, stored] = [await context.storageState(), await passkeys.all()]
  await context.close()
  return { credentialId: answer.credential.id, publicKey, memory, stored }
}

// security: site-5
test.beforeAll(async ({ browser }) => {
  const built = await buildApprover(process.cwd())
  approver = await serveApprover(built, await freePort())
  const port = await freePort()
  issuer = `http://pond.localhost:${port}`
  elsewhere = `http://evil.localhost:${port}`
  bare = `http://bare.localhost:${port}`
  service = createServer(({ url = '', headers }, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
    if (`http://${headers.host}` === bare) return response.end(built.html)
    const framed = new URL(url, issuer).searchParams.get('frame')
    const frame = `<iframe title="Framed" width="600" height="600" src="${framed}"></iframe>`
    return response.end(`<!doctype html><title>Service</title>${framed === null ? '' : frame}`)
  })
  await new Promise<void>((resolve) => service.listen(port, '127.0.0.1', resolve))
  enrolment = await enrol(browser)
})
// security: site-5
test.afterAll(() => {
  approver?.close()
  service?.close()
  service?.closeAllConnections()
})

// security: site-5
test.describe('the start page', () => {
  test('says how to set the approver up, and has no service at first', async ({ page }) => {
    await page.goto(approver.url)
    await expectText(page, 'None yet.')
    await expect(page.getByText(approver.url, { exact: true })).toBeVisible()
    await expectFocusOn(page, 'See what you sign')
    await expectAccessible(page)
  })

  test('lists the service with its account, and forgets it on demand', async ({ page, enrolled }) => {
    await page.goto(approver.url)
    await expect(heading(page, new URL(issuer).host, 3)).toBeVisible()
    await expectText(page, account)
    await expectAccessible(page)

    await button(page, /^Forget/).click()
    await expectFocusOn(page, 'Keep it')
    await expectAccessible(page)
    await button(page, 'Forget this account').click()
    await expectText(page, 'None yet.')
    await sendTo(page, deciding(enrolled.credentialId))
    await expectRefused(page, 'not_enrolled')
  })
})

// security: site-5
test.describe('an enrolment', () => {
  test('shows the whole host of the service, and makes a passkey of the approver', async ({
    page,
    passkeys: _,
  }) => {
    await sendTo(page, enrolling())
    await expect(heading(page, 'Set up this approver?', 1)).toBeFocused()
    await expect(page.getByText(new URL(issuer).host, { exact: true })).toBeVisible()
    await expectText(page, account)
    await expectAccessible(page)
    await press(page, 'Create passkey')
    expect(await answerAt(page)).toMatchObject({ type: 'enrolled', credential: { type: 'public-key' } })
  })

  test('goes back without a passkey when the person cancels', async ({ page, passkeys: _ }) => {
    const message = enrolling()
    await sendTo(page, message)
    await button(page, 'Go back without a passkey').click()
    expect(await answerAt(page)).toEqual({ type: 'cancelled', version: 1, state: message.state })
    await page.goto(approver.url)
    await expectText(page, 'None yet.')
  })

  test('says what to do when the prompt gives no passkey', async ({ page, passkeys }) => {
    await passkeys.confirm(false)
    await sendTo(page, enrolling())
    await press(page, 'Create passkey')
    await expect(page.getByRole('status')).toContainText('Try again, or go back.')
    await passkeys.confirm(true)
    await button(page, 'Create passkey').click()
    expect((await answerAt(page))?.type).toBe('enrolled')
  })
})

// security: site-5
test.describe('a decision', () => {
  test('shows everything that is signed, and goes back with a signature of exactly that', async ({
    page,
    enrolled,
  }) => {
    const message = deciding(enrolled.credentialId, {
      params: { amount: { amount: 42, currency: 'EUR' }, to: 'Reed', site: 'https://shop.example/pay' },
    })
    await sendTo(page, message)
    await expect(heading(page, 'Approve this request?', 1)).toBeFocused()
    await expectText(page, 'Your passkey signs: approve')
    await expect(button(page, /^Reject/)).toHaveCount(0)
    const text = await page.getByRole('main').textContent()
    for (const part of [
      new URL(issuer).host,
      agent,
      owner,
      account,
      'pay an invoice, once, within 1 hour of the approval',
      '€42.00',
      'Reed',
      'https://shop.example/pay',
      'For the reeds.',
      'New to this approver',
      'shop.example',
      'order-17',
      '483920',
      '1 hour after the approval',
      '(in 2',
    ])
      expect(text).toContain(part)
    await page.getByText('Everything that is signed').click()
    await expectText(page, '"nonce"')
    await expectAccessible(page)

    await press(page, 'Approve with passkey')
    const answer = await answerAt(page)
    expect(answer?.state).toBe(message.state)
    await enrolled.verify(answer, message)
  })

  test('knows the requester the next time', async ({ page, enrolled }) => {
    await sendTo(page, deciding(enrolled.credentialId))
    await press(page, 'Approve with passkey')
    await answerAt(page)
    await sendTo(page, deciding(enrolled.credentialId))
    await expectText(page, 'You approved 1 request of this agent here')
    const other = { duckling_id: owner, agent_id: null }
    await sendTo(page, deciding(enrolled.credentialId, { facts: { requester: other } }))
    await expectText(page, 'New to this approver')
  })

  // security: site-3
  test('can be a rejection, which is no approval of the requester', async ({ page, enrolled }) => {
    const message = deciding(enrolled.credentialId, {
      action: 'delete:database',
      params: { name: 'customers' },
      facts: { decision: 'reject', code: null },
    })
    await sendTo(page, message)
    await expect(heading(page, 'Reject this request?', 1)).toBeVisible()
    await expectText(page, 'Your passkey signs: reject')
    await expectText(page, 'High risk')
    expect(await page.title()).toBe('Reject: delete a database – Approver')
    await expect(button(page, /^(Approve|Delete)/)).toHaveCount(0)
    await expectAccessible(page)
    await press(page, 'Reject with passkey')
    await enrolled.verify(await answerAt(page), message)
    await sendTo(page, deciding(enrolled.credentialId))
    await expectText(page, 'New to this approver')
  })

  test('names a high risk on its button', async ({ page, enrolled }) => {
    await sendTo(
      page,
      deciding(enrolled.credentialId, { action: 'delete:database', params: { name: 'customers' } }),
    )
    await expectText(page, 'High risk')
    await expectAccessible(page)
    await press(page, 'Delete the database “customers” with passkey')
    expect((await answerAt(page))?.type).toBe('decided')
  })

  test('goes back without a signature when the person cancels', async ({ page, enrolled }) => {
    const message = deciding(enrolled.credentialId)
    await sendTo(page, message)
    await button(page, 'Go back without signing').click()
    expect(await answerAt(page)).toEqual({ type: 'cancelled', version: 1, state: message.state })
  })

  test('says what to do when the passkey does not sign', async ({ page, enrolled, passkeys }) => {
    const message = deciding(enrolled.credentialId)
    await sendTo(page, message)
    await passkeys.confirm(false)
    await press(page, 'Approve with passkey')
    await expect(page.getByRole('status')).toContainText('Try again, or go back.')
    await expect(button(page, 'Approve with passkey')).toBeFocused()
    await passkeys.confirm(true)
    await button(page, 'Approve with passkey').click()
    await enrolled.verify(await answerAt(page), message)
  })

  test('ignores a press right after the page appears', async ({ page, enrolled }) => {
    await sendTo(page, deciding(enrolled.credentialId))
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await button(page, 'Approve with passkey').click()
    await expect(page.getByRole('status')).toContainText('Read the page first.')
    expect(page.url()).toContain(approver.url)
  })

  test('shows the focus on every control', async ({ page, enrolled }) => {
    await sendTo(page, deciding(enrolled.credentialId, { params: { password: 'correct horse' } }))
    await page.getByText('Everything that is signed').click()
    expect(await walk(page)).toEqual({ missed: [], unseen: [] })
  })

  test('is done with the keyboard alone', async ({ page, enrolled }) => {
    await sendTo(page, deciding(enrolled.credentialId))
    await readPage(page)
    await page.keyboard.press('Tab')
    await expectFocusOn(page, 'Everything that is signed')
    await page.keyboard.press('Tab')
    await expectFocusOn(page, 'Approve with passkey')
    await page.keyboard.press('Enter')
    expect((await answerAt(page))?.type).toBe('decided')
  })

  test('of a rejection fits on a screen of 320 pixels and is accessible in both themes', async ({
    page,
    enrolled,
  }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await sendTo(page, deciding(enrolled.credentialId, { facts: { decision: 'reject', code: null } }))
    await expectText(page, 'Your passkey signs: reject')
    expect(await sidewaysOf(page)).toBe(0)
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violationsOf(page, { only: ['color-contrast'] })).toEqual([])
  })

  test('fits on a screen of 320 pixels and is accessible in both themes', async ({ page, enrolled }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    const long = 'a'.repeat(300)
    const params = {
      [long]: long,
      url: `https://${long}.example/${long}`,
      deep: { [long]: [{ [long]: long }] },
    }
    await sendTo(
      page,
      deciding(enrolled.credentialId, { params, facts: { audience: `${long.slice(100)}.example` } }),
    )
    await expect(heading(page, 'Approve this request?')).toBeVisible()
    await page.getByText('Everything that is signed').click()
    expect(await sidewaysOf(page)).toBe(0)
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violationsOf(page, { only: ['color-contrast'] })).toEqual([])
  })
})

// security: site-5
test.describe('texts of strangers', () => {
  test('never become HTML', async ({ page, enrolled }) => {
    const tag = '<img src=x onerror="document.title=1"><b>bold</b>'
    await sendTo(
      page,
      deciding(enrolled.credentialId, {
        params: { [tag]: tag, long: `${tag}\n${tag}`, deep: { [tag]: [tag] } },
        facts: {
          audience: tag.slice(0, 60),
          requester: { duckling_id: tag.slice(0, 60), agent_id: tag.slice(0, 60) },
        },
      }),
    )
    await expect(heading(page, 'Approve this request?')).toBeVisible()
    await expect(page.locator('main :is(img, b)')).toHaveCount(0)
    expect(await page.getByText('<b>bold</b>').count()).toBeGreaterThan(3)
  })

  test('have visible hidden characters, and change no direction around them', async ({ page, enrolled }) => {
    await sendTo(
      page,
      deciding(enrolled.credentialId, {
        params: { note: 'pay \u202e24\u200b', site: 'https://shоp.example' },
        facts: { audience: 'shоp\u202e.example' },
      }),
    )
    await expectText(page, 'Contains characters that are not visible.')
    const marks = await page.locator('mark').allTextContents()
    expect(marks).toEqual(expect.arrayContaining(['⟨U+202E⟩', '⟨U+200B⟩', 'о']))
    const text = (await page.locator('main').textContent()) ?? ''
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/)
    const loose = await page.evaluate(() => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const found: string[] = []
      while (texts.nextNode()) {
        const { data, parentElement } = texts.currentNode as Text
        if (/⟨U\+/.test(data) && parentElement?.closest('bdi') === null) found.push(data)
      }
      return found
    })
    expect(loose).toEqual([])
  })

  test('hide a secret until the person reveals it', async ({ page, enrolled }) => {
    await sendTo(page, deciding(enrolled.credentialId, { params: { password: 'correct horse' } }))
    await expect(page.getByText('correct horse', { exact: true })).toBeHidden()
    await page.getByText('Secret: show 13 characters').click()
    await expect(page.getByText('correct horse', { exact: true })).toBeVisible()
  })

  test('say so when the service displayed something else', async ({ page, enrolled }) => {
    const sentence = 'read your profile, once, within 1 hour of the approval'
    await sendTo(page, deciding(enrolled.credentialId, { shown: { sentence } }))
    await expectText(page, 'The service displayed something else')
    await expectText(page, sentence)
    await expect(page.getByRole('main')).toContainText('pay an invoice, once')
    await expectAccessible(page)
  })
})

// security: site-5
test.describe('a service cannot', () => {
  const refused: [what: string, faults: () => Faults, reason: RefusalReason][] = [
    [
      'let the answer go to another origin',
      () => ({ message: { return: `${elsewhere}/` } }),
      'return_address',
    ],
    [
      'let the answer run as a script',
      () => ({ message: { return: 'javascript:alert(1)' } }),
      'return_address',
    ],
    ['ask for another account', () => ({ facts: { target_duckling_id: owner } }), 'other_account'],
    ['ask for a signature for another service', () => ({ facts: { issuer: elsewhere } }), 'other_issuer'],
    ['ask for a signature for another approver', () => ({ facts: { approver: bare } }), 'other_approver'],
    ['ask for a signature without an approver', () => ({ facts: { approver: null } }), 'other_approver'],
    ['ask for a signature of version 2', () => ({ facts: { version: 2 } }), 'statement_version'],
    [
      'ask for a signature after the end',
      () => ({ facts: { expires_at: '2026-01-01T00:00:00.000Z' } }),
      'expired',
    ],
    ['put a sentence into the action', () => ({ facts: { action: 'nothing, <b>really</b>' } }), 'action'],
    [
      'show other values than the signed ones',
      () => {
        const { values } = decideMessage({ params: { amount: 1 } })
        return { params: { amount: 1000 }, message: { values } }
      },
      'values_differ',
    ],
    [
      'hide a param',
      () => {
        const { values } = decideMessage()
        return { message: { values: { ...values, params: values.params.slice(1) } } }
      },
      'params_missing',
    ],
  ]
  // One page for all of them: a page of its own with the enrolment takes longer than the refusal.
  test('ask for what the passkey must not sign', async ({ page, enrolled }) => {
    for (const [what, faults, reason] of refused)
      await test.step(what, async () => {
        await sendTo(page, deciding(enrolled.credentialId, faults()))
        await expectRefused(page, reason)
      })
    // The frame of a refusal is the same for all reasons.
    await expectAccessible(page)
  })

  test('ask before it is set up, and gets no answer', async ({ page, enrolled }) => {
    const [other, back] = [elsewhere, `${elsewhere}/approver`]
    await sendTo(
      page,
      deciding(enrolled.credentialId, { facts: { issuer: other }, message: { issuer: other, return: back } }),
    )
    await expectRefused(page, 'not_enrolled')
    await expect(page.getByRole('button')).toHaveCount(0)
  })

  test('enrol at a host that may use the passkeys of the approver', async ({ page }) => {
    const { port } = new URL(issuer)
    for (const host of ['approver.localhost', 'pond.approver.localhost']) {
      const address = `http://${host}:${port}`
      await page.goto('about:blank')
      await page.goto(messageAddress(approver.url, enrolling({ issuer: address, return: `${address}/` })))
      await expectRefused(page, 'same_site')
    }
  })

  test('use a message twice', async ({ page, enrolled }) => {
    const message = deciding(enrolled.credentialId)
    await sendTo(page, message)
    await press(page, 'Approve with passkey')
    await answerAt(page)
    await sendTo(page, message)
    await expectRefused(page, 'answered')
  })

  test('find an answered message behind Back', async ({ page, enrolled }) => {
    await sendTo(page, deciding(enrolled.credentialId))
    await press(page, 'Approve with passkey')
    await answerAt(page)
    await page.goBack()
    expect(page.url()).toBe(`${issuer}/`)
  })

  test('send an enormous fragment', async ({ page }) => {
    await page.goto(`${approver.url}/#${'A'.repeat(fragmentMax + 1)}`)
    await expectRefused(page, 'too_long')
  })

  test('change the request while the page is open', async ({ page, enrolled }) => {
    await sendTo(page, deciding(enrolled.credentialId))
    await readPage(page)
    const other = messageAddress('', deciding(enrolled.credentialId, { action: 'delete:database' })).slice(1)
    await page.evaluate((hash) => {
      location.hash = hash
      document.querySelector('button')?.click()
    }, other)
    await expectRefused(page, 'changed')
    await button(page, 'Read the new request').click()
    await expectText(page, 'delete a database')
  })

  test('keep the page open until the request expires, and then have it signed', async ({
    page,
    enrolled,
  }) => {
    const expires_at = new Date(Date.now() + 3000).toISOString()
    await sendTo(page, deciding(enrolled.credentialId, { facts: { expires_at } }))
    await expectRefused(page, 'expired')
    await button(page, /^Go back to/).click()
    expect((await answerAt(page))?.type).toBe('cancelled')
  })

  test('show the page in a frame', async ({ page, errors }) => {
    await page.goto(`${issuer}/?frame=${encodeURIComponent(approver.url)}/`)
    await expect.poll(() => errors.splice(0).join()).toContain('frame-ancestors')
    await expect(page.frameLocator('iframe').getByRole('heading')).toHaveCount(0)
    // A host without headers cannot forbid frames, so the page looks itself.
    await page.goto(`${issuer}/?frame=${encodeURIComponent(bare)}/`)
    await expect(
      page.frameLocator('iframe').getByRole('heading', { name: refusals.frame.title }),
    ).toBeVisible()
    expect(errors.splice(0).filter((text) => !/frame-ancestors/.test(text))).toEqual([])
  })

  test('ask for the passkey of the approver on its own pages', async ({ page, enrolled }) => {
    await page.goto(`${issuer}/`)
    const error = await page.evaluate(async (id) => {
      const bytes = Uint8Array.from(atob(id.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
        one.charCodeAt(0),
      )
      const get = (rpId: string) =>
        navigator.credentials.get({
          publicKey: {
            rpId,
            challenge: new Uint8Array(32),
            allowCredentials: [{ type: 'public-key', id: bytes }],
            timeout: 500,
          },
        })
      const nameOf = (rpId: string) =>
        get(rpId).then(
          () => 'signed',
          (fault: Error) => fault.name,
        )
      return [await nameOf('approver.localhost'), await nameOf(location.hostname)]
    }, enrolled.credentialId)
    expect(error).toEqual(['SecurityError', 'NotAllowedError'])
  })

  test('hold a handle on the window of the approver', async ({ page, context }) => {
    await page.goto(`${issuer}/`)
    const opened = context.waitForEvent('page')
    await page.evaluate((url) => {
      Object.assign(window, { handle: window.open(url) })
    }, approver.url)
    await expect(heading(await opened, 'See what you sign')).toBeVisible()
    expect(await page.evaluate(() => (window as unknown as { handle: Window }).handle.closed)).toBe(true)
  })
})
