/** The controls of sign-up, sign-in and sign-out. */
import { expect, type Page } from '@playwright/test'
import { button, heading, open } from '../browser'

/** Opens the menu at the duck in the header. */
export const openAccountMenu = (page: Page) =>
  page.getByRole('banner').locator('summary[aria-label="Account menu"]').click()

export const signIn = {
  name: (page: Page) => page.getByLabel('Your name'),
  email: (page: Page) => page.getByLabel('Email address'),
  code: (page: Page) => page.getByLabel('Six-digit code'),
  signUp: (page: Page) => button(page, 'Sign up'),
  mailCode: (page: Page) => button(page, 'Send code'),
  withPasskey: (page: Page) => button(page, 'Sign in with a passkey'),
  /** Sends the code where no script does so once the code is complete. */
  withCode: (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true }),
  otherAddress: (page: Page) => button(page, 'Use another email or a passkey'),
  addPasskey: (page: Page) => button(page, 'Add a passkey'),
  skipPasskey: (page: Page) => button(page, 'Not now'),
  issueCertificate: (page: Page) => button(page, 'Issue my certificate'),
  signOut: async (page: Page) => {
    await openAccountMenu(page)
    await button(page, 'Sign out').click()
  },

  codeForm: (page: Page) => heading(page, 'Enter your code'),
  passkeyOffer: (page: Page) => heading(page, 'Skip the code next time'),
  certificateReady: (page: Page) => heading(page, 'Your certificate is ready'),
  signedOut: (page: Page) => heading(page, 'You are signed out'),
  wrongCode: (page: Page) => page.getByText("That code isn't right, or it has expired."),
}

/**
 * Presses the passkey button. Dispatches the event, because a real click moves focus and pointer, which also start the passkey offer of
 * the address field, and the authenticator of the tests would answer both.
 */
export async function signInWithPasskey(page: Page): Promise<void> {
  await signIn.withPasskey(page).dispatchEvent('click')
}

/** Fills in the form of the sign-up and sends it. */
export async function signUp(page: Page, name: string, email: string): Promise<void> {
  await open(page, '/signup')
  await signIn.name(page).fill(name)
  await signIn.email(page).fill(email)
  await signIn.signUp(page).click()
}

/** Signs in up to the form for the code. */
export async function askForCode(page: Page, email: string, path = '/signin'): Promise<void> {
  await open(page, path)
  await signIn.email(page).fill(email)
  await signIn.mailCode(page).click()
  await expect(signIn.codeForm(page)).toBeVisible()
}
