/** The inbox under a finger: swipes and long presses do what the buttons do, and nothing of a high risk is approved by them. */
import type { Page } from '@playwright/test'
import { hydrated, sidewaysOf } from './browser'
import { expectLive, inbox } from './controls/inbox'
import { test as base, expect } from './fixtures'
import { othersRequests, ownRequests } from './household'
import { aBondedAgent, aPerson, type Person } from './people'
import { send } from './server'
import { drag, hold, lift, middleOf, move, press, swipe } from './touch'

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

interface Touching {
  holder: Person
  /** The inbox of the holder, with 12 requests of own agents. */
  page: Page
  /** Opens the inbox in another browser. */
  openOn: (options: object) => Promise<Page>
  /** Returns the status of each request, by its id. */
  pending: () => Promise<string[]>
}

async function opened(page: Page): Promise<Page> {
  await page.goto('/pecks')
  await hydrated(page)
  await expectLive(page)
  // The code of the gestures is loaded after the page.
  await page.waitForLoadState('networkidle')
  return page
}

const test = base.extend<Touching>({
  holder: async ({ server }, use) => {
    const holder = await aPerson(server, 'Holder')
    await ownRequests(server, holder, 3)
    // What is approved once is no first request any more.
    const { key } = await aBondedAgent(server, holder)
    const ask = async (action: string, params = {}) =>
      (
        await send(server, 'POST /beak/peck/request', {
          key,
          body: { target_duckling_id: holder.id, action, scope: 'limited', params },
        })
      ).body.peck_id
    const peck_id = await ask('read:calendar', { date: '2026-12-01' })
    await send(server, 'POST /beak/peck/approve', { token: holder.token, body: { peck_id } })
    await ask('read:calendar', { date: '2026-12-02' })
    await ask('read:calendar', { date: '2026-12-03' })
    await use(holder)
  },
  openOn: async ({ newPage, holder }, use) =>
    use(async (options) => opened(await newPage({ as: holder, ...phone, ...options }))),
  page: async ({ openOn }, use) => use(await openOn({})),
  pending: async ({ server, holder }, use) =>
    use(async () => {
      const { body } = await send(server, 'GET /beak/peck/inbox?limit=100', { token: holder.token })
      return body.items.map(({ peck_id }: { peck_id: string }) => peck_id)
    }),
})

/** The row of the agent that is known, with a low risk. */
const lowRow = (page: Page) => inbox.rows(page).filter({ hasText: '2 December' })
const highRow = (page: Page) =>
  inbox
    .rows(page)
    .filter({ hasText: /Force|main/ })
    .first()
const idOf = async (row: ReturnType<typeof lowRow>) => (await row.getAttribute('data-row')) ?? ''

/** Taps Undo after a swipe. The browser takes a tap in the first moment after a fast swipe as its end. */
const undo = (page: Page) =>
  expect(async () => {
    await inbox.undo(page).tap({ timeout: 1000 })
    await expect(page.getByText('Undone. The request waits again.')).toBeVisible({ timeout: 3000 })
  }).toPass()

test('a swipe to the right approves a low risk, and the approval can be undone', async ({
  page,
  pending,
}) => {
  const [row, id] = [lowRow(page), await idOf(lowRow(page))]
  await swipe(page, row, 200)
  await expect(page.locator(`[data-row="${id}"]`)).toContainText('Approved')
  expect(await pending()).not.toContain(id)
  await expect(page.getByRole('region', { name: 'Selected request' })).toBeHidden()
  await undo(page)
  expect(await pending()).toHaveLength(14)
})

// security: asker-38
test('a swipe to the right only opens a high risk', async ({ page, pending }) => {
  const row = highRow(page)
  const before = await pending()
  await swipe(page, row, 250)
  await expect(page.getByRole('region', { name: 'Selected request' })).toBeVisible()
  expect(await pending()).toEqual(before)
})

test('a swipe to the left rejects, a long one puts off, and both can be undone', async ({
  page,
  pending,
}) => {
  for (const [pixels, words] of [
    [-150, 'Rejected'],
    [-240, 'Later'],
  ] as const) {
    const id = await idOf(lowRow(page))
    await swipe(page, lowRow(page), pixels)
    await expect(page.locator(`[data-row="${id}"]`)).toContainText(words)
    await undo(page)
    expect(await pending()).toContain(id)
    await page.reload()
    await opened(page)
  }
})

test('a long press selects, the next touch of a row opens it', async ({ page, pending }) => {
  const before = await pending()
  await hold(page, lowRow(page), () => expect(page.getByText('1 selected')).toBeVisible())
  await expect(page.getByRole('region', { name: 'Selected request' })).toBeHidden()
  await expect(lowRow(page).getByRole('checkbox')).toBeChecked()
  await lowRow(page).getByRole('link').tap()
  await expect(page.getByRole('region', { name: 'Selected request' })).toBeVisible()
  expect(await pending()).toEqual(before)
})

test('a finger that scrolls, comes from the edge, goes back or is too short decides nothing', async ({
  page,
  pending,
}) => {
  const before = await pending()
  const row = lowRow(page)
  const { x, y } = await middleOf(row)
  for (const way of [
    [
      { x: 8, y },
      { x: 300, y },
    ],
    [
      { x: 382, y },
      { x: 60, y },
    ],
    [
      { x, y },
      { x: x + 60, y },
    ],
    [
      { x, y },
      { x: x + 160, y },
      { x, y },
    ],
    [
      { x, y },
      { x: x + 60, y: y - 200 },
      { x: x + 160, y: y - 200 },
    ],
  ] as const)
    await drag(page, [...way])
  await expect(page.getByRole('status').filter({ hasText: /Approved|Rejected/ })).toHaveCount(0)
  expect(await pending()).toEqual(before)
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0)
})

test('a row follows the finger only without reduced motion, and says what will happen', async ({
  openOn,
}) => {
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    const page = await openOn({ reducedMotion })
    const row = lowRow(page)
    const { x, y } = await middleOf(row)
    const [from, to] = [
      { x: x - 80, y },
      { x: x + 80, y },
    ]
    await press(page, from)
    await move(page, from, to)
    await expect(page.locator('[data-action=approve][data-armed]')).toHaveText('Approve')
    // The row follows with the next picture.
    const moved = () => row.evaluate((element) => element.style.translate)
    await expect.poll(moved).toBe(reducedMotion === 'reduce' ? '' : '160px')
    expect(await sidewaysOf(page)).toBe(0)
    // Back to where it began: nothing happens.
    await move(page, to, from)
    await lift(page)
    await page.context().close()
  }
})

test('from right to left, a swipe to the left approves', async ({ page, pending }) => {
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  const id = await idOf(lowRow(page))
  await swipe(page, lowRow(page), -200)
  await expect(page.locator(`[data-row="${id}"]`)).toContainText('Approved')
  expect(await pending()).not.toContain(id)
})

// security: asker-38
test('a swipe approves no first request of a stranger', async ({ server, newPage }) => {
  const person = await aPerson(server, 'Wary')
  await othersRequests(server, person, { name: 'Stranger', agent: 'Claude Code', isKnown: false })
  const page = await opened(await newPage({ as: person, ...phone }))
  const row = inbox.rows(page).filter({ hasText: 'Read a calendar' })
  await swipe(page, row, 250)
  await expect(page.getByRole('region', { name: 'Selected request' })).toBeVisible()
  const { body } = await send(server, 'GET /beak/peck/inbox', { token: person.token })
  expect(body.total).toBe(4)
})
