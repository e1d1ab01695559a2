/**
 * What strangers check, in a browser: certificates on screen, on paper and as a badge; receipts without a server; the reference,
 * and the commands and code that it shows, which are run as they are shown.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { Webhook } from 'standardwebhooks'
import { Authenticator } from '@/lib/fixtures/authenticator'
import { randomPhone } from '@/lib/fixtures/phones'
import { button, expectAccessible, expectText, heading, open } from './browser'
import { test as base, expect } from './fixtures'
import { codeIn } from './outbox'
import { anAddress, anAgent, aPerson, bond, confirmPhone, type Person } from './people'
import { type RunningServer, send } from './server'

interface Certified {
  owner: Person
  id: string
}

/** A person with a certificate. */
async function aCertificate(server: RunningServer): Promise<Certified> {
  const owner = await aPerson(server, 'Stranger')
  const { body } = await send(server, 'POST /beak/cert/issue', { token: owner.token })
  return { owner, id: body.cert_id }
}

const revoke = (server: RunningServer, { token }: Person, reason = 'x') =>
  send(server, 'POST /beak/cert/revoke', { token, body: { reason } })

const test = base.extend<{ certified: Certified }>({
  certified: async ({ server }, use) => use(await aCertificate(server)),
})

const headline = (page: Page) => page.getByRole('heading', { level: 1 })

async function badgeOf(server: RunningServer, id: string): Promise<{ response: Response; text: string }> {
  const response = await fetch(`${server.url}/badge/${id}.svg`)
  return { response, text: await response.text() }
}

