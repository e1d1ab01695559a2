/** 40 requests of a household, decided one by one: how many keys and how many taps that takes (docs/trips.md). */
import type { Page } from '@playwright/test'
import { inbox, openInbox } from './controls/inbox'
import { expect, test } from './fixtures'
import { ownRequests } from './household'
import { aPerson, type Session } from './people'
import { type Server, send } from './server'

const pane = (page: Page) => page.getByRole('region', { name: 'Selected request' })
const selected = (page: Page) => page.locator('[data-row]:has(a[aria-current])')

const pendingOf = async (server: Server, { token }: Session) =>
  (await send(server, 'GET /beak/peck/inbox?limit=1', { token })).body.total

/** Keys and buttons decide nothing in the first moment after another request is shown. A person reads it in this time. */
const readIt = (page: Page) => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 600)))

/** Decides every request: rejects a high risk, and approves the others. Returns how often `decide` was called. */
async function decideAll(
  page: Page,
  decide: (isHigh: boolean) => Promise<void>,
  count: number,
): Promise<number> {
  let times = 0
  for (; times < count; times++) {
    const row = selected(page)
    const id = await row.getAttribute('data-row')
    await expect(page.locator(`#request-${id}`)).toBeVisible()
    await readIt(page)
    await decide((await row.locator('[data-risk]').getAttribute('data-risk')) === 'high')
    await expect(page.locator(`[data-row="${id}"]`)).toContainText(/Approved|Rejected/)
  }
  return times
}

test('40 requests of a household take 40 keys', async ({ newPage, server }) => {
  test.setTimeout(300_000)
  const person = await aPerson(server, 'Keyboard')
  await ownRequests(server, person)
  const page = await newPage({ as: person })
  await openInbox(page)
  await expect(inbox.rows(page)).toHaveCount(40)
  const keys = await decideAll(page, (isHigh) => page.keyboard.press(isHigh ? 'r' : 'a'), 40)
  expect(keys).toBe(40)
  // The last rejections can be undone for ten seconds.
  await expect.poll(() => pendingOf(server, person)).toBe(0)
})

test('40 requests of a household take 41 taps on a phone', async ({ newPage, server }) => {
  test.setTimeout(300_000)
  const person = await aPerson(server, 'Thumb')
  await ownRequests(server, person)
  const page = await newPage({
    as: person,
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  })
  await openInbox(page)
  await expect(inbox.rows(page)).toHaveCount(40)
  await inbox.rows(page).first().getByRole('link').tap()
  const decide = (isHigh: boolean) =>
    isHigh ? inbox.rejectNow(pane(page)).tap() : inbox.approve(pane(page)).tap()
  const taps = 1 + (await decideAll(page, decide, 40))
  expect(taps).toBe(41)
  await expect.poll(() => pendingOf(server, person)).toBe(0)
})
