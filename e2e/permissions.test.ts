/** The lists of requests and permissions: revoking all permissions of an asker, and undoing a block. */
import { button, expectFocusOn, expectText, open, sidewaysOf } from './browser'
import { expect, test } from './fixtures'
import { aBondedAgent } from './people'
import { send } from './server'

test('all permissions of an asker are revoked together, after a dialog that lists them', async ({
  ownPage: page,
  ask,
  person,
  server,
}) => {
  const ids: string[] = []
  for (const action of ['read:calendar', 'read:mail']) {
    ids.push(await ask(action))
    await send(server, 'POST /beak/peck/approve', { token: person.token, body: { peck_id: ids.at(-1) } })
  }
  await open(page, '/allowed')
  await button(page, 'Revoke all permissions of “Scout”').click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByText('Read a calendar')).toBeVisible()
  await expect(dialog.getByText('Read mail')).toBeVisible()
  await expect(dialog.getByText('“Scout” can still ask you for new permissions.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Revoke all permissions' }).click()
  await expectFocusOn(page, '2 permissions revoked. None of them had been used.')
  await expectText(page, 'So far, everything asks you first')
  await page.goto('/pecks/history?grant_status=revoked')
  for (const id of ids) await expect(page.locator(`a[href$="${id}"]`)).toBeVisible()
})

test('a paused agent is said so at its permissions too, which do not work until it is resumed', async ({
  ownPage: page,
  person,
  server,
}) => {
  const { id, key } = await aBondedAgent(server, person)
  const body = { target_duckling_id: person.id, action: 'read:calendar', scope: 'limited' }
  const { peck_id } = (await send(server, 'POST /beak/peck/request', { key, body })).body
  await send(server, 'POST /beak/peck/approve', { token: person.token, body: { peck_id } })
  await page.setViewportSize({ width: 320, height: 640 })
  await open(page, '/allowed')
  const permissions = page.getByRole('region', { name: 'Permissions' })
  await expect(permissions.getByText('Read a calendar')).toBeVisible()
  await expect(permissions.getByText('Paused')).toHaveCount(0)
  await send(server, 'POST /beak/agent/suspend', { token: person.token, body: { agent_id: id } })
  await open(page, '/allowed')
  await expect(permissions.getByText('Paused')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Agents', exact: true }).getByText('Paused')).toBeVisible()
  expect(await sidewaysOf(page)).toBe(0)
})

test('a block hides the waiting requests, and its notice brings them back', async ({
  ownPage: page,
  ask,
  person,
  server,
}) => {
  const decided = await ask('read:calendar')
  await send(server, 'POST /beak/peck/approve', { token: person.token, body: { peck_id: decided } })
  const waiting = await ask('read:mail')
  const inbox = async () => (await send(server, 'GET /beak/peck/inbox', { token: person.token })).body.items
  await open(page, `/pecks/${decided}`)
  await button(page, 'Block Teal').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click()
  await expectFocusOn(page, 'Blocked. Their requests no longer reach you. 1 waiting request was hidden.')
  expect(await inbox()).toEqual([])
  await button(page, 'Undo block').click()
  await expectFocusOn(page, 'Unblocked. Their requests reach you again. 1 waiting request is back.')
  expect(await inbox()).toMatchObject([{ peck_id: waiting }])
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the history lists what is over, and its filters stay in the address', async ({
    ownPage: page,
    ask,
    person,
    server,
  }) => {
    const over = [await ask('read:calendar'), await ask('send:mail')]
    await ask('read:profile')
    for (const peck_id of over)
      await send(server, 'POST /beak/peck/approve', { token: person.token, body: { peck_id } })
    await page.goto('/pecks/history')
    await expect(page.getByRole('list', { name: 'Requests' }).getByRole('listitem')).toHaveCount(2)
    await page.locator('summary', { hasText: 'Filter' }).click()
    await page.getByLabel('Action').selectOption('send:mail')
    await button(page, 'Apply').click()
    await expect(page).toHaveURL(/[?&]action=send%3Amail/)
    await expect(page.getByRole('list', { name: 'Requests' }).getByRole('listitem')).toHaveCount(1)
    await expectText(page, 'Filter (1)')
  })
})
