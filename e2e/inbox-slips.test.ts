/** The inbox under a hasty hand and a bad connection: no request is decided by a slip, and nothing that failed looks done. */
import type { Page } from '@playwright/test'
import { hydrated } from './browser'
import { inbox, openInbox } from './controls/inbox'
import { test as base, expect } from './fixtures'
import { aBondedAgent, aPerson, type Person } from './people'
import { send } from './server'

interface Hasty {
  person: Person
  /** The inbox of the person, with three requests of one agent. */
  page: Page
  /** Returns the number of requests that still wait. */
  waiting: () => Promise<number>
}

const test = base.extend<{ hasty: Hasty }>({
  hasty: async ({ newPage, server }, use) => {
    const person = await aPerson(server, 'Hasty')
    const { key } = await aBondedAgent(server, person)
    for (const action of ['read:calendar', 'read:profile', 'read:notes']) {
      const body = { target_duckling_id: person.id, action, scope: 'limited' }
      await send(server, 'POST /beak/peck/request', { key, body })
    }
    const page = await newPage({ as: person })
    const waiting = async () =>
      (await send(server, 'GET /beak/peck/inbox?limit=1', { token: person.token })).body.total
    await use({ person, page, waiting })
  },
})

const pane = (page: Page) => page.getByRole('region', { name: 'Selected request' })

/** A promise that the test resolves. */
function deferred<T>() {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Holds the form submissions of a page back. Returns the function that lets them go. */
async function holdForms(page: Page) {
  const { promise, resolve } = deferred<void>()
  await page.route('**/pecks*', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await promise
    await route.continue()
  })
  return resolve
}

/**
 * Lets the next form fail. The route stays: when it is removed while a page is being read through it, that read fails, and Next.js loads the
 * whole page anew.
 */
async function failNextForm(page: Page) {
  let hasFailed = false
  await page.route('**/pecks*', async (route) => {
    if (hasFailed || route.request().method() !== 'POST') return route.fallback()
    hasFailed = true
    await route.abort()
  })
}

test('the second click of a double click does not answer the next request', async ({ hasty: { page } }) => {
  await openInbox(page)
  const button = inbox.rejectNow(pane(page))
  const box = await button.boundingBox()
  if (box === null) throw new Error('The button is not shown.')
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const first = await pane(page).locator('h2').getAttribute('id')
  await page.mouse.click(place.x, place.y)
  // What lies under the pointer in the moment in which the next request is shown.
  const below = await page.evaluate(
    async ({ x, y, before }) => {
      const heading = () => document.querySelector('[aria-label="Selected request"] h2')?.id
      while (heading() === before || heading() === undefined) await new Promise(requestAnimationFrame)
      return document.elementFromPoint(x, y)?.closest('button')?.textContent ?? null
    },
    { ...place, before: first },
  )
  expect(below).toBeNull()
  await expect(button).toBeVisible()
  await button.click()
  await expect(inbox.counts(page, '1 waiting')).toBeVisible()
})

test('a step to another request waits for the answer, so that Undo is offered', async ({
  hasty: { page },
}) => {
  await openInbox(page)
  const release = await holdForms(page)
  const id = await pane(page).locator('h2').getAttribute('id')
  await inbox.approve(pane(page)).click()
  await expect(pane(page).getByRole('button', { name: 'Approving …' })).toBeVisible()
  await page.keyboard.press('j')
  await expect(pane(page).locator('h2')).toHaveAttribute('id', id ?? '')
  release()
  await expect(inbox.undo(page)).toBeVisible()
  await expect(pane(page).locator('h2')).not.toHaveAttribute('id', id ?? '')
})

test('u undoes the answer that is being sent, as soon as it has arrived', async ({ hasty: { page } }) => {
  await openInbox(page)
  const release = await holdForms(page)
  await inbox.rejectNow(pane(page)).click()
  await expect(pane(page).getByRole('button', { name: 'Rejecting …' })).toBeVisible()
  await page.keyboard.press('u')
  release()
  await expect(page.getByText('Undone. The request waits again.')).toBeVisible()
  await expect(inbox.counts(page, '3 waiting')).toBeVisible()
})

