/** The home page: what each agent is doing, and the steps of the setup. */
import { expectAccessible, heading, link, open } from './browser'
import { signIn, signUp } from './controls/sign-in'
import { expect, test } from './fixtures'
import { codeAfter } from './outbox'
import { aBondedAgent, anAddress, anAgent, bond, type Person } from './people'
import { type Server, send } from './server'

const ask = async (server: Server, key: string, person: Person, action: string) =>
  (
    await send(server, 'POST /beak/peck/request', {
      key,
      body: { target_duckling_id: person.id, action, scope: 'limited' },
    })
  ).body.peck_id

test.describe('the home page', () => {
  test('shows what each agent is doing, the waiting one first, and leads to its request', async ({
    ownPage: page,
    person,
    server,
  }) => {
    const asking = await aBondedAgent(server, person)
    const peckId = await ask(server, asking.key, person, 'send:email')
    const suspended = await anAgent(server, person, { agent_name: 'Night watch' })
    await bond(server, suspended)
    await send(server, 'POST /beak/agent/suspend', { token: person.token, body: { agent_id: suspended.id } })
    await anAgent(server, person, { agent_name: 'Fledgling' })
    await open(page, '/home')
    const agents = page.getByRole('region', { name: 'Your agents' }).getByRole('listitem')
    await expect(agents).toHaveCount(3)
    await expect(agents.first()).toContainText('Waiting for you: send an email')
    await expect(agents.filter({ hasText: 'Night watch' })).toContainText('Paused')
    await expect(agents.filter({ hasText: 'Fledgling' })).toContainText('Not connected yet')
    await expectAccessible(page)
    await link(page, 'Waiting for you').click()
    await page.waitForURL(`**/pecks/${peckId}`)
  })

  test('shows six of many agents, and the others after one click, also without JavaScript', async ({
    newPage,
    person,
    server,
  }) => {
    for (let n = 1; n <= 10; n++) await anAgent(server, person, { agent_name: `Helper ${n}` })
    const page = await newPage({ as: person, javaScriptEnabled: false })
    await page.goto('/home')
    const agents = page.getByRole('region', { name: 'Your agents' }).getByRole('listitem')
    await expect(agents.filter({ visible: true })).toHaveCount(6)
    await page.getByText('Show all 10 agents').click()
    await expect(agents.filter({ visible: true })).toHaveCount(10)
  })

  test('shows a person without agents how to get one', async ({ ownPage: page }) => {
    await open(page, '/home')
    const agents = page.getByRole('region', { name: 'Your agents' })
    await expect(agents).toContainText('No agents yet.')
    await link(page, 'Connect an agent').click()
    await expect(heading(page, 'Connect an agent', 1)).toBeVisible()
  })

  test('leads from each step straight to its form', async ({ ownPage: page }) => {
    await open(page, '/home')
    await link(page, 'Issue your certificate').click()
    await expect(page.getByRole('button', { name: 'Issue my certificate' })).toBeFocused()
    await page.goBack()
    await link(page, 'Add a passkey').click()
    await expect(page).toHaveURL(/security#add-passkey$/)
  })
})

test.describe('hatching', () => {
  for (const reducedMotion of ['no-preference', 'reduce'] as const)
    test(`shows the egg hatch once${reducedMotion === 'reduce' ? ', without motion where the system asks for less' : ''}`, async ({
      newPage,
      server,
    }) => {
      const page = await newPage({ reducedMotion, baseURL: server.url })
      const email = anAddress('hatchling')
      const code = await codeAfter(server, email, () => signUp(page, 'Hatchling', email))
      // Keeps what was on the page, because the animation ends by itself.
      await page.evaluate(() => {
        new MutationObserver(() => {
          if (document.querySelector('.hatching-duck')) document.body.dataset.hatched = 'yes'
        }).observe(document.body, { subtree: true, childList: true })
      })
      await signIn.code(page).fill(code)
      await expect(heading(page, 'Hello, Hatchling')).toBeVisible()
      await expect(page.getByText('Your egg has hatched. This is your duck.')).toBeAttached()
      const hatched = await page.evaluate(() => document.body.dataset.hatched ?? 'no')
      expect(hatched).toBe(reducedMotion === 'reduce' ? 'no' : 'yes')
      await expect(page.locator('.hatching-duck')).toHaveCount(0)
      await page.reload()
      await expect(heading(page, 'Hello, Hatchling')).toBeVisible()
      await expect(page.getByText('Your egg has hatched.')).toHaveCount(0)
      await expect(page.locator('.hatching-duck')).toHaveCount(0)
    })
})
