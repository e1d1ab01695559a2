/** The controls of the inbox of pecks. */
import { expect, type Locator, type Page } from '@playwright/test'
import { open } from '../browser'

export const inbox = {
  /** The card of a request, by its heading: `book:train` is "Book train". */
  card: (page: Page, name: string) => page.getByRole('article', { name }),
  isEmpty: (page: Page) => page.getByText("You're all caught up"),
  approve: (card: Locator) => card.getByRole('button', { name: 'Approve' }),
  approveWithPasskey: (card: Locator) => card.getByRole('button', { name: 'Approve with passkey' }),
  approvedByPasskey: (card: Locator) => card.getByText('Approved and signed with your passkey.'),
  duration: (card: Locator) => card.getByLabel('Valid for'),
  reject: (card: Locator) => card.getByText('Reject …'),
  reason: (card: Locator) => card.getByLabel('Your own reason'),
  confirmReject: (card: Locator) => card.getByRole('button', { name: 'Reject request' }),
  receipt: (card: Locator) => card.getByRole('link', { name: 'Download receipt' }),
}

/** Waits until the page receives new requests as they arrive. */
export const expectLive = (page: Page) => expect(page.locator('[data-connection="live"]')).toBeAttached()

export async function openInbox(page: Page): Promise<void> {
  await open(page, '/pecks')
  await expectLive(page)
}
