/** The page of a coding agent that works without asking, Home, and the rule for its pushes, in a browser. */
import { button, expectAccessible, expectText, heading, link, open } from './browser'
import { expect, test } from './fixtures'
import { aBondedAgent } from './people'
import { send } from './server'

const session = { tool: 'claude', version: '2.1.332', computer: 'otter', mode: 'guard', session: 's1' }

test('says that a coding agent worked without asking, until its owner dismisses that', async ({
  ownPage: page,
  person,
  server,
}) => {
  const { id, key } = await aBondedAgent(server, person)
  const beat = (body: object) => send(server, 'POST /beak/agent/heartbeat', { key, body })
  await beat(session)
  await open(page, `/agents/manage/${id}`)
  await expectText(page, 'Claude Code on otter, last started')
  await expect(heading(page, 'Asks before it acts', 2)).toBeVisible()
  await beat({ ...session, event: 'unguarded' })
  await open(page, '/home')
  await expectText(page, 'ran on otter without asking since')
  await link(page, 'See what to do').click()
  await expect(page).toHaveURL(`/agents/manage/${id}#guard`)
  await expectText(page, 'Claude Code ran on otter without asking since')
  await expectAccessible(page)
  await button(page, 'Dismiss the alarm').click()
  await expect(button(page, 'Dismiss the alarm')).toBeHidden()
  await open(page, '/home')
  await expect(page.getByText('without asking since')).toBeHidden()
})