/** Returns the status of a certificate on its page, its badge and at the API. */
async function statusesOf(page: Page, server: RunningServer, id: string) {
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

  test('is superseded by a newer one, and shows the current tier of its owner', async ({
    page,
    certified,
    server,
  }) => {
    const { owner, id } = certified
    await confirmPhone(server, owner, randomPhone())
    await open(page, `/verify/${id}`)
    await expect(page.getByText('It was issued at trust tier T1; today')).toHaveCount(1)
    await send(server, 'POST /beak/cert/issue', { token: owner.token })
    expect(await statusesOf(page, server, id)).toEqual({
      page: 'This certificate was superseded.',
      api: [false, 'superseded'],
      badge: 'Superseded',
    })
  })

  for (const [kind, id] of [
    ['unknown', 'CERT-01JDV8K2M3N4P5Q6R7S8T9V0WX'],
    ['malformed', 'CERT-1'],
    ['markup', encodeURIComponent('<img src=x onerror=alert(1)>')],
  ] as const)
    test(`answers 404 on page, badge and credential when the number is ${kind}`, async ({
      page,
      complaints,
      server,
    }) => {
      complaints.expect(/status of 404/)
      expect(await open(page, `/verify/${id}`)).toBe(404)
      await expect(headline(page)).toHaveText('There is no such certificate.')
      await expect(page.locator('main')).toContainText(decodeURIComponent(id))
      const { response, text } = await badgeOf(server, id)
      expect([response.status, response.headers.get('content-type')]).toEqual([
        404,
        'image/svg+xml; charset=utf-8',
      ])
      expect(text).toContain('>Unknown</text>')
      expect((await fetch(`${server.url}/verify/${id}/credential.jwt`)).status).toBe(404)
      await expectAccessible(page)
    })

  test('prints on one sheet of A4, in whichever colours the viewer has chosen', async ({
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
    await page.emulateMedia({ media: 'print' })
    await page.reload()
    await expect(page.locator('body')).toHaveCSS('color', 'rgb(22, 33, 31)')
  })

  test('is found by its number in any spelling, and by its address, without JavaScript', async ({
    newPage,
    certified: { id },
    server,
  }) => {
    const page = await newPage({ javaScriptEnabled: false })
    const field = page.getByLabel('Number or address of a certificate')
    for (const given of [id, `  ${id.toLowerCase()}`, id.slice(5), `${server.url}/badge/${id}.svg`]) {
      await page.goto('/verify')
      await field.fill(given)
      await button(page, 'Check it').click()
      await page.waitForURL(`**/verify/${id}`)
    }
    await page.goto(`/verify?cert_id=${encodeURIComponent('my "certificate"')}`)
    await expect(page.getByRole('alert')).toContainText('holds no certificate number')
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

test('an agent is in good standing, then suspended; an unknown one is 404', async ({
  page,
  complaints,
  server,
}) => {
  complaints.expect(/status of 404/)
  const owner = await aPerson(server, 'Stranger')
  const agent = await anAgent(server, owner, { agent_name: 'Scout <b>' })
  await open(page, `/agents/${agent.id}`)
  await expect(headline(page)).toHaveText('This agent is not bonded yet.')
  await bond(server, agent)
  await open(page, `/agents/${agent.id}`)
  await expect(headline(page)).toHaveText('This agent is real and in good standing.')
  await expect(page.getByText(`Scout <b> is bonded, and acts for ${owner.name}.`)).toHaveCount(1)
  await expectAccessible(page)
  await send(server, 'POST /beak/agent/suspend', { token: owner.token, body: { agent_id: agent.id } })
  await open(page, `/agents/${agent.id}`)
  await expect(headline(page)).toHaveText('This agent is suspended.')
  expect(await open(page, '/agents/AGT-01JDV8K2M3N4P5Q6R7S8T9V0WX')).toBe(404)
  await expect(headline(page)).toHaveText('There is no such agent.')
})

/** Returns the receipt of an approval that a passkey signed. */
async function signedReceipt(server: RunningServer): Promise<string> {
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
    body: { purpose: 'approve', peck_id },
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
  file: (page: Page) => page.getByLabel('A receipt'),
  text: (page: Page) => page.getByLabel('Or paste it'),
  check: (page: Page) => button(page, 'Check the receipt'),
  params: (page: Page) => page.getByLabel('Parameters, as JSON'),
  compare: (page: Page) => button(page, 'Compare'),
  keys: (page: Page) => page.getByLabel("The service's keys"),
  checkWithKeys: (page: Page) => button(page, 'Check with these keys'),
  holds: (page: Page) => heading(page, 'This receipt holds.'),
  doesNotHold: (page: Page) => heading(page, 'This receipt does not hold.'),
}

test.describe('a receipt', () => {
  const file = (text: string) => ({
    name: 'receipt.json',
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  })

  test('is checked without the server, and read as a document', async ({
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
    await expect(receipts.doesNotHold(page)).toBeVisible()
    await context.setOffline(true)
    await receipts.file(page).setInputFiles(file(receipt))
    await expect(receipts.holds(page)).toBeVisible()
    const document = page.getByRole('article', { name: 'send mail' })
    const { statement } = JSON.parse(receipt)
    for (const words of [statement.requester.duckling_id, statement.target_duckling_id, 'with a passkey'])
      await expect(document.getByText(words).first()).toBeVisible()
    await page.getByText('I know them').click()
    await receipts.params(page).fill('{ "to": "pond@example.com" }')
    await receipts.compare(page).click()
    await expectText(page, 'Yes: exactly these were approved.')
    await receipts.params(page).fill('{ "to": "lake@example.com" }')
    await receipts.compare(page).click()
    await expectText(page, 'No: other parameters were approved.')
    await expectAccessible(page)
  })

  test('with one changed character does not verify, and the page names the part', async ({
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
      ['The keys in it', receipt.replace(/"x": "./, (start) => other(start))],
      ['The file', receipt.replace('"passkey"', '"passkez"')],
    ]
    await open(page, '/receipts')
    for (const [part, changed] of changes) {
      expect(changed).not.toBe(receipt)
      await receipts.text(page).fill(changed)
      await receipts.check(page).click()
      await expect(page.getByRole('listitem').filter({ hasText: `${part}does not hold` })).toBeVisible()
      await expect(receipts.doesNotHold(page)).toBeVisible()
      await expect(page.getByRole('article')).toHaveCount(0)
    }
    await receipts.text(page).fill(receipt.slice(0, -2))
    await receipts.check(page).click()
    await expect(heading(page, 'This is no receipt.')).toBeVisible()
    await expectAccessible(page)
  })

  test('of another service verifies only with the keys of that service', async ({ page, start, server }) => {
    const elsewhere = await start({ env: { LOG_LEVEL: 'error' } })
    const receipt = await signedReceipt(elsewhere)
    const keysOf = async (service: RunningServer) =>
      JSON.stringify((await send(service, 'GET /.well-known/jwks.json')).body)
    await open(page, '/receipts')
    const check = async (keys: string) => {
      await receipts.file(page).setInputFiles(file(receipt))
      await expect(heading(page, 'Who made it is still open')).toBeVisible()
      await receipts.keys(page).fill(keys)
      await receipts.checkWithKeys(page).click()
    }
    await check('{}')
    await expect(page.getByRole('alert').filter({ hasText: 'no set of Ed25519 keys' })).toBeVisible()
    await expectAccessible(page)
    await open(page, '/receipts')
    await check(await keysOf(server))
    await expect(receipts.doesNotHold(page)).toBeVisible()
    await open(page, '/receipts')
    await check(await keysOf(elsewhere))
    await expect(receipts.holds(page)).toBeVisible()
  })
})

test.describe('the reference', () => {
  test('describes every operation of openapi.json under an anchor of its own', async ({ page, server }) => {
    const { body } = await send(server, 'GET /beak/openapi.json')
    const expected = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    await open(page, '/docs/api')
    const links = page.locator('main li a:has(code)')
    const listed = await links.evaluateAll((all) =>
      all.map((anchor) => [
        anchor.querySelector('code')?.textContent?.replace(/^(GET|POST|PUT)\s*/, '$1 ') ?? '',
        anchor.getAttribute('href') ?? '',
      ]),
    )
    expect(listed.map(([line]) => line).sort()).toEqual(expected.sort())
    const groups = new Set(listed.map(([, href = '']) => href.split('#')[0] ?? ''))
    const anchors = await Promise.all(
      [...groups].map(async (group) => {
        const html = await (await fetch(`${server.url}${group}`)).text()
        return [...html.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => `${group}#${id}`)
      }),
    )
    expect(anchors.flat()).toEqual(expect.arrayContaining(listed.map(([, href]) => href)))
  })

  test('links each error code to its explanation', async ({ page }) => {
    await open(page, '/docs/api/pecks')
    const codes = await page
      .locator('a[href^="/docs/errors#"]')
      .evaluateAll((links) => [
        ...new Set(links.map((anchor) => anchor.getAttribute('href')?.split('#')[1] ?? '')),
      ])
    expect(codes.length).toBeGreaterThan(5)
    await open(page, '/docs/errors')
    for (const code of codes) await expect(page.locator(`[id="${code}"]`)).toHaveCount(1)
  })
})

const run = promisify(execFile)

test.describe('the documentation', () => {
  /** Returns the code blocks below a label on a page. */
  const codeBlocks = (page: Page, label: string) =>
    page.locator('main div:has(> pre)').filter({ hasText: label }).locator('pre').allInnerTexts()

  test('shows commands that run as they are shown: the five steps, and the sign-on at another domain', async ({
    page,
    server,
  }) => {
    await open(page, '/docs')
    const [[prelude = ''], [first = '', ...steps], [sso = '']] = await Promise.all([
      codeBlocks(page, 'First, two helpers'),
      codeBlocks(page, 'Shell'),
      codeBlocks(page, 'Shell, after step 1'),
    ])
    const work = await mkdtemp(join(tmpdir(), 'beak-steps-'))
    const email = anAddress('reader')
    const [signUp = '', verify = ''] = first.replace('you@example.com', email).split('CODE=123456')
    await writeFile(join(work, 'sign-up.sh'), `set -eu\nAUTH=\n${prelude}\n${signUp}\necho "$TOKEN"`)
    const { stdout: token } = await run('bash', ['sign-up.sh'], { cwd: work })
    const script = [
      `set -eu\nTOKEN=${token.trim()}\nAUTH="Authorization: Bearer $TOKEN"`,
      prelude,
      `CODE=${await codeIn(server, email)}${verify}`,
      ...steps.filter((step) => step !== sso),
      sso,
    ].join('\n')
    await writeFile(join(work, 'steps.sh'), script)
    const { stdout } = await run('bash', ['steps.sh'], { cwd: work })
    await rm(work, { recursive: true })
    for (const sign of [
      '"trust_tier":"T1"',
      '"status":"bonded"',
      '"status":"approved"',
      '"uses_left":0',
      '"target":"lake.example"',
    ])
      expect(stdout).toContain(sign)
    expect(stdout).not.toContain('"success":false')
  })

  test('shows code that accepts a valid certificate and event, and rejects a revoked and a forged one', async ({
    page,
    certified: valid,
    server,
  }) => {
    const revoked = await aCertificate(server)
    await revoke(server, revoked.owner)
    const credentialOf = async ({ id }: Certified) =>
      (await fetch(`${server.url}/verify/${id}/credential.jwt`)).text()
    await open(page, '/docs')
    // Below the packages, because the code imports some of them.
    const folder = await mkdtemp(join(process.cwd(), 'node_modules', '.beak-docs-'))
    await writeFile(join(folder, 'offline.mjs'), (await codeBlocks(page, 'npm install jose'))[0] ?? '')
    await writeFile(
      join(folder, 'webhook.mjs'),
      (await codeBlocks(page, 'npm install standardwebhooks'))[0] ?? '',
    )
    const node = (script: string) => run('node', ['-e', script], { cwd: folder })
    const offline = (text: string) =>
      node(
        `import('./offline.mjs').then(async ({ check }) => console.log(JSON.stringify(await check('${text}'))))`,
      )
    expect(JSON.parse((await offline(await credentialOf(valid))).stdout).trust_tier).toBe('T1')
    await expect(offline(await credentialOf(revoked))).rejects.toThrow(/revoked or superseded/)

    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const [event, now] = ['{"type":"peck.sent"}', new Date()]
    const headers = {
      'webhook-id': 'MSG-1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('MSG-1', now, event),
    }
    const read = (text: string) =>
      node(
        `import('./webhook.mjs').then(({ readEvent }) => console.log(JSON.stringify(readEvent(...${JSON.stringify([headers, text, secret])}))))`,
      )
    expect(JSON.parse((await read(event)).stdout)).toEqual({ type: 'peck.sent' })
    await expect(read(event.replace('sent', 'seen'))).rejects.toThrow()
    await rm(folder, { recursive: true })
  })
})
