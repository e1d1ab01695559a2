/**
 * What people without an account check, in a browser: certificates on screen, on paper and as a badge, and receipts without a
 * server. Also the reference and the documentation.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { Authenticator } from '@/lib/factories/authenticator'
import { randomPhone } from '@/lib/fixtures/accounts'
import { button, expectAccessible, expectText, heading, open } from './browser'
import { checkField } from './controls/check-field'
import { test as base, expect } from './fixtures'
import { anAgent, aPerson, bond, confirmPhone, type Person } from './people'
import { type Server, send } from './server'

interface Certified {
  owner: Person
  id: string
}

/** A person with a certificate. */
async function aCertificate(server: Server): Promise<Certified> {
  const owner = await aPerson(server, 'Stranger')
  const { body } = await send(server, 'POST /beak/cert/issue', { token: owner.token })
  return { owner, id: body.cert_id }
}

const revoke = (server: Server, { token }: Person, reason = 'x') =>
  send(server, 'POST /beak/cert/revoke', { token, body: { reason } })

const test = base.extend<{ certified: Certified }>({
  certified: async ({ server }, use) => use(await aCertificate(server)),
})

const headline = (page: Page) => page.getByRole('heading', { level: 1 })

async function badgeOf(server: Server, id: string): Promise<{ response: Response; text: string }> {
  const response = await fetch(`${server.url}/badge/${id}.svg`)
  return { response, text: await response.text() }
}

/** Returns the main part of a page, as a browser without scripts gets it. */
async function htmlOf(server: Server, path: string): Promise<string> {
  const html = await (await fetch(`${server.url}${path}`)).text()
  return /<main[^>]*>[\s\S]*<\/main>/.exec(html)?.[0] ?? ''
}

/** Returns the status of a certificate on its page, its badge and at the API. */
async function statusesOf(page: Page, server: Server, id: string) {
  await open(page, `/verify/${id}`)
  const { body } = await send(server, `GET /beak/cert/verify?cert_id=${id}`)
  const { text } = await badgeOf(server, id)
  return {
    page: await headline(page).textContent(),
    api: [body.valid, body.status],
    badge: />(\w+)<\/text>\s*<\/g>/.exec(text)?.[1],
  }
}

