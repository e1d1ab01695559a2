/** The lists of requests and permissions: revoking all permissions of an asker, and undoing a block. */
import { button, expectFocusOn, expectText, open } from './browser'
import { test as base, expect } from './fixtures'
import { send } from './server'

interface Asking {
  /** Sends a request of an agent of Teal to the person. Returns the id of the peck. */
  ask: (action: string) => Promise<string>
}

const test = base.extend<Asking>({
  ask: async ({ server, scout, person }, use) =>
    use(async (action) => {
      const body = { target_duckling_id: person.id, action, scope: 'limited' }
      return (await send(server, 'POST /beak/peck/request', { key: scout.key, body })).body.peck_id
    }),
})

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
  await open(page, '/pecks/grants')
  await button(page, 'Revoke everything “Scout” may do').click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByText('Read a calendar')).toBeVisible()
  await expect(dialog.getByText('Read mail')).toBeVisible()
  await expect(dialog.getByText('“Scout” can still ask you for new permissions.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Revoke everything' }).click()
  await expectFocusOn(page, '2 permissions revoked. None of them had been used.')
  await expectText(page, 'No active permissions')
  await page.goto('/pecks/history?grant_status=revoked')
  for (const id of ids) await expect(page.locator(`a[href$="${id}"]`)).toBeVisible()
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