test('an Undo that fails says so, keeps the row, and can be tried again', async ({
  hasty: { page },
  complaints,
}) => {
  complaints.expect(/net::ERR_FAILED/)
  await openInbox(page)
  await inbox.approve(pane(page)).click()
  await expect(inbox.undo(page)).toBeVisible()
  await failNextForm(page)
  await inbox.undo(page).click()
  await expect(
    page.getByText(
      '1 approval could not be undone. Try again, or revoke the permission on the page Allowed.',
    ),
  ).toBeVisible()
  await expect(inbox.rows(page).filter({ hasText: 'Approved' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Undone. The request waits again.')).toBeVisible()
  await expect(inbox.rows(page).filter({ hasText: 'Approved' })).toHaveCount(0)
  await expect(inbox.counts(page, '3 waiting')).toBeVisible()
})

test('letters that are typed before the palette is loaded decide nothing', async ({
  hasty: { page, waiting },
}) => {
  await openInbox(page)
  const { promise: released, resolve: release } = deferred<void>()
  await page.route('**/_next/static/chunks/**', async (route) => {
    await released
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Go to' })).toBeVisible()
  await page.keyboard.type('regard')
  release()
  await expect(page.getByRole('combobox', { name: 'Page, action, agent or request' })).toBeFocused()
  expect(await waiting()).toBe(3)
})

test('a filter keeps the focus of the keyboard, and its name says what it filters', async ({
  hasty: { page },
}) => {
  await openInbox(page)
  const filter = page.getByRole('combobox', { name: 'Action', exact: true })
  await expect(filter).toBeHidden()
  await inbox.filter(page).press('Enter')
  await filter.focus()
  await filter.selectOption({ index: 1 })
  await expect(inbox.counts(page, '3 waiting, 1 matches')).toBeVisible()
  await expect(filter).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(filter).toBeHidden()
  await expect(inbox.filter(page)).toBeFocused()
  await expect(inbox.filter(page)).toHaveText('Filter1 set')
  await page.goBack()
  await expect(inbox.filter(page)).toHaveText('Filter')
  await inbox.filter(page).click()
  await expect(filter).toHaveValue('')
})

test('on a phone, a request opens at its beginning, and the way back leads to its row', async ({
  hasty: { person },
  newPage,
}) => {
  const page = await newPage({
    as: person,
    viewport: { width: 320, height: 500 },
    isMobile: true,
    hasTouch: true,
  })
  await page.goto('/pecks')
  await hydrated(page)
  const link = inbox.rows(page).last().getByRole('link')
  await link.tap()
  await expect(pane(page)).toBeFocused()
  await expect(pane(page).getByRole('heading', { level: 2 })).toBeInViewport()
  await page.getByRole('link', { name: 'All requests' }).tap()
  await expect(link).toBeFocused()
})

test('an answer changes what the next request says about the asker', async ({ newPage, server }) => {
  const person = await aPerson(server, 'Hasty')
  const { key } = await aBondedAgent(server, person)
  for (const week of [1, 2]) {
    const body = {
      target_duckling_id: person.id,
      action: 'read:calendar',
      params: { week },
      scope: 'limited',
    }
    await send(server, 'POST /beak/peck/request', { key, body })
  }
  const page = await newPage({ as: person })
  await openInbox(page)
  await expect(pane(page).getByText(/Both requests wait for your answer\./)).toBeVisible()
  await inbox.approve(pane(page)).click()
  await expect(pane(page).getByText(/Asked once before\. You approved 1\./)).toBeVisible()
})

test('a decision that the event stream tells first is still the own decision', async ({
  hasty: { page, waiting },
}) => {
  await openInbox(page)
  const { promise: released, resolve: release } = deferred<void>()
  await page.route('**/pecks*', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    const response = await route.fetch()
    await released
    await route.fulfill({ response })
  })
  await inbox.approve(pane(page)).click()
  await expect.poll(waiting).toBe(2)
  release()
  await expect(page.getByText(/^Approved: /)).toBeVisible()
  await expect(page.getByText('Already approved in another window or on another device.')).toHaveCount(0)
})