test.describe('a certificate', () => {
  // security: site-14
  test('is valid, and immediately after its revocation revoked, on page, badge and API', async ({
    page,
    certified,
    server,
  }) => {
    const { owner, id } = certified
    expect(await statusesOf(page, server, id)).toEqual({
      page: 'This certificate is valid.',
      api: [true, 'active'],
      badge: 'Valid',
    })
    await expect(page.getByText(`curl '${server.url}/beak/cert/verify?cert_id=${id}'`)).toHaveCount(1)
    await expectAccessible(page)
    await revoke(server, owner, 'Lost my feathers.')
    expect(await statusesOf(page, server, id)).toEqual({
      page: 'This certificate was revoked.',
      api: [false, 'revoked'],
      badge: 'Revoked',
    })
    expect(await page.content()).not.toContain('Lost my feathers')
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
    await expectAccessible(page)
  })

  test('is replaced by a newer one, and shows the current tier of its owner', async ({
    page,
    certified,
    server,
  }) => {
    const { owner, id } = certified
    await confirmPhone(server, owner, randomPhone())
    await open(page, `/verify/${id}`)
    await expect(page.getByText('When it was issued: email confirmed. Today:')).toHaveCount(1)
    await send(server, 'POST /beak/cert/issue', { token: owner.token })
    expect(await statusesOf(page, server, id)).toEqual({
      page: 'This certificate was replaced.',
      api: [false, 'superseded'],
      badge: 'Replaced',
    })
  })

  test('answers 404 on page, badge and credential when the number is unknown, malformed or markup', async ({
    page,
    complaints,
    server,
  }) => {
    complaints.expect(/status of 404/)
    for (const id of [
      'CERT-01JDV8K2M3N4P5Q6R7S8T9V0WX',
      'CERT-1',
      encodeURIComponent('<img src=x onerror=alert(1)>'),
    ]) {
      expect([id, await open(page, `/verify/${id}`)]).toEqual([id, 404])
      await expect(headline(page)).toHaveText('There is no such certificate.')
      await expect(page.locator('main')).toContainText(decodeURIComponent(id))
      const { response, text } = await badgeOf(server, id)
      expect([id, response.status, response.headers.get('content-type')]).toEqual([
        id,
        404,
        'image/svg+xml; charset=utf-8',
      ])
      expect(text).toContain('>Unknown</text>')
      expect([id, (await fetch(`${server.url}/verify/${id}/credential.jwt`)).status]).toEqual([id, 404])
    }
    await expectAccessible(page)
  })

  test('prints on one sheet of A4 in light colours, even when the viewer has chosen dark ones', async ({
    page,
    context,
    certified,
    server,
  }) => {
    const { owner, id } = certified
    await context.addCookies([{ name: 'beak.theme', value: 'dark', url: server.url }])
    const sheets = async () => {
      await open(page, `/verify/${id}`)
      const pdf = await page.pdf({ preferCSSPageSize: true })
      return [...pdf.toString('latin1').matchAll(/\/Type \/Page\b/g)].length
    }
    expect(await sheets()).toBe(1)
    await revoke(server, owner)
    expect(await sheets()).toBe(1)
    // A page of its own, and loaded first: Chromium forgets the medium of a page after a PDF of it, and at times when the page loads.
    const printed = await context.newPage()
    await open(printed, `/verify/${id}`)
    await printed.emulateMedia({ media: 'print' })
    await expect(printed.locator('body')).toHaveCSS('color', 'rgb(22, 33, 31)')
  })

  test('is found by its number in any spelling, or by its address, without JavaScript', async ({
    newPage,
    certified: { id },
    server,
  }) => {
    const page = await newPage({ javaScriptEnabled: false })
    const field = checkField(page)
    for (const given of [id, `  ${id.toLowerCase()}`, id.slice(5), `${server.url}/badge/${id}.svg`]) {
      await page.goto('/verify')
      await field.fill(given)
      await button(page, 'Check').click()
      await page.waitForURL(`**/verify/${id}`)
    }
    await page.goto(`/verify?cert_id=${encodeURIComponent('my "certificate"')}`)
    await expect(page.getByRole('alert')).toContainText("That isn't something we can check.")
    await expect(field).toHaveValue('my "certificate"')
  })

  test('has a badge that pages of other origins can show, and that is requested again each time', async ({
    page,
    certified: { id },
    server,
  }) => {
    const { response } = await badgeOf(server, id)
    expect(response.headers.get('cache-control')).toBe('max-age=0, must-revalidate')
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'",
    )
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const elsewhere = createServer((request, answer) => {
      if (request.url !== '/') return void answer.writeHead(204).end()
      answer.setHeader('Content-Type', 'text/html')
      answer.setHeader('Cross-Origin-Embedder-Policy', 'require-corp')
      answer.end(`<img id="badge" src="${server.url}/badge/${id}.svg">`)
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`)
    const width = await page.locator('#badge').evaluate((image: HTMLImageElement) => image.naturalWidth)
    expect(width).toBeGreaterThan(100)
    elsewhere.close()
    elsewhere.closeAllConnections()
  })

  test('has a share image that never says that the certificate is valid', async ({
    page,
    certified: { id },
    server,
  }) => {
    await open(page, `/verify/${id}`)
    const address = await page.locator('meta[property="og:image"]').getAttribute('content')
    expect(address).toContain(`${server.url}/verify/${id}/opengraph-image`)
    const response = await fetch(String(address))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(10_000)
    for (const name of ['og:title', 'og:description', 'og:image:alt'])
      await expect(page.locator(`meta[property="${name}"]`)).not.toHaveAttribute('content', /\bvalid\b/)
  })
})

test('shows that an agent is valid, then suspended, and answers 404 for an unknown agent', async ({
  page,
  complaints,
  server,
}) => {
  complaints.expect(/status of 404/)
  const owner = await aPerson(server, 'Stranger')
  const agent = await anAgent(server, owner, { agent_name: 'Scout <b>' })
  await open(page, `/agents/${agent.id}`)
  await expect(headline(page)).toHaveText('This agent is not connected yet.')
  await bond(server, agent)
  await open(page, `/agents/${agent.id}`)
  await expect(headline(page)).toHaveText('This agent is valid.')
  await expect(page.getByText(`Scout <b> acts for ${owner.name}.`)).toHaveCount(1)
  await expectAccessible(page)
  await send(server, 'POST /beak/agent/suspend', { token: owner.token, body: { agent_id: agent.id } })
  await open(page, `/agents/${agent.id}`)
  await expect(headline(page)).toHaveText('This agent is paused.')
  expect(await open(page, '/agents/AGT-01JDV8K2M3N4P5Q6R7S8T9V0WX')).toBe(404)
  await expect(headline(page)).toHaveText('There is no such agent.')
})

/** Returns the receipt of an approval that a passkey signed. */
async function signedReceipt(server: Server): Promise<string> {
  const [asker, target] = [await aPerson(server, 'Asker'), await aPerson(server, 'Target')]
  const { token } = target
  const authenticator = new Authenticator()
  const origin = { origin: server.url }
  const creation = await send(server, 'POST /beak/passkey/register', { token })
  const credential = authenticator.create(creation.body, origin)
  await send(server, 'POST /beak/passkey/register/verify', { token, body: { credential } })
  const asked = await send(server, 'POST /beak/peck/request', {
    token: asker.token,
    body: {
      target_duckling_id: target.id,
      action: 'send:mail',
      scope: 'limited',
      params: { to: 'pond@example.com' },
    },
  })
  const { peck_id } = asked.body
  const options = await send(server, 'POST /beak/passkey/challenge', {
    token,
    body: { purpose: 'approve', peck_id, statement_version: 1 },
  })
  await send(server, 'POST /beak/peck/approve', {
    token,
    body: { peck_id, passkey: authenticator.get(options.body, origin) },
  })
  const { status, body } = await send(server, `GET /beak/peck/receipt?peck_id=${peck_id}`, { token })
  expect(status).toBe(200)
  return JSON.stringify(body, null, 2)
}

const receipts = {
  file: (page: Page) => page.getByLabel('Receipt file'),
  text: (page: Page) => page.getByLabel('Receipt text'),
  check: (page: Page) => button(page, 'Check receipt'),
  params: (page: Page) => page.getByLabel('Parameters as JSON'),
  compare: (page: Page) => button(page, 'Compare'),
  keys: (page: Page) => page.getByLabel("The service's keys"),
  checkWithKeys: (page: Page) => button(page, 'Check with these keys'),
  verified: (page: Page) => heading(page, 'Signed with a passkey'),
  rejected: (page: Page) => heading(page, 'This receipt is not valid'),
}

test.describe('a receipt', () => {
  const file = (text: string) => ({
    name: 'receipt.json',
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  })

  test('is checked without the server, and shown as a document', async ({
    page,
    context,
    complaints,
    server,
  }) => {
    complaints.expect(/ERR_INTERNET_DISCONNECTED/)
    const receipt = await signedReceipt(server)
    await open(page, '/receipts')
    await receipts.text(page).fill('{}')
    await receipts.check(page).click()
    await expect(receipts.rejected(page)).toBeVisible()
    await context.setOffline(true)
    await receipts.file(page).setInputFiles(file(receipt))
    await expect(receipts.verified(page)).toBeVisible()
    const document = page.getByRole('article', { name: 'send mail' })
    const { statement } = JSON.parse(receipt)
    for (const words of [statement.requester.duckling_id, statement.target_duckling_id, 'with a passkey'])
      await expect(document.getByText(words).first()).toBeVisible()
    await page.getByText('Compare with parameters I have').click()
    await receipts.params(page).fill('{ "to": "pond@example.com" }')
    await receipts.compare(page).click()
    await expectText(page, 'Yes, exactly these parameters were approved.')
    await receipts.params(page).fill('{ "to": "lake@example.com" }')
    await receipts.compare(page).click()
    await expectText(page, 'No, other parameters were approved.')
    await expectAccessible(page)
  })

  test('is rejected with one changed character, and the page names the changed part', async ({
    page,
    server,
  }) => {
    const receipt = await signedReceipt(server)
    const { jws, passkey } = JSON.parse(receipt)
    const other = (text: string) => (text.endsWith('A') ? `${text.slice(0, -1)}B` : `${text.slice(0, -1)}A`)
    const changes: [string, string][] = [
      ['The statement', receipt.replace('"send:mail"', '"send:maik"')],
      [
        "The service's signature",
        receipt.replace(jws, `${jws.slice(0, -20)}${jws.at(-20) === 'x' ? 'y' : 'x'}${jws.slice(-19)}`),
      ],
      ["The passkey's signature", receipt.replace(passkey.credential_id, other(passkey.credential_id))],
      ['The keys in the file', receipt.replace(/"x": "./, (start) => other(start))],
      ['The file', receipt.replace('"passkey"', '"passkez"')],
    ]
    await open(page, '/receipts')
    for (const [part, changed] of changes) {
      expect(changed).not.toBe(receipt)
      await receipts.text(page).fill(changed)
      await receipts.check(page).click()
      await expect(page.getByRole('listitem').filter({ hasText: `${part}not valid` })).toBeVisible()
      await expect(receipts.rejected(page)).toBeVisible()
      await expect(page.getByRole('article')).toHaveCount(0)
    }
    await receipts.text(page).fill(receipt.slice(0, -2))
    await receipts.check(page).click()
    await expect(heading(page, "This isn't a receipt")).toBeVisible()
    await expectAccessible(page)
  })

  test('without a passkey is the word of the service only, and is checked again with pasted keys', async ({
    page,
    server,
  }) => {
    const [asker, target] = [await aPerson(server, 'Asker'), await aPerson(server, 'Target')]
    const body = { target_duckling_id: target.id, action: 'send:mail', scope: 'limited' }
    const { peck_id } = (await send(server, 'POST /beak/peck/request', { token: asker.token, body })).body
    await send(server, 'POST /beak/peck/approve', { token: target.token, body: { peck_id } })
    const seen = await send(server, `GET /beak/peck/outcome?peck_id=${peck_id}`, { token: target.token })
    const shared = await send(server, 'POST /beak/peck/share', { token: target.token, body: { peck_id } })
    await open(page, `/r/${shared.body.share_id}`)
    const document = page.getByRole('article', { name: 'Send mail', exact: true })
    await expect(document.getByText('send:mail')).toBeVisible()
    await open(page, '/receipts')
    await receipts.text(page).fill(JSON.stringify(seen.body))
    await receipts.check(page).click()
    await expect(heading(page, 'Only the service says so: approved')).toBeVisible()
    await page.getByText('Check with keys or passkeys that I kept, and with witnesses').click()
    await page.getByLabel('Keys of witnesses').fill('no key')
    await receipts.checkWithKeys(page).click()
    await expect(
      page.getByRole('alert').filter({ hasText: 'not the verifier key of a witness' }),
    ).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('Keys of witnesses').fill('')
    const keys = await send(server, 'GET /.well-known/jwks.json')
    await receipts.keys(page).fill(JSON.stringify(keys.body))
    await receipts.checkWithKeys(page).click()
    await expectText(page, 'Checked with the keys you pasted.')
    await expect(heading(page, 'Only the service says so: approved')).toBeVisible()
    await receipts.keys(page).fill(JSON.stringify({ keys: [{ ...keys.body.keys[0], kid: 'other' }] }))
    await receipts.checkWithKeys(page).click()
    await expect(receipts.rejected(page)).toBeVisible()
  })

  test('of another service is verified only with the keys of that service', async ({
    page,
    start,
    server,
  }) => {
    const elsewhere = await start({ env: { LOG_LEVEL: 'error' } })
    const receipt = await signedReceipt(elsewhere)
    const keysOf = async (service: Server) =>
      JSON.stringify((await send(service, 'GET /.well-known/jwks.json')).body)
    await open(page, '/receipts')
    const check = async (keys: string) => {
      await receipts.file(page).setInputFiles(file(receipt))
      await expect(heading(page, 'Unchanged, but from another service')).toBeVisible()
      await receipts.keys(page).fill(keys)
      await receipts.checkWithKeys(page).click()
    }
    await check('{}')
    await expect(page.getByRole('alert').filter({ hasText: "isn't a set of Ed25519 keys" })).toBeVisible()
    await expectAccessible(page)
    await open(page, '/receipts')
    await check(await keysOf(server))
    await expect(receipts.rejected(page)).toBeVisible()
    await open(page, '/receipts')
    await check(await keysOf(elsewhere))
    await expect(receipts.verified(page)).toBeVisible()
  })
})

test.describe('the reference', () => {
  test('describes every operation of openapi.json under its own anchor', async ({ server }) => {
    const { body } = await send(server, 'GET /beak/openapi.json')
    const expected = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const index = await htmlOf(server, '/docs/api')
    const listed = [...index.matchAll(/<a [^>]*href="([^"]+)"[^>]*>[^<]*<code[\s\S]*?<\/a>/g)].map(
      ([link, href = '']) => {
        const code = (/<code[\s\S]*<\/code>/.exec(link)?.[0] ?? '').replaceAll(/<!--.*?-->|<[^>]+>/g, '')
        return [code.replace(/^(GET|POST|PUT)\s*/, '$1 '), href]
      },
    )
    expect(listed.map(([line]) => line).sort()).toEqual(expected.sort())
    const groups = new Set(listed.map(([, href = '']) => href.split('#')[0] ?? ''))
    const anchors = await Promise.all(
      [...groups].map(async (group) => {
        const html = await htmlOf(server, group)
        return [...html.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => `${group}#${id}`)
      }),
    )
    expect(anchors.flat()).toEqual(expect.arrayContaining(listed.map(([, href]) => href)))
  })

  test('shows the call of an operation in the chosen language, names its methods, and has a search field', async ({
    page,
  }) => {
    await open(page, '/docs/api/pecks')
    const operation = page.getByRole('region', { name: 'Ask a duckling for permission' })
    await expect(operation.locator('dl').first()).toContainText('beak.request_peck(…)')
    const code = operation.locator('figure pre').filter({ visible: true }).first()
    await expect(code).toContainText('curl ')
    await page.locator('label', { hasText: 'TypeScript' }).click()
    await expect(code).toContainText('await beak.requestPeck({')
    await expect(page.getByRole('searchbox')).toBeVisible()
  })

  test('sends a call from the form of an operation, and shows the answer', async ({ page }) => {
    await open(page, '/docs/api/platform')
    await page.getByRole('link', { name: 'Try it : Status of the service' }).click()
    await page.getByRole('button', { name: 'Send the call' }).click()
    const answer = page.getByRole('status').filter({ hasText: 'Response: 200 OK' })
    await expect(answer).toContainText('"status": "operational"')
  })

  test('links each error code to its explanation', async ({ server }) => {
    const pecks = await htmlOf(server, '/docs/api/pecks')
    const codes = new Set([...pecks.matchAll(/href="\/docs\/errors#([^"]+)"/g)].map(([, code = '']) => code))
    expect(codes.size).toBeGreaterThan(5)
    const errors = await htmlOf(server, '/docs/errors')
    const ids = [...errors.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    for (const code of codes) expect([code, ids.filter((id) => id === code).length]).toEqual([code, 1])
  })
})

test.describe('the documentation', () => {
  test('shows code in the chosen language on every page, and copies it', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await open(page, '/docs/webhooks')
    const code = page.locator('figure pre')
    await expect(code.filter({ visible: true }).first()).toContainText("from '@beak/client/webhooks'")
    await page.locator('label', { hasText: 'Python' }).click()
    await open(page, '/docs/recipes/book-a-table')
    await expect(page.getByRole('radio', { name: 'Python' })).toBeChecked()
    const first = code.filter({ visible: true }).first()
    await expect(first).toContainText('import os')
    await page.getByRole('button', { name: 'Copy' }).first().click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(await first.textContent())
  })

  test('is searched by keyboard, and has each page as Markdown', async ({ page, server }) => {
    await open(page, '/docs')
    await page.getByRole('searchbox').fill('lost passkeys')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'You have lost all passkeys' }).click()
    await expect(headline(page)).toHaveText('You lost your passkey')
    const address = await page.getByRole('link', { name: 'This page as Markdown' }).getAttribute('href')
    const text = await (await fetch(new URL(address ?? '', server.url))).text()
    expect(text).toMatch(/^# You lost your passkey\n/)
  })
})
