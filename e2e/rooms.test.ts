/** The navigation of a signed-in person: five rooms on every page, on a phone as a bar at the end of the window. */
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
  await expect(bar.getByRole('link')).toHaveText([
    'Inbox2 2 waiting',
    'Agents',
    'Certificate',
    'Activity',
    'Settings',
  ])
  await expect(bar.locator('[aria-current]')).toHaveCount(0)
  for (const room of await bar.getByRole('link').all()) {
    const { width = 0, height = 0, y = 0 } = (await room.boundingBox()) ?? {}
    expect({ isLarge: width >= 44 && height >= 44, isAtTheEnd: y + height > 600 }).toEqual({
      isLarge: true,
      isAtTheEnd: true,
    })
  }

  await bar.getByRole('link', { name: 'Settings' }).click()
  await heading(page, 'Profile', 1).waitFor()
  await expect(bar.locator('[aria-current=page]')).toHaveText('Settings')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Webhooks' }).click()
  await heading(page, 'Webhooks', 1).waitFor()
  await expect(bar.locator('[aria-current=true]')).toHaveText('Settings')
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
  await page.getByText('Exact statement', { exact: true }).focus()
  const focused = await page.locator(':focus').boundingBox()
  expect((focused?.y ?? 0) + (focused?.height ?? 0)).toBeLessThanOrEqual(rooms?.y ?? 0)
  expect(await sidewaysOf(page)).toBe(0)
})
