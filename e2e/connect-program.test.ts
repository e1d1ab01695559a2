/** A program connects by address: it opens the browser, the person allows it, and it asks for a permission with its token. */
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import {
  button,
  expectAccessible,
  expectText,
  link,
  open,
  openUnfolded,
  sidewaysOf,
  violationsOf,
} from './browser'
import { agents } from './controls/agents'
import { expect, test } from './fixtures'
import { statusOf } from './people'
import { type Server, send } from './server'

const { BEAK_SCREENSHOTS: folder } = process.env

/** A program on this computer, which waits for its code as native programs do. `elsewhere`: the address to which one of another host returns. */
async function aProgram(server: Server, name: string, elsewhere?: string) {
  let gotCode: (target: URL) => void
  const code = new Promise<URL>((resolve) => {
    gotCode = resolve
  })
  const listener = createServer((request, response) => {
    gotCode(new URL(request.url ?? '/', 'http://127.0.0.1'))
    response
      .setHeader('Content-Type', 'text/html')
      .end('<!DOCTYPE html><title>Program</title>You can close this.')
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const redirectUri = elsewhere ?? `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`
  const metadata = await (await fetch(`${server.url}/.well-known/oauth-authorization-server`)).json()
  const registered = await fetch(metadata.registration_endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      client_name: name,
      redirect_uris: [redirectUri],
      application_type: elsewhere === undefined ? 'native' : 'web',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    }),
  })
  const { client_id } = await registered.json()
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    scope: 'ask ask:others profile activity',
    state: 'kept',
  })
  return {
    address: `${metadata.authorization_endpoint}?${query}`,
    code,
    /** Exchanges the code for tokens. */
    exchange: async (value: string) =>
      (
        await fetch(metadata.token_endpoint, {
          method: 'POST',
          body: new URLSearchParams({
            grant_type: 'authorization_code',
            code: value,
            redirect_uri: redirectUri,
            client_id,
            code_verifier: verifier,
          }),
        })
      ).json(),
    [Symbol.asyncDispose]: async () => {
      listener.closeAllConnections()
      listener.close()
    },
  }
}

/** Calls a tool of the MCP server. Returns its text. */
async function callTool(server: Server, token: string, name: string, input: object): Promise<string> {
  const answer = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  })
  return answer.text()
}

async function shoot(page: Page, name: string): Promise<void> {
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

test('a program is allowed on a page, and its first request arrives in the inbox', async ({
  ownPage: page,
  person,
  server,
}) => {
  await using program = await aProgram(server, 'Claude')
  await open(page, program.address)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Let Claude in?')
  await expectText(page, 'Beak has not checked this name')
  await expectText(page, person.email)
  await expectAccessible(page)
  await shoot(page, 'consent-desktop')
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await sidewaysOf(page)).toBe(0)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violationsOf(page)).toEqual([])
  await shoot(page, 'consent-phone-dark')
  await page.getByText('More choices').click()
  await page.getByLabel('Name of this connection').fill('Claude on otter')
  await page.getByLabel('Read your profile and certificate').check()
  const [tab] = await Promise.all([page.waitForEvent('popup'), button(page, 'Allow').click()])
  const target = await program.code
  expect(target.searchParams.get('state')).toBe('kept')
  await expect(page).toHaveURL(/\/connect\/first\/AGT-/)
  await expectText(page, 'Claude on otter is not connected yet')
  expect(await tab.evaluate(() => window.opener)).toBeNull()
  await tab.close()
  const tokens = await program.exchange(target.searchParams.get('code') ?? '')
  expect(tokens.scope).toBe('ask profile')

  const asked = await callTool(server, tokens.access_token, 'ask_permission', {
    action: 'send:email',
    params: { to: 'ann@example.com' },
  })
  expect(asked).toContain('pending')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
  await open(page, '/pecks')
  await expect(
    page.locator('main bdi').getByText('Claude on otter').filter({ visible: true }).first(),
  ).toBeVisible()
  await shoot(page, 'consent-inbox')

  const { items } = (await send(server, 'GET /beak/agent/list', { token: person.token })).body
  expect(items).toMatchObject([{ agent_name: 'Claude on otter', connection: { client_name: 'Claude' } }])
  await open(page, `/agents/manage/${items[0].agent_id}`)
  await agents.forBuilders(page).click()
  await expectText(page, 'A program on the device where you allowed it')
  await shoot(page, 'consent-agent')

  await page.getByText('Change what it may do', { exact: true }).click()
  const others = page.getByLabel('Ask other people in your name')
  await expect(others).not.toBeChecked()
  await others.check()
  const rights = page.getByRole('form', { name: 'Change what it may do' })
  await rights.getByRole('button', { name: 'Save' }).click()
  await expectText(page, 'Saved')
  const connection = async () =>
    (await send(server, 'GET /beak/agent/list', { token: person.token })).body.items[0].connection
  expect((await connection()).scopes).toEqual(['ask', 'ask:others', 'profile'])
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await sidewaysOf(page)).toBe(0)
  await page.emulateMedia({ colorScheme: 'dark' })
  await shoot(page, 'rights-agent-phone-dark')

  await openUnfolded(page, '/security')
  await button(page, 'Sign out all other devices').click()
  await page.getByLabel('Also disconnect your programs').check()
  await shoot(page, 'rights-security-phone-dark')
  await button(page, 'Sign them out').click()
  await expectText(page, 'One program was disconnected.')
  expect((await connection()).ended_at).toEqual(expect.any(String))
  await open(page, `/agents/manage/${items[0].agent_id}`)
  await expectText(page, 'This program is not connected')
  expect(await sidewaysOf(page)).toBe(0)
  expect(await violationsOf(page)).toEqual([])
  await shoot(page, 'rights-ended-phone-dark')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
  await shoot(page, 'rights-ended')
  await open(page, '/allowed')
  await expectText(page, 'Not connected')
  await shoot(page, 'rights-agents')
})

