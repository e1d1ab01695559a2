/** The one field of the check page, which recognises what was entered. */
import type { Page } from '@playwright/test'
import { button, expectAccessible, expectText, heading, open } from './browser'
import { checkField } from './controls/check-field'
import { test as base, expect } from './fixtures'
import { type Agent, aBondedAgent, aPerson, type Person } from './people'
import { type Server, send } from './server'

interface Shown {
  agent: Agent
  agentToken: string
  credential: string
  grantToken: string
  receipt: string
  ssoToken: string
}

/** Makes what people and agents show to others. */
async function makeShown(server: Server, person: Person): Promise<Shown> {
  const { token } = person
  const agent = await aBondedAgent(server, person)
  const { key } = agent
  const { cert_id } = (await send(server, 'POST /beak/cert/issue', { token })).body
  const ask = { target_duckling_id: person.id, action: 'send:email', scope: 'limited' }
  const { peck_id } = (await send(server, 'POST /beak/peck/request', { key, body: ask })).body
  await send(server, 'POST /beak/peck/approve', { token, body: { peck_id } })
  const sso = { target_domain: 'shop.example', scope: 'read:profile' }
  return {
    agent,
    agentToken: (await send(server, 'POST /beak/agent/token', { key, body: { audience: 'shop.example' } }))
      .body.token,
    credential: (await send(server, `GET /beak/cert/verify?cert_id=${cert_id}`)).body.credential,
    grantToken: (await send(server, `GET /beak/peck/status?peck_id=${peck_id}`, { key })).body.grant_token,
    receipt: JSON.stringify(
      (await send(server, `GET /beak/peck/outcome?peck_id=${peck_id}`, { token })).body,
    ),
    ssoToken: (await send(server, 'POST /beak/sso/issue', { token, body: sso })).body.sso_token,
  }
}

const test = base.extend<{ shown: Shown }>({
  shown: async ({ server }, use) => use(await makeShown(server, await aPerson(server, 'Shower'))),
})

async function check(page: Page, text: string): Promise<void> {
  await checkField(page).fill(text)
  await button(page, 'Check').click()
}

/** Changes one character in the signature. */
const changed = (token: string) =>
  `${token.slice(0, -6)}${token.at(-6) === 'A' ? 'B' : 'A'}${token.slice(-5)}`

test.describe('the field of the check page', () => {
  test('checks tokens without putting them into an address, with and without JavaScript', async ({
    newPage,
    shown,
    server,
  }) => {
    const genuine = [
      [shown.agentToken, 'This agent token is genuine.'],
      [shown.grantToken, 'This grant token is genuine, but it may be used up.'],
      [shown.ssoToken, 'This sign-on token is valid.'],
    ] as const
    for (const javaScriptEnabled of [true, false]) {
      const page = await newPage({ javaScriptEnabled, baseURL: server.url })
      const addresses: string[] = []
      page.on('request', (request) => addresses.push(request.url()))
      for (const [token, title] of genuine) {
        await page.goto('/verify')
        await check(page, token)
        await expect(heading(page, title)).toBeVisible()
        await page.goto('/verify')
        const isJwt = token.includes('.')
        await check(page, isJwt ? changed(token) : `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`)
        await expect(heading(page, isJwt ? 'This token is not genuine.' : 'not valid')).toBeVisible()
      }
      for (const [token] of genuine) expect(addresses.join(' ')).not.toContain(token.slice(10, 60))
    }
  })

  test('leads to the certificate of a genuine credential, and to an agent', async ({ page, shown }) => {
    await open(page, '/verify')
    await expectText(page, 'What is genuine says who somebody is, not that they are honest.')
    await expectAccessible(page)
    await check(page, shown.credential)
    await expect(heading(page, 'This certificate is valid.')).toBeVisible()
    await open(page, '/verify')
    await check(page, changed(shown.credential))
    await expect(heading(page, 'This token is not genuine.')).toBeVisible()
    await checkField(page).fill(shown.agent.id.toLowerCase())
    await checkField(page).press('Enter')
    await page.waitForURL(`**/agents/${shown.agent.id}`)
  })

  test('checks a pasted or chosen receipt without sending it', async ({ page, shown }) => {
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
    await open(page, '/verify')
    await check(page, shown.receipt)
    await expect(heading(page, 'Only the service says so: approved')).toBeVisible()
    await open(page, '/verify')
    await page.getByLabel('Choose a file').setInputFiles({
      name: 'receipt.json',
      mimeType: 'application/json',
      buffer: Buffer.from(shown.receipt),
    })
    await expect(heading(page, 'Only the service says so: approved')).toBeVisible()
    const { jws } = JSON.parse(shown.receipt)
    expect(sent.join(' ')).not.toContain(jws.slice(50, 90))
  })

  test('warns about a secret, and sends it nowhere', async ({ page, shown, person }) => {
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
    await open(page, '/verify')
    for (const [secret, name] of [
      [shown.agent.key, 'a beak key'],
      [person.token, 'a session token'],
    ] as const) {
      await check(page, secret)
      await expectText(page, new RegExp(`This is ${name}, a secret\\.`))
      expect(sent.join(' ')).not.toContain(secret.slice(20, 60))
    }
  })

  test('says what it accepts when it does not recognise the text, and keeps the text', async ({ page }) => {
    await open(page, '/verify')
    await check(page, 'my certificate')
    await expect(checkField(page)).toHaveAccessibleDescription(/That isn't something we can check\./)
    await expect(checkField(page)).toHaveValue('my certificate')
    await expect(checkField(page)).toBeFocused()
    await expectAccessible(page)
  })
})
