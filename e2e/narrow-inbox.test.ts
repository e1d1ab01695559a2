/** The keys of the inbox on a screen that shows the list or one request. */
import type { Page } from '@playwright/test'
import { open } from './browser'
import { expectLive, inbox } from './controls/inbox'
import { expect, test } from './fixtures'
import { fillInbox } from './full-inbox'
import { aPerson } from './people'

const viewport = { width: 320, height: 640 }

/** Returns the place of the row with the focus, and whether all of it is in view, with the mark of the focus. */
const focusedRow = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: focused } = document
    const row = focused?.closest('[data-row]')
    if (!focused || !row) return null
    const { left, right, top, bottom } = focused.getBoundingClientRect()
    // What lies over the row, such as the bar with the rooms, would be found in its place.
    const isSeen = (y: number) => row.contains(document.elementFromPoint((left + right) / 2, y))
    return {
      place: [...document.querySelectorAll('[data-row]')].indexOf(row),
      isInView: isSeen(top + 1) && isSeen(bottom - 1),
      isMarked: focused.matches(':focus-visible') && getComputedStyle(focused).outlineStyle !== 'none',
    }
  })

test('`j` and `k` go from row to row in the list of a narrow screen, and keep the row in view', async ({
  newPage,
  server,
}) => {
  const person = await aPerson(server, 'Crowded')
  await fillInbox(server, person, 20)
  const page = await newPage({ as: person, viewport })
  await open(page, '/pecks')
  await expectLive(page)
  await expect(inbox.rows(page)).toHaveCount(20)
  const down = Array.from({ length: 19 }, (_, index) => ['j', index + 1] as const)
  const up = Array.from({ length: 19 }, (_, index) => ['k', 18 - index] as const)
  for (const [key, place] of [...down, ['j', 19] as const, ...up]) {
    await page.keyboard.press(key)
    await expect.poll(() => focusedRow(page)).toEqual({ place, isInView: true, isMarked: true })
  }
  await expect(page.getByRole('region', { name: 'Selected request' })).toBeHidden()
})

test('`j` and `k` show the next and the previous request on a narrow screen with one request', async ({
  newPage,
  server,
}) => {
  const person = await aPerson(server, 'Crowded')
  await fillInbox(server, person, 3)
  const page = await newPage({ as: person, viewport })
  await open(page, '/pecks')
  await expectLive(page)
  const pager = page.getByRole('navigation', { name: 'Requests' })
  const card = page.getByRole('region', { name: 'Selected request' })
  await inbox.rows(page).first().getByRole('link').click()
  for (const [key, place] of [
    ['j', '2 of 3'],
    ['j', '3 of 3'],
    ['k', '2 of 3'],
  ] as const) {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await page.keyboard.press(key)
    await expect(pager.getByText(place)).toBeInViewport()
    await expect(card).toBeFocused()
  }
})
