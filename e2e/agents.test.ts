/** The agent console in a browser. The commands that it prints are run as they are printed. */
import { readFileSync } from 'node:fs'
import {
  button,
  codeBlock,
  expectAccessible,
  expectFocusOn,
  expectText,
  heading,
  link,
  open,
} from './browser'
import { agents, bond, registerAgent, run } from './controls/agents'
import { expect, test } from './fixtures'
import { Hands } from './hands'
import { aBondedAgent, anAgent, anotherSession, aPerson } from './people'
import type { Server } from './server'
import { send } from './server'

/** Returns the status of a request with this beak key: 200 while it works. */
const keyStatus = async (server: Server, key: string) =>
  (await send(server, 'GET /beak/peck/history', { key })).status

test.describe('registering an agent', () => {
  test('prints a command that bonds the agent, and then updates without a reload', {
    tag: '@changed',
  }, async ({ ownPage: page }) => {
    await open(page, '/allowed')
    await link(page, 'Connect your first agent').click()
    await link(page, 'register an agent with a key').click()
    await registerAgent(page, 'Old scout')
    await expectFocusOn(page, /^Old scout is registered$/)
    await expectAccessible(page)

    const answer = await bond(page, await agents.key(page))
    expect(answer).toMatchObject({ agent_name: 'Old scout', status: 'bonded' })
    await expect(agents.bonded(page, 'Old scout')).toBeVisible()
    await expectAccessible(page)
    await expect(page.getByText(agents.bondingCommandLabel)).toHaveCount(0)

    await link(page, 'View agent').click()
    await agents.forBuilders(page).click()
    await expect(agents.samples(page)).toBeVisible()
  })

  test('shows the key only once, and never in an address, in storage, in a log or after a reload', async ({
    ownPage: page,
    server,
  }) => {
    await open(page, '/agents/new/key')
    const addresses: string[] = []
    page.on('request', (request) => addresses.push(request.url()))
    await registerAgent(page, 'Keeper of keys')
    const key = await agents.key(page)
    const [handshake = ''] = /HSK-[\w-]+/.exec(await agents.bondingCommand(page)) ?? []
    expect([key, handshake.length > 60]).toEqual([expect.stringMatching(/^beak_KEY-/), true])
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]),
    )
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.type())
      void dialog.accept()
    })
    await page.reload()
    await expect(heading(page, 'Register an agent')).toBeVisible()
    const again = await page.content()
    await open(page, '/allowed')
    await link(page, 'Keeper of keys').first().click()
    await expect(heading(page, 'Keeper of keys', 1)).toBeVisible()
    for (const secret of [key.slice(40), handshake.slice(31)])
      for (const place of [addresses.join(), stored, again, await page.content(), server.output()])
        expect(place).not.toContain(secret)
    // The browser asked before the reload.
    expect(dialogs).toEqual(['beforeunload'])
  })

  test('asks before leaving the page with the key, until the key is downloaded', async ({
    ownPage: page,
    server,
  }) => {
    await open(page, '/agents/new/key')
    await registerAgent(page, 'Leaving one')
    const asked = page.waitForEvent('dialog')
    const click = link(page, 'Activity').click()
    await (await asked).dismiss()
    await click
    await expect(page).toHaveURL('/agents/new/key')

    const key = await agents.key(page)
    const download = page.waitForEvent('download')
    await button(page, 'Download leaving-one.env').click()
    const file = readFileSync(await (await download).path(), 'utf8')
    expect(file).toContain(`BEAK_KEY=${key}\n`)
    expect(file).toContain(`BEAK_URL=${server.url}\n`)
    await expectText(page, 'You can leave this page.')
    await link(page, 'Activity').click()
    await page.waitForURL('**/audit')
  })

  test('shows each error beside its field and keeps the entered values', { tag: '@changed' }, async ({
    ownPage: page,
  }) => {
    await open(page, '/agents/new/key')
    await agents.name(page).fill('Half')
    await agents.capability(page, 'Read your activity').check()
    await agents.capability(page, 'Ask people for permission').uncheck()
    await page.getByText('Advanced', { exact: true }).click()
    const other = agents.otherCapabilities(page)
    await other.fill('book:table nonsense')
    await agents.register(page).click()
    await expectText(page, 'must have the form verb:object')
    await expect(other).toHaveAttribute('aria-invalid', 'true')
    await expect(other).toBeFocused()
    await expectAccessible(page)
    await other.fill('book:table')
    await agents.register(page).click()
    await expect(agents.registered(page, 'Half')).toBeVisible()
    page.on('dialog', (dialog) => void dialog.accept())
    await open(page, '/allowed')
    await link(page, 'Half').click()
    await agents.forBuilders(page).click()
    await expect(page.getByRole('list', { name: 'Capabilities' }).locator('li')).toHaveText([
      'read:peck',
      'read:audit',
      'book:table',
    ])
  })

  test('makes a new handshake for an unbonded agent, with a working command', async ({
    ownPage: page,
    person,
    server,
  }) => {
    const agent = await anAgent(server, person)
    await open(page, `/agents/manage/${agent.id}`)
    await agents.hasKey(page).click()
    await agents.newHandshake(page).click()
    expect(await bond(page, agent.key)).toMatchObject({ status: 'bonded' })
    await expect(page.getByText('Connected', { exact: true }).first()).toBeVisible()
    await expectText(page, 'It can ask, and do what you allow')
    await expectText(page, /With a key\. It expires on \d+ \w+ \d{4}\./)
  })
})

