/** The inbox of a household with 60 requests: what its rows say, the fold of people whom the person does not know, and what covers nothing. */
import type { Locator, Page } from '@playwright/test'
import { expectAccessible, open, sidewaysOf } from './browser'
import { expectLive, inbox, openInbox } from './controls/inbox'
import { test as base, expect } from './fixtures'
import { fillHousehold, ownRequests } from './household'
import { aBondedAgent, aPerson, type Person } from './people'
import { send, startServer } from './server'

const test = base.extend<object, { house: Person }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const server = await startServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  house: [
    async ({ server }, use) => {
      const person = await aPerson(server, 'Mallard')
      await fillHousehold(server, person)
      await use(person)
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

const selectedRow = (page: Page) => page.locator('[data-row]:has(a[aria-current])')
const pane = (page: Page) => page.getByRole('region', { name: 'Selected request' })
const rectOf = (target: Locator) => target.evaluate((element) => element.getBoundingClientRect().toJSON())

/** What each row shows with the head of its group, without the times, and what of it is cut. Runs in the browser. */
function readRows(rows: Element[]) {
  return rows.map((row) => {
    const copy = row.cloneNode(true) as Element
    for (const time of copy.querySelectorAll('time')) time.remove()
    const head = row.closest('ul')?.parentElement?.querySelector('h2')?.textContent
    const parts = [...row.querySelectorAll<HTMLElement>('*')]
    const isCut = parts.some(
      (part) =>
        getComputedStyle(part).textOverflow === 'ellipsis' ||
        (!part.matches('.visually-hidden') &&
          part.scrollWidth > part.clientWidth + 1 &&
          part.clientWidth > 0),
    )
    const amounts = parts.filter((part) => part.matches('bdi') && /€\d/.test(part.textContent ?? ''))
    return {
      shown: `${head}: ${copy.textContent}`,
      name: row.querySelector('a')?.getAttribute('aria-label') ?? '',
      isCut: isCut || amounts.some((amount) => amount.getClientRects().length > 1),
    }
  })
}

for (const width of [320, 390, 1280])
  test(`shows 60 rows that all look different, say who asks, and cut nothing, ${width} pixels wide`, async ({
    newPage,
    house,
  }) => {
    const page = await newPage({ as: house, viewport: { width, height: 800 } })
    await openInbox(page)
    await expect(inbox.rows(page)).toHaveCount(60)
    await inbox.strangers(page).click()
    const rows = await inbox.rows(page).evaluateAll(readRows)
    expect(rows.filter(({ isCut }) => isCut)).toEqual([])
    const heads = page.locator('h2:has(> span bdi) *')
    expect(await heads.count()).toBeGreaterThan(20)
    expect(
      await heads.evaluateAll((parts) =>
        parts
          .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)
          .filter((part) => !part.matches('.visually-hidden'))
          .map(({ textContent }) => textContent),
      ),
    ).toEqual([])
    const repeated = (texts: string[]) => texts.filter((text, place) => texts.indexOf(text) !== place)
    expect(repeated(rows.map(({ shown }) => shown))).toEqual([])
    expect(repeated(rows.map(({ name }) => name))).toEqual([])
    for (const { name } of rows) expect(name).toMatch(/, from .*“.+”/)
    expect(await sidewaysOf(page)).toBe(0)
    await expectAccessible(page)
  })

test('folds people whom the person does not know, and keys walk the others', async ({ newPage, house }) => {
  const page = await newPage({ as: house })
  await openInbox(page)
  await expect(page).toHaveTitle(/^\(48\) Inbox/)
  await expect(inbox.counts(page, '48 waiting')).toBeVisible()
  const fold = inbox.strangers(page)
  await expect(fold).toHaveText("3 people you don't know (12)")
  await expect(inbox.rows(page).last()).toBeHidden()
  await expect(inbox.selectAll(page)).toHaveAccessibleName('Select all 48')

  await inbox.rows(page).nth(47).getByRole('link').click()
  const last = await selectedRow(page).getAttribute('data-row')
  await page.keyboard.press('j')
  await expect(fold).toBeFocused()
  await expect(selectedRow(page)).toHaveAttribute('data-row', last ?? '')
  await page.keyboard.press('Enter')
  await expect(inbox.rows(page).last()).toBeVisible()
  await page.keyboard.press('j')
  const first = await inbox.rows(page).nth(48).getAttribute('data-row')
  await expect(selectedRow(page)).toHaveAttribute('data-row', first ?? '')
  await expect(inbox.selectAll(page)).toHaveAccessibleName('Select all 60')
  await expectAccessible(page)
})

test('`j` scrolls the list and never the page, and Escape closes what is open before it clears a selection', async ({
  newPage,
  house,
}) => {
  const page = await newPage({ as: house, viewport: { width: 1280, height: 800 } })
  await openInbox(page)
  for (let step = 0; step < 12; step++) {
    await page.keyboard.press('j')
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    await expect(selectedRow(page)).toBeInViewport({ ratio: 1 })
  }
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+J')
  await expect(page.getByText('2 selected')).toBeVisible()
  await inbox.filter(page).click()
  await expect(page.getByLabel('Risk', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByLabel('Risk', { exact: true })).toBeHidden()
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('2 selected')).toHaveCount(0)
})

test('leads from the top of the list to what ends within an hour', async ({ newPage, server }) => {
  const person = await aPerson(server, 'Hasty')
  const { key } = await aBondedAgent(server, person)
  const body = { target_duckling_id: person.id, action: 'confirm:pickup', params: {}, expires_in: 900 }
  await send(server, 'POST /beak/peck/request', { key, body })
  await ownRequests(server, person, 5)
  const page = await newPage({ as: person, viewport: { width: 320, height: 640 } })
  await openInbox(page)
  const soon = page.getByRole('link', { name: '1 ends within an hour' })
  await expect(soon).toBeInViewport({ ratio: 1 })
  await expectAccessible(page)
  await soon.click()
  await expect(inbox.rows(page).first()).toContainText('confirm pickup')
  await expect(soon).toHaveCount(0)
})

/** Shows a warning on top of the page, as high as the highest on a screen of 320 pixels. */
const warn = (page: Page) =>
  page.evaluate(() => {
    const band = document.createElement('div')
    band.style.height = '195px'
    document.querySelector('main')?.parentElement?.before(band)
  })

const sizes = [
  { width: 390, height: 664 },
  { width: 320, height: 640 },
  { width: 844, height: 390 },
]

for (const viewport of sizes)
  test(`never covers who asks with the bar of the decision, ${viewport.width} × ${viewport.height}`, async ({
    newPage,
    house,
  }) => {
    const page = await newPage({ as: house, viewport, isMobile: true, hasTouch: true })
    for (const risk of ['medium', 'high']) {
      await open(page, '/pecks')
      await warn(page)
      await inbox
        .rows(page)
        .filter({ has: page.locator(`[data-risk=${risk}]`) })
        .first()
        .getByRole('link')
        .tap()
      const bar = page.locator('[data-decision-bar]')
      await expect(bar).toBeAttached()
      await page.evaluate(() => window.scrollTo(0, 0))
      const asker = pane(page).locator('h2 bdi').first()
      const mark = page.locator('[data-bar-risk]')
      const isSeen = async () => {
        if ((await mark.count()) > 0 && (await rectOf(mark)).bottom <= viewport.height) return true
        return (await rectOf(asker)).bottom <= (await rectOf(bar)).top
      }
      expect(await isSeen(), risk).toBe(true)
      // The choices of Later fit the screen.
      await bar.locator('summary').tap()
      await expect(bar.getByRole('button', { name: 'In an hour' })).toBeVisible()
      expect(await sidewaysOf(page)).toBe(0)
    }
  })

for (const viewport of sizes)
  test(`says what was decided beside the rows and the buttons, ${viewport.width} × ${viewport.height}`, async ({
    newPage,
    server,
    complaints,
  }) => {
    complaints.expect(/ERR_INTERNET_DISCONNECTED/)
    const person = await aPerson(server, 'Busy')
    await fillHousehold(server, person)
    const page = await newPage({ as: person, viewport, isMobile: true, hasTouch: true })
    await openInbox(page)
    await warn(page)
    await inbox.rows(page).first().getByRole('link').tap()
    await inbox.rejectNow(pane(page)).tap()
    const undo = inbox.undo(page)
    await expect(undo).toBeInViewport({ ratio: 1 })
    const covered = () =>
      page.evaluate(() => {
        const message = document.querySelector('button[data-undo]')?.closest('[role=status]')
        const bar = document.querySelector('[data-decision-bar]')
        if (!message) return ['no message']
        const { top, bottom } = message.getBoundingClientRect()
        return [...(bar?.querySelectorAll('button, summary') ?? [])]
          .filter((button) => !message.contains(button) && button.checkVisibility())
          .filter((button) => {
            const place = button.getBoundingClientRect()
            return place.top < bottom && place.bottom > top
          })
          .map((button) => button.textContent)
      })
    expect(await covered()).toEqual([])
    await page.context().setOffline(true)
    await expect(page.getByText("You're offline. You can keep reading")).toBeVisible()
    expect(await covered()).toEqual([])
    await page.context().setOffline(false)
    // In the list, the last row ends above the message.
    await undo.tap()
    await expect(page.getByText('Undone. The request waits again.')).toBeVisible()
    await page.getByRole('link', { name: 'All requests' }).tap()
    await expectLive(page)
    await inbox.strangers(page).scrollIntoViewIfNeeded()
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expect(inbox.strangers(page)).toBeInViewport({ ratio: 1 })
  })
