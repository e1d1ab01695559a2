/** The navigation of a signed-in person: four rooms on every page, on a phone as a bar at the end of the window. */
import { movedPages } from '@/app/_shell/moved-pages.mjs'
import { heading, link, open, sidewaysOf } from './browser'
import { inbox } from './controls/inbox'
import { expect, test } from './fixtures'
import { aBondedAgent } from './people'
import { send } from './server'

test('the rooms lead everywhere on a phone, stay on public pages, and cover no decision', async ({
  ownPage: page,
  person,
  server,
}) => {
  const { key } = await aBondedAgent(server, person)
  const ask = async (action: string): Promise<string> => {
    const body = { target_duckling_id: person.id, action, scope: 'limited' }
    return (await send(server, 'POST /beak/peck/request', { key, body })).body.peck_id
  }
  const [, peckId] = [await ask('delete:database'), await ask('read:diary')]
  await page.setViewportSize({ width: 320, height: 640 })
  await open(page, '/docs')
  const bar = page.getByRole('navigation', { name: 'Your account' })
  await expect(bar.getByRole('link')).toHaveText(['Inbox2 2 waiting', 'Allowed', 'Activity', 'You'])
  await expect(bar.locator('[aria-current]')).toHaveCount(0)
  for (const room of await bar.getByRole('link').all()) {
    const { width = 0, height = 0, y = 0 } = (await room.boundingBox()) ?? {}
    expect({ isLarge: width >= 44 && height >= 44, isAtTheEnd: y + height > 600 }).toEqual({
      isLarge: true,
      isAtTheEnd: true,
    })
  }

  await bar.getByRole('link', { name: 'You' }).click()
  await heading(page, 'You', 1).waitFor()
  await expect(bar.locator('[aria-current=page]')).toHaveText('You')
  await page.getByRole('main').getByRole('link', { name: 'Change Profile' }).click()
  // The room itself is the list of its pages.
  await page.getByRole('navigation', { name: 'You', exact: true }).getByRole('link', { name: 'You' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Manage Security' }).click()
  await heading(page, 'Security', 1).waitFor()
  await expect(bar.locator('[aria-current=true]')).toHaveText('You')
  await link(page, 'Beak').first().click()
  await page.waitForURL('**/home')
  const waiting = page.getByRole('region', { name: 'Waiting requests' }).getByRole('listitem')
  await expect(waiting.first()).toContainText('Delete a database')

  await open(page, `/pecks/${peckId}`)
  const [approve, rooms] = await Promise.all([
    inbox.approve(page.getByRole('main')).boundingBox(),
    bar.boundingBox(),
  ])
  expect(rooms?.y).toBeGreaterThanOrEqual((approve?.y ?? 0) + (approve?.height ?? 0))
  // What the keyboard reaches is never behind the bar.
  await page.getByText('The exact words', { exact: true }).focus()
  const focused = await page.locator(':focus').boundingBox()
  expect((focused?.y ?? 0) + (focused?.height ?? 0)).toBeLessThanOrEqual(rooms?.y ?? 0)
  expect(await sidewaysOf(page)).toBe(0)
})

test('the addresses of pages that have moved lead to their new places, with the query', async ({
  server,
}) => {
  for (const { from, to } of movedPages) {
    const answer = await fetch(`${server.url}${from}?asker=AGT-1`, { redirect: 'manual' })
    const [path, anchor] = to.split('#')
    expect([from, answer.status, answer.headers.get('location')]).toEqual([
      from,
      308,
      `${path}?asker=AGT-1${anchor === undefined ? '' : `#${anchor}`}`,
    ])
    const there = await fetch(`${server.url}${to}`)
    expect([to, there.status]).toEqual([to, 200])
  }
})
