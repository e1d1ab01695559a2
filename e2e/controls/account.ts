/** The controls of a person's own pages: profile, security, certificate, account. */
import type { Page } from '@playwright/test'
import { button, link } from '../browser'

export const profile = {
  name: (page: Page) => page.getByRole('textbox', { name: 'Your name' }),
  changeName: (page: Page) => button(page, 'Change name'),
  takeBackNames: (page: Page) => button(page, 'Take back the name change'),
  about: (page: Page) => page.getByLabel('Short bio'),
  inDirectory: (page: Page) => page.getByLabel('Show me in the directory'),
  passkeyOnly: (page: Page) => page.getByLabel('Require my passkey to approve requests'),
  lowestTier: (page: Page) => page.getByRole('combobox'),
  /** Saves what others see. */
  saveProfile: (page: Page) => button(page, 'Save').first(),
  /** Saves who may ask, and how requests are answered. */
  saveRequests: (page: Page) => button(page, 'Save').last(),
  newAddress: (page: Page) => page.getByLabel('New email address'),
  sendCode: (page: Page) => button(page, 'Send code'),
  addressChanged: (address: string) => `Your email address is now ${address}.`,
  saved: 'Saved.',
  promptClosed: 'The passkey prompt was closed,',
  confirm: (page: Page) => button(page, 'Confirm with passkey'),
}

export const security = {
  phone: (page: Page) => page.getByLabel('Phone number'),
  passkeyName: (page: Page) => page.getByLabel(/Passkey name/),
  addPasskey: (page: Page) => button(page, 'Add a passkey'),
  passkeyAdded: 'is ready',
  reachT3: (page: Page) => button(page, 'Confirm with my passkey'),
  endorse: (page: Page) => button(page, /^Let another of your passkeys vouch for it/),
  removePasskey: (page: Page) => page.getByRole('button', { name: 'Remove', exact: true }),
  confirmRemoval: (page: Page) => button(page, 'Remove passkey'),
  endSession: (page: Page) => button(page, /^Sign out\s+device/),
  takeBackApproval: (page: Page) => button(page, /^Take back approval/),
  removeAll: (page: Page) => button(page, 'Remove all my passkeys…'),
  confirmRemoveAll: (page: Page) => button(page, 'Remove all my passkeys in 24 hours'),
  /** What every page says while a removal of all passkeys is pending. */
  removalBanner: (page: Page) => page.getByRole('region', { name: 'Removal of your passkeys' }),
  cancelRemoval: (page: Page) => button(page, 'Cancel the removal'),
}

export const certificate = {
  issue: (page: Page) => button(page, 'Issue my certificate'),
  document: (page: Page, name: string) => page.getByRole('article', { name: `Certificate of ${name}` }),
  download: (page: Page) => link(page, 'Download credential'),
  revoke: (page: Page) => button(page, 'Revoke this certificate'),
  reason: (page: Page) => page.getByLabel('Reason'),
  confirmRevoke: (page: Page) => button(page, 'Revoke permanently'),
  revoked: 'Your certificate is revoked.',
}

export const account = {
  download: (page: Page) => button(page, 'Download my data'),
  close: (page: Page) => button(page, 'Close my account'),
  typedEmail: (page: Page) => page.getByLabel('To confirm'),
  confirmClose: (page: Page) => button(page, 'Close permanently'),
}
