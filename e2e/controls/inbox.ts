/** The controls of a request, on its page and in the inbox. */

import { actionWords } from '@beak/decision/display/display'
import { expect, type Locator, type Page } from '@playwright/test'
import { open } from '../browser'

/** An action without words of the service is shown as “book train”. */
const shownWords = (action: string) => actionWords(action).replace(':', ' ').replaceAll('_', ' ')

export const inbox = {
  /** The line of a request in the list: `send:email` is "Send an email". Its name may begin with a sentence about the request. */
  row: (page: Page, action: string) =>
    page
      .getByRole('list', { name: 'Pending requests' })
      .getByRole('link', { name: new RegExp(`^(?:.*\\. )?${shownWords(action)}`, 'i') }),
  rows: (page: Page) => page.locator('[data-row]'),
  /** The fold with the requests of people whom the person does not know, below those of others. */
  strangers: (page: Page) => page.locator('summary').filter({ hasText: "you don't know" }),
  /** The selected request, if it asks for this action. */
  card: (page: Page, action: string) =>
    page
      .getByRole('region', { name: 'Selected request' })
      .filter({ has: page.getByRole('heading', { name: `to ${shownWords(action)}` }) }),
  /** How many requests wait: "66 waiting, 4 match". */
  counts: (page: Page, words: string) =>
    page.getByRole('paragraph').filter({ hasText: new RegExp(`^${words}$`) }),
  isEmpty: (page: Page) => page.getByText("You're all caught up"),
  approve: (card: Locator) => card.getByRole('button', { name: 'Approve', exact: true }),
  holdToApprove: (card: Locator) => card.getByRole('button', { name: /^Hold/ }),
  approveInTwoSteps: (card: Locator) => card.getByText('Approve in two steps', { exact: true }),
  secondStep: (card: Locator) => card.getByRole('button', { name: /^Yes, / }),
  /** The button of the bar, which rejects with one click. */
  rejectNow: (card: Locator) => card.getByRole('button', { name: 'Reject', exact: true }),
  later: (card: Locator) => card.locator('summary').filter({ hasText: 'Later' }),
  inAnHour: (card: Locator) => card.getByRole('button', { name: /^In an hour/ }),
  approveWithPasskey: (card: Locator) => card.getByRole('button', { name: /with passkey$/ }),
  /** The field for the six digits that a service shows. */
  serviceCode: (card: Locator) => card.getByLabel(/^The code that .+ shows you$/),
  approveWithoutPasskey: (card: Locator) => card.getByRole('button', { name: 'Approve without passkey' }),
  approvedByPasskey: (card: Locator) => card.getByText('Approved and signed with your passkey.'),
  duration: (card: Locator) => card.getByLabel('Valid for'),
  reject: (card: Locator) => card.getByText('Reject with a reason …'),
  reason: (card: Locator) => card.getByLabel('Your own reason'),
  confirmReject: (card: Locator) => card.getByRole('button', { name: 'Reject request' }),
  receipt: (card: Locator) => card.getByRole('link', { name: 'Download receipt' }),
  undo: (place: Page | Locator) => place.getByRole('button', { name: /^Undo/ }),
  /** The button that opens the filters. Its name says how many are set. */
  filter: (page: Page) => page.locator('summary').filter({ hasText: /^Filter/ }),
  search: (page: Page) => page.getByLabel('Search requests'),
  selectAll: (page: Page) => page.getByLabel(/^Select all/),
}

/** Waits until the page receives new requests as they arrive. */
export const expectLive = (page: Page) => expect(page.locator('[data-connection="live"]')).toBeAttached()

export async function openInbox(page: Page): Promise<void> {
  await open(page, '/pecks')
  await expectLive(page)
}
