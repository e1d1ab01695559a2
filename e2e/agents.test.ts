/** The agent console in a browser, against a running server: what is printed there is run as it is printed. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { complaintsOf, patient, signInAs, startBrowser } from './browser'
import { aPerson, type RunningServer, send, startServer, stopAll } from './server'

let server: RunningServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), startBrowser()])
}, 120_000)
afterAll(async () => {
  await browser.close()
  await server.stop()
  stopAll()
})

/** A new person's browser, at a page of theirs. */
async function open(name: string, path: string) {
  const person = await aPerson(server, name)
  const context = await browser.newContext({ reducedMotion: 'reduce', acceptDownloads: true })
  await signInAs(context, server, person)
  const page = await context.newPage()
  await page.goto(`${server.url}${path}`)
  return { person, page }
}

async function registerIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Register it' }).click()
  await page.getByRole('heading', { name: `${name} is registered` }).waitFor()
}

/** The text of the block of that label, as its button copies it. */
const blockIn = async (page: Page, label: string) =>
  (await page.locator(`xpath=//span[.="${label}"]/ancestor::div[pre][1]/pre`).textContent()) ?? ''

const run = (command: string, env: Record<string, string> = {}) =>
  JSON.parse(execFileSync('bash', ['-c', command], { env: { ...process.env, ...env }, encoding: 'utf8' }))

async function anAgent(token: string, capabilities = ['request:peck', 'read:peck']) {
  const { body } = await send(server, 'POST /beak/agent/register', {
    token,
    body: { agent_name: 'Scout', agent_type: 'assistant', capabilities },
  })
  const { agent_id, beak_key, handshake_token } = body
  await send(server, 'POST /beak/agent/bond', { key: beak_key, body: { agent_id, handshake_token } })
  return { id: String(agent_id), key: String(beak_key) }
}

const works = async (key: string) => (await send(server, 'GET /beak/peck/history', { key })).status