test('offers one address to paste, with the way of each program, and a key only to builders', async ({
  ownPage: page,
  server,
}) => {
  await open(page, '/agents/new')
  expect(await codeBlock(page, 'Address to paste')).toBe(`${server.url}/mcp`)
  await expectText(
    page,
    "Claude and ChatGPT reach only addresses on the internet, so they can't reach this one.",
  )
  const hands = new Hands(page)
  await hands.read('the address')
  // The address has it.
  expect(hands.builderWords).toEqual(['mcp'])
  await page.getByText('Claude Code', { exact: true }).click()
  await expectText(page, `npx ${server.url}/clients/beak-client-`)
  await expectText(page, 'Claude Code now asks you before it pushes, deletes or publishes.')
  await link(page, 'register an agent with a key').click()
  await expect(heading(page, 'Register an agent', 1)).toBeVisible()
})

test('connects the first agent from a phone and a computer together, and answers a test request on the phone', async ({
  newPage,
  person,
  server,
}) => {
  const phone = await newPage({ as: person, viewport: { width: 390, height: 844 }, hasTouch: true })
  const computer = await newPage({ as: await anotherSession(server, person) })
  await open(phone, '/agents/new/key')
  await agents.register(phone).tap()
  await expectText(phone, 'Go on at your computer')
  await expectText(phone, `${server.url.replace('http://', '')}/connect`)
  await expectAccessible(phone)

  // The computer gets nothing from the phone: it signs in, and makes a key of its own.
  await open(computer, '/connect')
  await agents.program(computer, 'Cursor').click()
  await agents.makeBlock(computer).click()
  const block = await codeBlock(computer, 'Add this to ~/.cursor/mcp.json')
  const { url, headers } = JSON.parse(block).mcpServers.beak
  await expectAccessible(computer)
  const connected = await fetch(url, {
    method: 'POST',
    headers: {
      ...headers,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  })
  expect(connected.status).toBe(200)
  for (const page of [phone, computer]) await expect(agents.bonded(page, 'Claude Code')).toBeVisible()

  await agents.sendTest(computer).click()
  await expect(computer.getByRole('img', { name: 'QR code of your inbox' })).toBeVisible()
  await expectAccessible(computer)
  // A test waits already: the phone leads to the same one.
  await agents.sendTest(phone).tap()
  await link(phone, 'Open the request').tap()
  await expectText(phone, 'send you a test request, which permits nothing')
  await button(phone, 'Approve').first().tap()
  await expectText(phone, 'Approved. It was a test, so nothing is permitted.')
})

test.describe('managing an agent', () => {
  test('rotates its key: the old key stops immediately, the new key works for the chosen time', {
    tag: '@changed',
  }, async ({ ownPage: page, person, server }) => {
    const agent = await aBondedAgent(server, person)
    await open(page, `/agents/manage/${agent.id}`)
    await agents.forBuilders(page).click()
    await agents.rotate(page).click()
    await agents.daysLeft(page).fill('400')
    await agents.confirmRotate(page).click()
    await expectText(page, 'Enter a whole number from 1 to 365.')
    await expectAccessible(page)
    expect(await keyStatus(server, agent.key)).toBe(200)

    await agents.daysLeft(page).fill('7')
    await agents.confirmRotate(page).click()
    await expect(agents.newKey(page)).toBeFocused()
    const fresh = await agents.key(page)
    expect([await keyStatus(server, agent.key), await keyStatus(server, fresh)]).toEqual([401, 200])
    await expectText(page, '7 of 7 days left')

    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await expectText(page, 'An old key of this agent was used once')
    expect(await page.content()).not.toContain(fresh.slice(40))
  })

  test('suspends and resumes it, and changes its name and whether its key is allowed in URLs', async ({
    ownPage: page,
    person,
    server,
  }) => {
    const agent = await aBondedAgent(server, person)
    await open(page, `/agents/manage/${agent.id}`)
    await agents.suspend(page).click()
    await expectText(page, 'Scout is paused.')
    expect(await keyStatus(server, agent.key)).toBe(403)
    await agents.resume(page).click()
    await expectText(page, 'Scout is resumed.')
    expect(await keyStatus(server, agent.key)).toBe(200)

    await agents.forBuilders(page).click()
    await page.getByLabel('Allow the key in URLs').uncheck()
    await button(page, 'Save').click()
    await expectText(page, 'Saved.')
    await agents.rename(page).click()
    await agents.name(page).fill('Ranger')
    await button(page, 'Save').first().click()
    await expect(heading(page, 'Ranger', 1)).toBeVisible()
    await expect(page.getByLabel('Allow the key in URLs')).not.toBeChecked()
    const byAddress = await send(server, `GET /beak/peck/history?beak_key=${agent.key}`)
    expect([byAddress.status, await keyStatus(server, agent.key)]).toEqual([401, 200])
  })

  test('prints commands that ask, wait for the answer and use the permission', async ({
    ownPage: page,
    person,
    server,
  }) => {
    const agent = await aBondedAgent(server, person)
    await open(page, `/agents/manage/${agent.id}`)
    await agents.forBuilders(page).click()
    await agents.samples(page).click()
    const BEAK_KEY = agent.key
    const peck = run(await codeBlock(page, 'Ask with curl'), { BEAK_KEY })
    expect(peck).toMatchObject({ status: 'pending', target_duckling_id: person.id })
    const { peck_id } = peck
    await send(server, 'POST /beak/peck/approve', { token: person.token, body: { peck_id } })
    const { grant_token } = run(await codeBlock(page, 'Wait for the answer'), { BEAK_KEY, PECK_ID: peck_id })
    const used = run(await codeBlock(page, 'Use with curl'), { GRANT_TOKEN: grant_token })
    expect(used).toMatchObject({ active: true, requester: { agent_id: agent.id } })

    await expect(page.getByText('Ask with Python')).toBeHidden()
    await page.getByText('Python', { exact: true }).click()
    await expect(page.getByText('Ask with Python')).toBeVisible()
    await expect(page.getByText('Use with Python')).toBeVisible()
    await expect(page.getByText('Ask with curl')).toBeHidden()
  })

  test('shows before and after the deregistration what ends with the agent', async ({
    ownPage: page,
    person,
    server,
  }) => {
    const agent = await aBondedAgent(server, person)
    await send(server, 'POST /beak/peck/request', {
      key: agent.key,
      body: { target_duckling_id: person.id, action: 'read:profile', scope: 'limited' },
    })
    await open(page, `/agents/manage/${agent.id}`)
    await agents.deregister(page).click()
    await expectText(page, 'This also ends 1 waiting request.')
    await expectAccessible(page)
    await button(page, 'Cancel').click()
    expect(await keyStatus(server, agent.key)).toBe(200)

    await agents.deregister(page).click()
    await agents.confirmDeregister(page).click()
    await expectText(page, 'Scout is removed. This also ended its key and 1 waiting request.')
    expect(await keyStatus(server, agent.key)).toBe(401)
    // After the page is rendered again, its title comes a moment later.
    await expect(page).toHaveTitle(/Scout/)
    await expectAccessible(page)
    await open(page, '/allowed')
    await expect(link(page, 'Scout')).toHaveCount(0)
    await link(page, 'Show removed agents').click()
    await expect(page.getByText('Removed', { exact: true })).toBeVisible()
  })

  test('finds agents by their name or a capability, without JavaScript too, and Back returns to the search', async ({
    newPage,
    person,
    server,
  }) => {
    await anAgent(server, person, { agent_name: 'Travel desk', capabilities: ['book:table'] })
    await anAgent(server, person, { agent_name: 'Mail triage' })
    for (const javaScriptEnabled of [true, false]) {
      const page = await newPage({ as: person, javaScriptEnabled, baseURL: server.url })
      // A short list has no search field. Addresses of the former page lead here.
      await page.goto('/agents?q=TABLE')
      await expect(page).toHaveURL('/allowed?q=TABLE#agents')
      await expect(link(page, 'Travel desk')).toBeVisible()
      await expect(link(page, 'Mail triage')).toHaveCount(0)
      await link(page, 'Travel desk').click()
      await expect(heading(page, 'Travel desk', 1)).toBeVisible()
      await page.goBack()
      await expect(page.getByRole('searchbox')).toHaveValue('TABLE')
      await page.getByRole('searchbox').fill('nothing like it')
      await button(page, 'Search').click()
      await expectText(page, 'No agents found')
      await link(page, 'Show everything that is allowed').click()
      await expect(link(page, 'Mail triage')).toBeVisible()
    }
  })

  test('answers 404 for an agent of another owner', async ({ newPage, person, complaints, server }) => {
    complaints.expect(/status of 404/)
    const agent = await aBondedAgent(server, person)
    const page = await newPage({ as: await aPerson(server, 'Stranger') })
    expect(await open(page, `/agents/manage/${agent.id}`)).toBe(404)
  })
})
