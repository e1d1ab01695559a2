/** The webhook console in a browser, with a receiver of our own and with the one that is printed there. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '@/lib/fixtures/free-port'
import { complaintsOf, patient, signInAs, startBrowser } from './browser'
import { aPerson, eventually, type RunningServer, send, startServer, stopAll } from './server'

interface Received {
  headers: IncomingHttpHeaders
  body: string
}

let server: RunningServer
/** One that keeps to public addresses. */
let strict: RunningServer
let browser: Browser
let receiver: Server
let url: string
/** What has arrived, and how it is answered from now on. */
const received: Received[] = []
let answer: { status: number; text: string }

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    received.push({ headers: request.headers, body })
    response.writeHead(answer.status).end(answer.text)
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  ;[server, strict, browser] = await Promise.all([
    startServer({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } }),
    startServer(),
    startBrowser(),
  ])
}, 120_000)
afterAll(async () => {
  receiver.close()
  receiver.closeAllConnections()
  await browser.close()
  await Promise.all([server.stop(), strict.stop()])
  stopAll()
})

/** A new person's browser, at a page of theirs, and a receiver that says yes. */
async function open(name: string, path: string) {
  answer = { status: 200, text: 'thank you' }
  received.length = 0
  const person = await aPerson(server, name)
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  await signInAs(context, server, person)
  const page = await context.newPage()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(`${server.url}${path}`)
  return { person, page }
}

/** The same with an endpoint, at its page. */
async function openEndpoint(name: string) {
  const { person, page } = await open(name, '/profile')
  const { body } = await send(server, 'POST /beak/webhook/create', {
    token: person.token,
    body: { url, kinds: ['agent.registered'] },
  })
  const path = `/webhooks/${body.webhook_id}`
  await page.goto(`${server.url}${path}`)
  return { person, page, secret: String(body.secret) }
}

const blockIn = async (page: Page, label: string) =>
  (await page.locator(`xpath=//span[.="${label}"]/ancestor::div[pre][1]/pre`).textContent()) ?? ''

const opens = (secret: string, { body, headers }: Received) => {
  try {
    return Boolean(new Webhook(secret).verify(body, headers as Record<string, string>))
  } catch {
    return false
  }
}

const register = (token: string) =>
  send(server, 'POST /beak/agent/register', {
    token,
    body: { agent_name: 'Scout', agent_type: 'assistant', capabilities: ['read:peck'] },
  })

const axe = async (page: Page) => {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`)
}

describe('adding a webhook', patient, () => {
  it('shows a secret once that verifies what then arrives, also with the receiver printed beside it', async () => {
    const { page } = await open('Teller', '/webhooks')
    const complaints = complaintsOf(page)
    await page.getByRole('link', { name: 'Add your first webhook' }).click()
    const port = await freePort()
    await page.getByLabel('Address').fill(`http://127.0.0.1:${port}/`)
    await page.getByRole('button', { name: 'Add it' }).click()
    await page.getByRole('heading', { name: `We will tell 127.0.0.1:${port}` }).waitFor()
    expect(await axe(page)).toEqual([])
    const secret = await blockIn(page, 'Secret')
    const code = await blockIn(page, 'A receiver in Node.js')
    const child = await startPrinted(code, secret, port)

    await page.getByRole('button', { name: 'Copy the secret' }).waitFor()
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('link', { name: 'Go on to the test' }).click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('It arrived.').waitFor()
    expect(await page.getByText(/^Status 204 after \d+ ms$/).count()).toBeGreaterThan(0)
    expect(await page.content()).not.toContain(secret.slice(6))
    child.kill()
    expect(complaints).toEqual([])
  })

  it('refuses an empty choice and a bad address beside the field, and keeps what was typed', async () => {
    const { page } = await open('Chooser', '/webhooks/new')
    await page.getByLabel('Address').fill('ftp://example.com/')
    await page.getByLabel('What it is for').fill('The barn')
    await page.getByLabel('Only these').check()
    await page.getByRole('button', { name: 'Add it' }).click()
    await page.getByText('Tick at least one kind').waitFor()
    expect(await axe(page)).toEqual([])
    await page.getByLabel('peck.sent').check()
    await page.getByRole('button', { name: 'Add it' }).click()
    await page.getByText('Must be an https URL.').waitFor()
    expect(await page.getByLabel('Address').evaluate((field) => field === document.activeElement)).toBe(true)
    await page.getByLabel('Address').fill(url)
    await page.getByRole('button', { name: 'Add it' }).click()
    await page.getByRole('heading', { name: 'Shown this once' }).waitFor()
    await page.getByRole('link', { name: 'Go on to the test' }).click()
    await page.getByRole('heading', { level: 1, name: 'The barn' }).waitFor()
    expect(await page.getByLabel('peck.sent').isChecked()).toBe(true)
    expect(await page.getByLabel('peck.approved').isChecked()).toBe(false)
  })

  it('refuses a private address beside the field where those are not allowed', async () => {
    const person = await aPerson(strict, 'Insider')
    const context = await browser.newContext()
    await signInAs(context, strict, person)
    const page = await context.newPage()
    await page.goto(`${strict.url}/webhooks/new`)
    await page.getByLabel('Address').fill('https://10.0.0.1/hook')
    await page.getByRole('button', { name: 'Add it' }).click()
    await page.getByText('Must not lead to a private').waitFor()
    expect(await page.getByLabel('Address').getAttribute('aria-invalid')).toBe('true')
    await context.close()
  })
})

