/** The controls of the webhook console. */
import type { Page } from '@playwright/test'
import { button, codeBlock, heading, link } from '../browser'

export const webhooks = {
  address: (page: Page) => page.getByLabel('Address'),
  description: (page: Page) => page.getByLabel('What it is for'),
  onlySome: (page: Page) => page.getByLabel('Only these'),
  kind: (page: Page, name: string) => page.getByLabel(name),
  add: (page: Page) => button(page, 'Add it'),
  secret: (page: Page) => codeBlock(page, 'Secret'),
  toTest: (page: Page) => link(page, 'Go on to the test'),
  sendTest: (page: Page) => button(page, 'Send a test'),
  delivery: (page: Page, kind: string) => page.locator('details', { hasText: kind }),
  rotate: (page: Page) => button(page, 'Rotate the secret'),
  confirmRotate: (page: Page) => button(page, 'Rotate it now'),
  newSecret: (page: Page) => heading(page, 'The new secret, shown this once'),
  bothSecretsSign: 'The old secret signs beside the new one',
  switchOff: (page: Page) => button(page, 'Switch it off'),
  switchOn: (page: Page) => button(page, 'Switch it on'),
  save: (page: Page) => button(page, 'Save'),
  remove: (page: Page) => button(page, 'Delete it'),
  confirmRemove: (page: Page) => button(page, 'Delete it for good'),
}
