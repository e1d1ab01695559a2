/** The webhook console in a browser, with a receiver of the test and with the receiver that the page prints. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { Webhook } from 'standardwebhooks'
import { freePort } from '@/scripts/servers/free-port.mjs'
import {
  button,
  codeBlock,
  expectAccessible,
  expectText,
  heading,
  hydrated,
  link,
  open,
  signInAs,
} from './browser'
import { webhooks } from './controls/webhooks'
import { test as base, expect } from './fixtures'
import { anAgent, aPerson } from './people'
import { eventually, send } from './server'

interface Received {
  headers: IncomingHttpHeaders
  body: string
}

interface Receiver {
  url: string
  received: Received[]
  /** Sets the answer to the next requests. */
  answer: { status: number; text: string }
}

interface Endpoint {
  /** The page of a webhook that leads to the receiver. */
  page: Page
  secret: string
}

const test = base.extend<{ receiver: Receiver; endpoint: Endpoint }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  receiver: async ({}, use) => {
    const receiver: Receiver = { url: '', received: [], answer: { status: 200, text: 'thank you' } }
    const listener = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      receiver.received.push({ headers: request.headers, body })
      response.writeHead(receiver.answer.status).end(receiver.answer.text)
    })
    listener.listen(0, '127.0.0.1')
    await once(listener, 'listening')
    receiver.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/hook`
    await use(receiver)
    listener.close()
    listener.closeAllConnections()
  },
  ownPage: async ({ ownPage: page }, use) => {
    // The browser asks before it leaves a page with a secret.
    page.on('dialog', (dialog) => void dialog.accept())
    await use(page)
  },
  endpoint: async ({ ownPage: page, person, receiver, server }, use) => {
    const { body } = await send(server, 'POST /beak/webhook/create', {
      token: person.token,
      body: { url: receiver.url, kinds: ['agent.registered'] },
    })
    await open(page, `/webhooks/${body.webhook_id}`)
    await use({ page, secret: body.secret })
  },
})

/** Whether a secret verifies the signature of a message. */
function verifies(secret: string, { body, headers }: Received): boolean {
  try {
    return Boolean(new Webhook(secret).verify(body, headers as Record<string, string>))
  } catch {
    return false
  }
}

test.describe('adding a webhook', () => {
  test('shows once the secret, which verifies deliveries, also in the printed receiver code', async ({
    ownPage: page,
  }) => {
    await open(page, '/webhooks')
    await link(page, 'Add your first webhook').click()
    const port = await freePort()
    await webhooks.address(page).fill(`http://127.0.0.1:${port}/`)
    await webhooks.add(page).click()
    await expect(heading(page, `Webhook to 127.0.0.1:${port} added`)).toBeVisible()
    await expectAccessible(page)
    const secret = await webhooks.secret(page)
    const child = await startPrinted(await codeBlock(page, 'A receiver in Node.js'), secret, port)

    await expect(button(page, 'Copy secret')).toBeVisible()
    await button(page, "I've saved it").click()
    await webhooks.toTest(page).click()
    await webhooks.sendTest(page).click()
    await expectText(page, 'Test delivered.')
    await expectText(page, /^Status 204 after \d+ ms$/)
    expect(await page.content()).not.toContain(secret.slice(6))
    child.kill()
  })

  test('shows beside the field that a choice is missing or an address is invalid, and keeps the entered values', async ({
    ownPage: page,
    receiver,
  }) => {
    await open(page, '/webhooks/new')
    await webhooks.address(page).fill('ftp://example.com/')
    await webhooks.description(page).fill('The barn')
    await webhooks.onlySome(page).check()
    await webhooks.add(page).click()
    await expectText(page, 'Tick at least one event')
    await expectAccessible(page)
    await webhooks.kind(page, 'peck.sent').check()
    await webhooks.add(page).click()
    await expectText(page, 'Must begin with https://')
    await expect(webhooks.address(page)).toBeFocused()
    await webhooks.address(page).fill(receiver.url)
    await webhooks.add(page).click()
    await expect(heading(page, 'Shown only once')).toBeVisible()
    await webhooks.toTest(page).click()
    await expect(heading(page, 'The barn', 1)).toBeVisible()
    await expect(webhooks.kind(page, 'peck.sent')).toBeChecked()
    await expect(webhooks.kind(page, 'peck.approved')).not.toBeChecked()
  })

  test('shows beside the field that a private address is not allowed', async ({ page, start }) => {
    const strict = await start()
    await signInAs(page.context(), strict, await aPerson(strict, 'Insider'))
    await open(page, `${strict.url}/webhooks/new`)
    await webhooks.address(page).fill('https://10.0.0.1/hook')
    await webhooks.add(page).click()
    await expectText(page, 'Must be an address on the public internet')
    await expect(webhooks.address(page)).toHaveAttribute('aria-invalid', 'true')
  })
})