describe('an endpoint’s page', patient, () => {
  it('shows what a test was answered, as text', async () => {
    const { page } = await openEndpoint('Tester')
    answer = { status: 500, text: '<b>not now</b>' }
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('It did not answer with a status from 200 to 299.').first().waitFor()
    expect(await page.getByText('<b>not now</b>').count()).toBeGreaterThan(0)
    expect(await axe(page)).toEqual([])
  })

  it('shows failed attempts as they come, and sends again what failed', async () => {
    const { page, person } = await openEndpoint('Retrier')
    answer = { status: 503, text: 'asleep' }
    await register(person.token)
    await eventually(() => received[0])
    await page.reload()
    const delivery = page.locator('details', { hasText: 'agent.registered' })
    await delivery.getByText('Waiting').waitFor()
    await delivery.locator('summary').click()
    await delivery.getByText('Status 503').first().waitFor()
    expect(await axe(page)).toEqual([])

    answer = { status: 200, text: 'awake' }
    await delivery.getByRole('button', { name: 'Send it now' }).click()
    await delivery.getByText('Delivered').waitFor()
    await delivery.getByText('Status 200').waitFor()
    const [first, last] = [received[0], received.at(-1)]
    expect(last?.headers['webhook-id']).toBe(first?.headers['webhook-id'])

    await page.getByRole('link', { name: 'Failed' }).click()
    await page.getByText('None of these.').waitFor()
    await page.goto(`${server.url}/webhooks`)
    expect(await page.getByRole('img', { name: 'The last 1: 1 delivered' }).count()).toBe(1)
  })

  it('rotates the secret: shown once, and for a day both sign', async () => {
    const { page, secret, person } = await openEndpoint('Rotator')
    await page.getByRole('button', { name: 'Rotate the secret' }).click()
    await page.getByRole('button', { name: 'Rotate it now' }).click()
    await page.getByRole('heading', { name: 'The new secret, shown this once' }).waitFor()
    const fresh = await blockIn(page, 'Secret')
    await page.getByText('The old secret signs beside the new one').waitFor()
    await register(person.token)
    const message = await eventually(() => received[0])
    expect([opens(fresh, message), opens(secret, message)]).toEqual([true, true])
    await page.reload()
    await page.getByText('The old secret signs beside the new one').waitFor()
    expect(await page.content()).not.toContain(fresh.slice(6))
    expect(server.output()).not.toContain(fresh.slice(6))
  })

  it('switches off and on again', async () => {
    const { page } = await openEndpoint('Switcher')
    await page.getByRole('button', { name: 'Switch it off' }).click()
    await page.getByText('It is off.', { exact: true }).waitFor()
    await page.getByText('You switched it off.').waitFor()
    expect(await axe(page)).toEqual([])
    await page.getByRole('button', { name: 'Switch it on' }).click()
    await page.getByText('It is on again.').waitFor()
  })

  it('changes where it leads, and ends', async () => {
    const { page, person } = await openEndpoint('Changer')
    await page.getByLabel('Address').fill(`${url}/elsewhere`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const { body } = await send(server, 'GET /beak/webhook/list', { token: person.token })
    expect(body.items[0]).toMatchObject({
      url: `${url}/elsewhere`,
      kinds: ['agent.registered'],
      enabled: true,
    })

    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByRole('button', { name: 'Delete it for good' }).click()
    await page.getByRole('heading', { name: 'Nobody is told yet' }).waitFor()
  })
})

/** Runs the printed receiver, from within the checkout so that it finds its package. */
async function startPrinted(code: string, secret: string, port: number): Promise<ChildProcess> {
  const path = join(process.cwd(), 'build', `receiver-${port}.mjs`)
  writeFileSync(path, code)
  const child = spawn(process.execPath, [path], {
    env: { ...process.env, BEAK_WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: 'ignore',
  })
  child.once('exit', () => rmSync(path))
  await eventually(() =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'not ours' }).then(
      ({ status }) => status === 400 || null,
      () => null,
    ),
  )
  return child
}
