/** Two people with the same name, whose agents have the same name: what tells them apart, and the card behind the name. */
import { button, expectAccessible, expectText, heading, open, sidewaysOf } from './browser'
import { inbox, openInbox } from './controls/inbox'
import { expect, test } from './fixtures'
import { aBondedAgent, aPerson, type Person } from './people'
import { type Server, send } from './server'

async function asks(server: Server, { owner, target }: { owner: Person; target: Person }) {
  const agent = await aBondedAgent(server, owner)
  const ask = async (action: string): Promise<string> => {
    const body = { target_duckling_id: target.id, action, scope: 'limited' }
    return (await send(server, 'POST /beak/peck/request', { key: agent.key, body })).body.peck_id
  }
  return { agent, ask }
}

const tailOf = ({ id }: Person) => `…${id.slice(-4)} · email confirmed · joined today`

test.describe('two people with the same names', () => {
  // security: asker-8
  test('have lines of their own in the inbox and on the decision page', async ({
    server,
    person,
    ownPage: page,
  }) => {
    const [known, twin] = [await aPerson(server, 'Teal'), await aPerson(server, 'Teal')]
    const first = await asks(server, { owner: known, target: person })
    const peck_id = await first.ask('read:weather')
    await send(server, 'POST /beak/peck/approve', { token: person.token, body: { peck_id } })
    await first.ask('read:calendar')
    const second = await asks(server, { owner: twin, target: person })
    const twinsId = await second.ask('read:notes')
    await openInbox(page)
    await expect(inbox.strangers(page)).toContainText("Somebody you don't know")
    await inbox.strangers(page).click()
    const groups = page.getByRole('heading', { level: 2, name: '“Scout”, an agent of Teal' })
    await expect(groups).toHaveCount(2)
    await expect(groups.filter({ hasText: tailOf(known) })).not.toContainText('First contact')
    await expect(groups.filter({ hasText: tailOf(twin) })).toContainText('First contact')
    await inbox.row(page, 'read:notes').click()
    const card = inbox.card(page, 'read:notes')
    await expect(card).toContainText('same name, other person.')
    await expect(card).toContainText(`An agent of Teal · ${tailOf(twin)}`)
    await expectAccessible(page)
    await open(page, `/pecks/${twinsId}`)
    await expectText(page, /Not the Teal you approved on \d+ \w+: same name, other person\./)
    await expect(page.getByRole('main').getByText('First contact')).toBeVisible()
  })

  test('have cards of their own, which the name opens by keyboard', async ({
    server,
    person,
    ownPage: page,
  }) => {
    const owner = await aPerson(server, 'Teal')
    const { ask } = await asks(server, { owner, target: person })
    const [approved, rejected, waiting] = [
      await ask('read:weather'),
      await ask('read:mail'),
      await ask('read:notes'),
    ]
    await send(server, 'POST /beak/peck/approve', { token: person.token, body: { peck_id: approved } })
    await send(server, 'POST /beak/peck/reject', {
      token: person.token,
      body: { peck_id: rejected, reason: 'No' },
    })
    await open(page, `/pecks/${waiting}`)
    await page.getByRole('heading', { level: 1 }).getByRole('link', { name: /Scout/ }).focus()
    await page.keyboard.press('Enter')
    await expect(heading(page, 'Teal', 1)).toBeVisible()
    await expectText(page, 'You approved 1 request and rejected 1.')
    await expectText(page, owner.id)
    await expectText(page, 'Asked 3 times, you approved 1')
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await sidewaysOf(page)).toBe(0)
    await expectAccessible(page)
    await button(page, 'Block Teal').click()
    await button(page, /^Block$/).click()
    await expectText(page, /You blocked them/)
    await expect(button(page, 'Unblock')).toBeVisible()
  })
})
