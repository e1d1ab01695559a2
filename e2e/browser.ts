/** Steps in a browser that many tests share. */
import { readFileSync } from 'node:fs'
import { type BrowserContext, type CDPSession, expect, type Locator, type Page } from '@playwright/test'
import type axeCore from 'axe-core'
import type { RunOptions } from 'axe-core'
import { Authenticator } from '@/lib/factories/authenticator'
import type { Session } from './people'
import { type Server, send } from './server'

/** The minified program of axe: each page compiles it again, and it has half the size of the other one. */
const axeProgram = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

/** Signs a browser context in with a session of the API, as the sign-in of the pages does. */
export async function signInAs(context: BrowserContext, server: Server, { token }: Session): Promise<void> {
  await context.addCookies([
    { name: 'beak.session', value: token, url: server.url, httpOnly: true, sameSite: 'Lax' },
  ])
}

/** Returns the session token in the cookies of a browser, or an empty text. */
export const tokenOf = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === 'beak.session')?.value ?? ''

/**
 * Waits until React handles every control of the page. A click before that is lost when only a script handles it, and the browser's load
 * event may come earlier.
 */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('button, input:not([type=hidden]), select, textarea, summary')].every(
      (control) => Object.keys(control).some((key) => key.startsWith('__reactFiber')),
    ),
  )
  // React marks the controls while it renders, and adds the listeners for keys in a later task. The browser is idle after both.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
}

/** Opens a page in a browser with JavaScript, and waits until it can be used. */
export async function open(page: Page, path: string): Promise<number> {
  const answer = await page.goto(path)
  await hydrated(page)
  return answer?.status() ?? 0
}

/** Opens a page of settings with all of its folded sections, as a person who looks for one of them. */
export async function openUnfolded(page: Page, path: string): Promise<void> {
  await open(page, path)
  await unfold(page)
}

/** Opens the folded sections of a page of settings. */
export const unfold = (page: Page) =>
  page.locator('details[data-unfolds]').evaluateAll((folds) => {
    for (const fold of folds as HTMLDetailsElement[]) fold.open = true
  })

const storedIn = async (session: CDPSession, authenticatorId: string) =>
  (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials

/** Passkeys with their private keys. */
export type StoredPasskeys = Awaited<ReturnType<typeof storedIn>>

export interface Passkeys {
  /** Whether the authenticator confirms who is there. Without that, it answers like a prompt that was closed. */
  confirm: (isUserVerified: boolean) => Promise<void>
  /** Takes all passkeys away, as on another device. Returns the function that brings them back, in place of those that came since. */
  takeAway: () => Promise<() => Promise<void>>
  all: () => Promise<StoredPasskeys>
  /** Adds passkeys of another authenticator, as a synced account does. */
  add: (stored: StoredPasskeys) => Promise<void>
}

/** Gives a page an authenticator for passkeys, which confirms everything unless told otherwise. */
export async function withAuthenticator(page: Page): Promise<Passkeys> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const all = () => storedIn(session, authenticatorId)
  const clear = () => session.send('WebAuthn.clearCredentials', { authenticatorId })
  const add = async (stored: StoredPasskeys) => {
    for (const credential of stored)
      await session.send('WebAuthn.addCredential', { authenticatorId, credential })
  }
  return {
    confirm: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    takeAway: async () => {
      const stored = await all()
      await clear()
      return async () => {
        await clear()
        await add(stored)
      }
    },
    all,
    add,
  }
}

const base64 = (base64url: string) => Buffer.from(base64url, 'base64url').toString('base64')

/**
 * Adds a passkey to a person over the API, and its key to an authenticator. That takes no page, and a tenth of the time. `use`: what the passkey
 * signs over the API, before the authenticator has it and counts on.
 */
export async function addPasskey(
  server: Server,
  { token }: Session,
  passkeys: Passkeys,
  use?: (sign: (options: Parameters<Authenticator['get']>[0]) => object) => Promise<void>,
): Promise<void> {
  const authenticator = new Authenticator()
  const { body: options } = await send(server, 'POST /beak/passkey/register', { token })
  const credential = authenticator.create(options, { origin: server.url })
  const { status } = await send(server, 'POST /beak/passkey/register/verify', { token, body: { credential } })
  expect(status).toBe(200)
  await use?.((asked) => authenticator.get(asked, { origin: server.url, rpId: options.rp.id }))
  const { credentialId, userHandle, privateKey } = authenticator.save()
  await passkeys.add([
    {
      credentialId: base64(credentialId),
      isResidentCredential: true,
      rpId: options.rp.id,
      userHandle: base64(userHandle ?? ''),
      privateKey: privateKey.replaceAll(/-----.*-----|\n/g, ''),
      signCount: authenticator.counter,
    },
  ])
}

/** Waits until the browser has drawn a change of its size or theme: what scripts then do, and transitions. */
export async function waitUntilDrawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY,
      ),
  )
}

/** Which rules axe runs; all unless said. */
interface Rules {
  only?: string[]
  without?: string[]
}

/** Returns what axe finds wrong on a page, rule and element. */
export async function violationsOf(page: Page, { only, without = [] }: Rules = {}): Promise<string[]> {
  const disabled = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]))
  const options: RunOptions = {
    resultTypes: ['violations'],
    // Axe would copy every style sheet for a rule that is off.
    preload: { assets: ['media'] },
    // Axe leaves out the rule of WCAG 2.2 for the size of targets unless asked.
    ...(only ? { runOnly: only } : { rules: { 'target-size': { enabled: true }, ...disabled } }),
  }
  await waitUntilDrawn(page)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeProgram)
  return page.evaluate(async (given) => {
    const { axe } = window as unknown as { axe: typeof axeCore }
    // Scrolling brings out what the bar of a decision covers, and how much it covers is a matter of the length of the request.
    const bars = [...document.querySelectorAll<HTMLElement>('[data-decision-bar]')]
    for (const bar of bars) bar.style.position = 'relative'
    const { violations } = await axe.run(document, given)
    for (const bar of bars) bar.style.position = ''
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
  }, options)
}

export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([])
}

/**
 * Returns by how many pixels the page is wider than the screen, once it is drawn: right after a change of size, Chromium
 * can still count hidden text where it stood before.
 */
export async function sidewaysOf(page: Page): Promise<number> {
  await waitUntilDrawn(page)
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
export const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name })
export const heading = (page: Page, name: string | RegExp, level?: number) =>
  page.getByRole('heading', { name, ...(level ? { level } : {}) })

/** Expects a text that the page shows at least once. */
export const expectText = (page: Page, text: string | RegExp) =>
  expect(page.getByText(text).first()).toBeVisible()

/** Expects the focus on an element with this text. */
export const expectFocusOn = (page: Page, text: string | RegExp) =>
  expect(page.locator(':focus')).toContainText(text)

/** Returns the text of the code block below a label, as its copy button copies it. */
export async function codeBlock(page: Page, label: string): Promise<string> {
  const block: Locator = page.locator(`xpath=//span[.="${label}"]/ancestor::div[pre][1]/pre`)
  return (await block.textContent()) ?? ''
}
