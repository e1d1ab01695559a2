/** A browser against a running server: pages with their console watched, people signed in by cookie, passkeys in software. */
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import type { Person, RunningServer } from './server'

// Browser tests take their people from one place.
export { aPerson, type Person } from './server'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * For suites in a browser: a machine that is busy with two browsers at once holds pages up for seconds, and what waits for
 * them is tried again. A guarantee that is broken fails every time.
 */
export const patient = { retry: 2, timeout: 60_000 }

/** Starts the browser that `npm test` has found. */
export function startBrowser(): Promise<Browser> {
  const { BEAK_BROWSER: executablePath = '/usr/bin/chromium' } = process.env
  return chromium.launch({ executablePath, args: flags })
}

/** Signs a browser context in with a session of the API, as the pages' own sign-in does. */
export async function signInAs(
  context: BrowserContext,
  server: RunningServer,
  person: Pick<Person, 'token'>,
): Promise<void> {
  await context.addCookies([
    { name: 'beak.session', value: person.token, url: server.url, httpOnly: true, sameSite: 'Lax' },
  ])
}

/** Everything a page complains about: console errors, uncaught errors, blocked scripts. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}

/** A passkey authenticator inside the browser (CDP WebAuthn domain), which says yes to everything unless told otherwise. */
export async function withAuthenticator(page: Page): Promise<{ session: CDPSession; id: string }> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId: id } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { session, id }
}
