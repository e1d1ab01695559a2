/**
 * The main job from end to end, by those it is for: two people in browsers of their own, an agent over HTTP that one of them
 * registers, and a stranger who believes neither of them and checks.
 */
import { execFileSync } from 'node:child_process'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startBrowser, withAuthenticator } from './browser'
import { codeIn, type RunningServer, send, startServer, stopAll } from './server'

let server: RunningServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), startBrowser()])
}, 60_000)
afterAll(async () => {
  await browser?.close()
  stopAll()
})

const complaints: string[] = []

/** A browser of somebody's own, in which passkeys work. */
async function aBrowser(): Promise<Page> {
  const context = await browser.newContext({
    baseURL: server.url,
    reducedMotion: 'reduce',
    acceptDownloads: true,
  })
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  await withAuthenticator(page)
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  return page
}

/** From nothing to a confirmed address, a passkey and a certificate. Gives the certificate's id. */
async function comeIn(page: Page, name: string): Promise<string> {
  const email = `${name.toLowerCase()}@pond.example`
  await page.goto('/')
  await page.getByRole('link', { name: 'Sign up' }).first().click()
  await page.getByLabel('Display name').fill(name)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByLabel('Six-digit code').fill(await codeIn(server, email))
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Issue my certificate' }).click()
  await page.getByRole('heading', { name: `${name} has hatched` }).waitFor()
  const session = (await page.context().cookies()).find((cookie) => cookie.name === 'beak.session')
  const { body } = await send(server, 'GET /beak/cert/view', { token: session?.value })
  return body.cert_id
}

/** Registers an agent and has it run the command that the page prints. Gives its id and key. */
async function bondAnAgent(page: Page, name: string): Promise<{ id: string; key: string }> {
  await page.goto('/agents/new')
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Register it' }).click()
  await page.getByRole('heading', { name: `${name} is registered` }).waitFor()
  const block = (label: string) =>
    page.locator(`xpath=//span[.="${label}"]/ancestor::div[pre][1]/pre`).textContent()
  const key = (await block('Beak key')) ?? ''
  const printed = (await block('Run this where the agent lives')) ?? ''
  const { agent_id: id } = JSON.parse(execFileSync('bash', ['-c', printed], { encoding: 'utf8' }))
  await page.getByRole('heading', { name: `${name} has bonded` }).waitFor()
  return { id, key }
}

it('two people, an agent and a stranger get the main job done', { timeout: 120_000 }, async () => {
  const mallard = await aBrowser()
  const eider = await aBrowser()
  const stranger = await aBrowser()
  await comeIn(mallard, 'Mallard')
  const certificate = await comeIn(eider, 'Eider')
  const scout = await bondAnAgent(mallard, 'Scout')

  // Eider has the inbox open when Mallard's agent asks, and signs exactly that with a passkey.
  await eider.goto('/pecks')
  await eider.locator('[data-connection="live"]').waitFor()
  const profile = await eider.context().cookies()
  const token = profile.find((cookie) => cookie.name === 'beak.session')?.value
  const { duckling_id: target } = (await send(server, 'GET /beak/profile', { token })).body
  const params = { to: 'Lake', seats: 2 }
  const asked = await send(server, 'POST /beak/peck/request', {
    key: scout.key,
    body: { target_duckling_id: target, action: 'book:train', scope: 'limited', params },
  })
  const { peck_id: peckId } = asked.body
  const answered = send(server, `GET /beak/peck/status?peck_id=${peckId}&wait=30`, { key: scout.key })
  const request = eider.getByRole('article', { name: 'Book train' })
  await request.getByText('Mallard').first().waitFor()
  await request.getByRole('button', { name: 'Approve with my passkey' }).click()
  await request.getByText('Approved, and signed by your passkey.').waitFor()

  // The agent, which has been waiting, may do it once, and only that.
  const { body: seen } = await answered
  expect(seen).toMatchObject({ status: 'approved', grant_status: 'active' })
  const use = (given: object) =>
    send(server, 'POST /beak/peck/consume', { body: { grant_token: seen.grant_token, params: given } })
  expect((await use({ to: 'Lake', seats: 20 })).status).toBe(403)
  expect((await use(params)).body).toMatchObject({ active: true, uses_left: 0 })
  expect((await use(params)).status).toBe(409)

  // The stranger believes nobody: receipt, agent and certificate are checked without an account.
  const downloading = eider.waitForEvent('download')
  await request.getByRole('link', { name: 'Download the receipt' }).click()
  await stranger.goto('/receipts')
  await stranger.getByLabel('A receipt').setInputFiles(await (await downloading).path())
  await stranger.getByRole('heading', { name: 'This receipt holds.' }).waitFor()
  await stranger.goto(`/agents/${scout.id}`)
  await stranger.getByRole('heading', { level: 1, name: /good standing/ }).waitFor()
  await stranger.goto('/verify')
  await stranger.getByRole('textbox').fill(certificate)
  await stranger.getByRole('textbox').press('Enter')
  await stranger.getByRole('heading', { name: 'This certificate is valid.' }).waitFor()

  // Eider finds all of it in an audit log that is unbroken, takes the certificate back, and goes.
  await eider.goto('/audit')
  await eider.getByRole('button', { name: 'Check the chain' }).click()
  await eider.getByText(/^\d+ events, unbroken since/).waitFor()
  await eider.goto('/certificate')
  await eider.getByRole('button', { name: 'Revoke this certificate' }).click()
  await eider.getByLabel('Reason').fill('Moving to another pond.')
  await eider.getByRole('button', { name: 'Revoke for good' }).click()
  await eider.getByText('Your certificate is revoked.').waitFor()
  await stranger.reload()
  await stranger.getByRole('heading', { level: 1, name: /revoked/ }).waitFor()
  await eider.getByRole('button', { name: 'Sign out' }).click()
  await eider.waitForURL('**/signed-out')
  expect((await send(server, 'GET /beak/profile', { token })).status).toBe(401)

  // And comes back with nothing but the passkey.
  await eider.goto('/signin?next=%2Fpecks')
  await eider.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await eider.waitForURL('**/pecks')
  expect(complaints).toEqual([])
})