test('a program of another host gets this tab back, and Home then says what to say to it', async ({
  complaints,
  context,
  ownPage: page,
  server,
}) => {
  const back = 'https://program.example/callback'
  await using program = await aProgram(server, 'Claude', back)
  await open(page, program.address)
  await expectText(page, 'You go back to program.example.')
  // There is no such host.
  complaints.expect(/program\.example/)
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.url().startsWith(back)),
    button(page, 'Allow').click(),
  ])
  expect(request.frame()).toBe(page.mainFrame())
  await expect(page).toHaveURL(/^chrome-error:/)
  expect(context.pages()).toHaveLength(1)
  const code = new URL(request.url()).searchParams.get('code') ?? ''
  expect(await program.exchange(code)).toHaveProperty('access_token')
  await open(page, '/home')
  await link(page, 'What to say to it').first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Claude is connected')
})

test('somebody who is not signed in is led to the sign-up and can sign in, and another browser is offered nothing', async ({
  complaints,
  newPage,
  person,
  server,
}) => {
  await using program = await aProgram(server, 'Cursor')
  const page = await newPage()
  await open(page, program.address)
  await expect(page).toHaveURL(/\/signup\?next=%2Fconnect%2Fallow%2F/)
  await link(page, 'Sign in').last().click()
  await expect(page).toHaveURL(/\/signin\?next=%2Fconnect%2Fallow%2F/)
  complaints.expect(/404/)
  const next = new URL(page.url()).searchParams.get('next') ?? ''
  const signedIn = await newPage({ as: person })
  // The same address in another browser offers nothing.
  await open(signedIn, next)
  await expectText(signedIn, 'This page is no longer open')
  expect(await signedIn.getByRole('button', { name: 'Allow' }).count()).toBe(0)
})

test('somebody else can sign in for it, and the session before has ended', async ({
  ownPage: page,
  person,
  server,
}) => {
  await using program = await aProgram(server, 'Claude')
  await open(page, program.address)
  const question = new URL(page.url()).pathname
  await button(page, 'Use another account').click()
  await expect(page).toHaveURL((url) => url.searchParams.get('next') === question)
  expect(await statusOf(server, person.token)).toBe(401)
})

test('a refusal tells the program, and gives it nothing', async ({ ownPage: page, person, server }) => {
  await using program = await aProgram(server, 'Beak support')
  await open(page, program.address)
  await button(page, 'Refuse').click()
  const target = await program.code
  expect([target.searchParams.get('error'), target.searchParams.get('code')]).toEqual(['access_denied', null])
  expect((await send(server, 'GET /beak/agent/list', { token: person.token })).body.items).toEqual([])
})
