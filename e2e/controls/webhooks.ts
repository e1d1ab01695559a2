/** The controls of the webhook console. */
import type { Page } from '@playwright/test'
import { button, codeBlock, heading, link } from '../browser'

export const webhooks = {
  address: (page: Page) => page.getByLabel('URL', { exact: true }),
  description: (page: Page) => page.getByLabel(/^Description/),
  onlySome: (page: Page) => page.getByLabel('Only these events'),
  kind: (page: Page, name: string) => page.getByLabel(name),
  add: (page: Page) => button(page, 'Add webhook'),
  secret: (page: Page) => codeBlock(page, 'Secret'),
  toTest: (page: Page) => link(page, 'Continue to the test'),
  sendTest: (page: Page) => button(page, 'Send a test'),
  delivery: (page: Page, kind: string) => page.locator('details', { hasText: kind }),
  rotate: (page: Page) => button(page, 'Rotate secret'),
  confirmRotate: (page: Page) => button(page, 'Rotate now'),
  newSecret: (page: Page) => heading(page, 'New secret, shown only once'),
  bothSecretsSign: 'Messages are signed with both the old and the new secret',
  switchOff: (page: Page) => button(page, 'Switch off webhook'),
  switchOn: (page: Page) => button(page, 'Switch on webhook'),
  save: (page: Page) => button(page, 'Save'),
  remove: (page: Page) => button(page, 'Delete webhook'),
  confirmRemove: (page: Page) => button(page, 'Delete permanently'),
}