const axe = async (page: Page) => {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`)
}

describe('registering an agent', patient, () => {
  it('prints a command that bonds it when it is run, and the page says so by itself', async () => {
    const { page } = await open('Herald', '/agents')
    const complaints = complaintsOf(page)
    await page.getByRole('link', { name: 'Register your first agent' }).click()
    await registerIn(page, 'Old scout')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Old scout is registered')
    expect(await axe(page)).toEqual([])

    const answer = run(await blockIn(page, 'Run this where the agent lives'))
    expect(answer).toMatchObject({ agent_name: 'Old scout', status: 'bonded' })
    await page.getByRole('heading', { name: 'Old scout has bonded' }).waitFor()
    expect(await axe(page)).toEqual([])
    expect(await page.getByText('Run this where the agent lives').count()).toBe(0)

    await page.getByRole('link', { name: 'See what it can ask' }).click()
    await page.getByRole('heading', { name: 'Let it ask' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('shows the key once: not in an address, in storage, in a log, or when the page is asked for again', async () => {
    const { page } = await open('Keeper', '/agents/new')
    const addresses: string[] = []
    page.on('request', (request) => addresses.push(request.url()))
    await registerIn(page, 'Keeper of keys')
    const key = await blockIn(page, 'Beak key')
    const handshake = await blockIn(page, 'Handshake')
    expect(key).toMatch(/^beak_KEY-/)
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]),
    )
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.type())
      void dialog.accept()
    })
    await page.reload()
    await page.getByRole('heading', { name: 'Register an agent' }).waitFor()
    const again = await page.content()
    await page.goto(`${server.url}/agents`)
    await page.getByRole('link', { name: 'Keeper of keys' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Keeper of keys' }).waitFor()
    for (const secret of [key.slice(40), handshake.slice(31)])
      for (const place of [addresses.join(), stored, again, await page.content(), server.output()])
        expect(place).not.toContain(secret)
    // It asked before it let go.
    expect(dialogs).toEqual(['beforeunload'])
  })

  it('asks before a link loses the key, and lets go once the key is on disk', async () => {
    const { page } = await open('Leaver', '/agents/new')
    await registerIn(page, 'Leaving one')
    const asked = page.waitForEvent('dialog')
    const click = page.getByRole('link', { name: 'Profile' }).click()
    await (await asked).dismiss()
    await click
    expect(page.url()).toBe(`${server.url}/agents/new`)

    const key = await blockIn(page, 'Beak key')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download leaving-one.env' }).click()
    const file = readFileSync(await (await download).path(), 'utf8')
    expect(file).toContain(`BEAK_KEY=${key}\n`)
    expect(file).toContain(`BEAK_URL=${server.url}\n`)
    await page.getByText('You can leave this page.').waitFor()
    await page.getByRole('link', { name: 'Profile' }).click()
    await page.waitForURL('**/profile')
  })

  it('names what is wrong beside its field and keeps everything that was chosen', async () => {
    const { page } = await open('Chooser', '/agents/new')
    await page.getByLabel('Name').fill('Half')
    await page.getByLabel('read:audit').check()
    await page.getByLabel('request:peck').uncheck()
    await page.getByLabel('Other capabilities').fill('book:table nonsense')
    await page.getByRole('button', { name: 'Register it' }).click()
    const own = page.getByLabel('Other capabilities')
    await page.getByText('must have the form verb:object').waitFor()
    expect(await own.getAttribute('aria-invalid')).toBe('true')
    expect(await own.evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await axe(page)).toEqual([])
    await own.fill('book:table')
    await page.getByRole('button', { name: 'Register it' }).click()
    await page.getByRole('heading', { name: 'Half is registered' }).waitFor()
    await page.goto(`${server.url}/agents`).catch(() => undefined)
    expect(await page.getByRole('list', { name: 'Capabilities' }).locator('li').allTextContents()).toEqual([
      'read:peck',
      'read:audit',
      'book:table',
    ])
  })

  it('makes a new handshake for an agent that has not bonded, with a command that works', async () => {
    const { page, person } = await open('Renewer', '/agents')
    const { body } = await send(server, 'POST /beak/agent/register', {
      token: person.token,
      body: { agent_name: 'Late', agent_type: 'assistant', capabilities: ['read:peck'] },
    })
    await page.goto(`${server.url}/agents/manage/${body.agent_id}`)
    await page.getByRole('button', { name: 'Make a new handshake' }).click()
    const command = await blockIn(page, 'Run this where the agent lives')
    expect(run(command, { BEAK_KEY: body.beak_key })).toMatchObject({ status: 'bonded' })
    await page.getByText('Bonded', { exact: true }).first().waitFor()
    await page.getByText('It may act for you').waitFor()
  })
})

describe('managing an agent', patient, () => {
  it('rotates its key: the old one is dead at once, the new one works for as long as was asked', async () => {
    const { page, person } = await open('Rotator', '/profile')
    const agent = await anAgent(person.token)
    await page.goto(`${server.url}/agents/manage/${agent.id}`)
    await page.getByRole('button', { name: 'Rotate the key' }).click()
    await page.getByLabel('Days until').fill('400')
    await page.getByRole('button', { name: 'Rotate it now' }).click()
    await page.getByText('A whole number from 1 to 365.').waitFor()
    expect(await axe(page)).toEqual([])
    expect(await works(agent.key)).toBe(200)

    await page.getByLabel('Days until').fill('7')
    await page.getByRole('button', { name: 'Rotate it now' }).click()
    await page.getByRole('heading', { name: 'The new key, shown this once' }).waitFor()
    const fresh = await blockIn(page, 'Beak key')
    expect([await works(agent.key), await works(fresh)]).toEqual([401, 200])
    await page.getByText('7 of 7 days left').waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
      'The new key, shown this once',
    )

    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByText('A dead key of it was used once').waitFor()
    expect(await page.content()).not.toContain(fresh.slice(40))
  })

  it('suspends it, resumes it, and changes its name and whether its key may ride in addresses', async () => {
    const { page, person } = await open('Pauser', '/profile')
    const agent = await anAgent(person.token)
    await page.goto(`${server.url}/agents/manage/${agent.id}`)
    await page.getByRole('button', { name: 'Suspend it' }).click()
    await page.getByText('Scout is suspended.').waitFor()
    expect(await works(agent.key)).toBe(403)
    await page.getByRole('button', { name: 'Resume it' }).click()
    await page.getByText('Scout is resumed.').waitFor()
    expect(await works(agent.key)).toBe(200)

    await page.getByLabel('Name').fill('Ranger')
    await page.getByLabel('Accept its key in addresses').uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ranger' }).waitFor()
    const byAddress = await send(server, `GET /beak/peck/history?beak_key=${agent.key}`)
    expect([byAddress.status, await works(agent.key)]).toEqual([401, 200])
  })

  it('prints a peck that arrives when it is run', async () => {
    const { page, person } = await open('Asker', '/profile')
    const agent = await anAgent(person.token)
    await page.goto(`${server.url}/agents/manage/${agent.id}`)
    const peck = run(await blockIn(page, 'A first peck'), { BEAK_KEY: agent.key })
    expect(peck).toMatchObject({ status: 'pending', target_duckling_id: person.id })
  })

  it('says before it deregisters what goes with it, and afterwards what went', async () => {
    const { page, person } = await open('Ender', '/profile')
    const agent = await anAgent(person.token)
    await send(server, 'POST /beak/peck/request', {
      key: agent.key,
      body: { target_duckling_id: person.id, action: 'read:profile', scope: 'limited' },
    })
    await page.goto(`${server.url}/agents/manage/${agent.id}`)
    await page.getByRole('button', { name: 'Deregister it' }).click()
    await page.getByText('With it go 1 waiting peck.').waitFor()
    expect(await axe(page)).toEqual([])
    await page.getByRole('button', { name: 'Leave it as it is' }).click()
    expect(await works(agent.key)).toBe(200)

    await page.getByRole('button', { name: 'Deregister it' }).click()
    await page.getByRole('button', { name: 'Deregister it for good' }).click()
    await page.getByText('Scout is deregistered. With it went its key and 1 waiting peck.').waitFor()
    expect(await works(agent.key)).toBe(401)
    // The page is drawn anew, its name a moment later.
    await expect.poll(() => page.title()).toContain('Scout')
    expect(await axe(page)).toEqual([])
    await page.goto(`${server.url}/agents`)
    expect(await page.getByRole('link', { name: 'Scout' }).count()).toBe(0)
    await page.getByRole('link', { name: 'With those deregistered' }).click()
    await page.getByText('Deregistered', { exact: true }).waitFor()
  })

  it('knows nothing of an agent that is somebody else’s', async () => {
    const { person } = await open('Owner', '/profile')
    const agent = await anAgent(person.token)
    const { page } = await open('Stranger', '/profile')
    const answer = await page.goto(`${server.url}/agents/manage/${agent.id}`)
    expect(answer?.status()).toBe(404)
  })
})