test.describe('the page of a webhook', () => {
  // security: receiver-3
  test('shows the response to a test event as text', async ({ endpoint: { page }, receiver }) => {
    receiver.answer = { status: 500, text: '<b>not now</b>' }
    await webhooks.sendTest(page).click()
    await expectText(page, "The receiver didn't answer with a status from 200 to 299.")
    await expectText(page, '<b>not now</b>')
    await expectAccessible(page)
  })

  test('shows failed attempts as they happen, and redelivers a failed event', async ({
    endpoint: { page },
    person,
    receiver,
    server,
  }) => {
    receiver.answer = { status: 503, text: 'asleep' }
    await anAgent(server, person)
    await eventually(() => receiver.received[0])
    const delivery = webhooks.delivery(page, 'agent.registered')
    // The attempt is stored a moment after the receiver has answered it.
    await expect(async () => {
      await page.reload()
      await expect(delivery.getByText('Waiting')).toBeVisible({ timeout: 2_000 })
      await expect(delivery.getByText('Status 503').first()).toBeAttached({ timeout: 2_000 })
    }).toPass()
    await hydrated(page)
    await delivery.locator('summary').click()
    await expect(delivery.getByText('Status 503').first()).toBeVisible()
    await expectAccessible(page)

    receiver.answer = { status: 200, text: 'awake' }
    await delivery.getByRole('button', { name: 'Send now' }).click()
    await expect(delivery.getByText('Delivered')).toBeVisible()
    await expect(delivery.getByText('Status 200')).toBeVisible()
    const [first, last] = [receiver.received[0], receiver.received.at(-1)]
    expect(last?.headers['webhook-id']).toBe(first?.headers['webhook-id'])

    await link(page, 'Failed').click()
    await expectText(page, 'No failed deliveries.')
    await open(page, '/webhooks')
    await expect(page.getByRole('img', { name: 'Latest deliveries: 1 delivered' })).toHaveCount(1)
  })

  test('rotates the secret: shows it once, and signs with both secrets for a day', async ({
    endpoint: { page, secret },
    person,
    receiver,
    server,
  }) => {
    await webhooks.rotate(page).click()
    await webhooks.confirmRotate(page).click()
    await expect(webhooks.newSecret(page)).toBeVisible()
    const fresh = await webhooks.secret(page)
    await expectText(page, webhooks.bothSecretsSign)
    await anAgent(server, person)
    const message = await eventually(() => receiver.received[0])
    expect([verifies(fresh, message), verifies(secret, message)]).toEqual([true, true])
    await page.reload()
    await expectText(page, webhooks.bothSecretsSign)
    expect(await page.content()).not.toContain(fresh.slice(6))
    expect(server.output()).not.toContain(fresh.slice(6))
  })

  test('switches the webhook off and on again', async ({ endpoint: { page } }) => {
    await webhooks.switchOff(page).click()
    await expect(page.getByText('The webhook is off.', { exact: true })).toBeVisible()
    await expectText(page, 'You switched this webhook off.')
    await expectAccessible(page)
    await webhooks.switchOn(page).click()
    await expectText(page, 'The webhook is on.')
  })

  test('changes the address, and deletes the webhook', async ({
    endpoint: { page },
    person,
    receiver,
    server,
  }) => {
    await webhooks.address(page).fill(`${receiver.url}/elsewhere`)
    await webhooks.save(page).click()
    await expectText(page, 'Saved.')
    const { body } = await send(server, 'GET /beak/webhook/list', { token: person.token })
    expect(body.items[0]).toMatchObject({
      url: `${receiver.url}/elsewhere`,
      kinds: ['agent.registered'],
      enabled: true,
    })

    await webhooks.remove(page).click()
    await webhooks.confirmRemove(page).click()
    await expect(heading(page, 'No webhooks yet')).toBeVisible()
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
