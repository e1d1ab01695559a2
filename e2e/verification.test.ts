/**
 * What strangers check, in a browser: certificates on screen, on paper and as a badge; receipts without a server; the reference,
 * and the commands and code it shows, which are run as they stand.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Authenticator } from '@/lib/fixtures/authenticator'
import { aReceipt } from '@/lib/fixtures/receipts'
import { aPerson, complaintsOf, type Person, patient, startBrowser } from './browser'
import { codeIn, type RunningServer, send, startServer, stopAll } from './server'

let server: RunningServer
let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]
let turn = 0

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer({ env: { LOG_LEVEL: 'error' } }), startBrowser()])
})
afterAll(async () => {
  await browser?.close()
  stopAll()
})
beforeEach(async () => {
  context = await browser.newContext({ reducedMotion: 'reduce' })
  page = await context.newPage()
  page.setDefaultTimeout(10_000)
  complaints = complaintsOf(page)
})
afterEach(() => context.close())

const open = (path: string) => page.goto(`${server.url}${path}`)
const heading = () => page.getByRole('heading', { level: 1 }).textContent()
/** What the page complained about. That an address answers 404 is what some of these tests are about. */
const faults = () => complaints.filter((complaint) => !/status of 404/.test(complaint))

async function expectAccessible(): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}

async function newcomer(): Promise<Person> {
  turn += 1
  return aPerson(server, `Stranger${turn}`)
}

async function certified(): Promise<{ person: Person; id: string }> {
  const person = await newcomer()
  const { body } = await send(server, 'POST /beak/cert/issue', { token: person.token })
  return { person, id: body.cert_id }
}

async function badgeOf(id: string): Promise<{ response: Response; text: string }> {
  const response = await fetch(`${server.url}/badge/${id}.svg`)
  return { response, text: await response.text() }
}

/** What page, badge and API say of a certificate, in one word each. */
async function sayings(id: string) {
  await open(`/verify/${id}`)
  const { body } = await send(server, `GET /beak/cert/verify?cert_id=${id}`)
  const { text } = await badgeOf(id)
  return {
    page: await heading(),
    api: [body.valid, body.status],
    badge: />(\w+)<\/text>\s*<\/g>/.exec(text)?.[1],
  }
}

describe('a certificate', patient, () => {
  it('is valid, then revoked, on page, badge and API alike, from one moment to the next', async () => {
    const { person, id } = await certified()
    expect(await sayings(id)).toEqual({
      page: 'This certificate is valid.',
      api: [true, 'active'],
      badge: 'Valid',
    })
    expect(await page.getByText(`curl '${server.url}/beak/cert/verify?cert_id=${id}'`).count()).toBe(1)
    await expectAccessible()
    await send(server, 'POST /beak/cert/revoke', {
      token: person.token,
      body: { reason: 'Lost my feathers.' },
    })
    expect(await sayings(id)).toEqual({
      page: 'This certificate was revoked.',
      api: [false, 'revoked'],
      badge: 'Revoked',
    })
    expect(await page.content()).not.toContain('Lost my feathers')
    expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex')
    await expectAccessible()
    expect(faults()).toEqual([])
  })

  it('that a newer one replaced is superseded, and says at which tier its owner stands now', async () => {
    const { person, id } = await certified()
    const { token } = person
    const phone = '+14155550199'
    await send(server, 'PUT /beak/trust/elevate', { token, body: { phone } })
    await send(server, 'PUT /beak/trust/elevate', { token, body: { otp: await codeIn(server, phone) } })
    await open(`/verify/${id}`)
    expect(await page.getByText('It was issued at trust tier T1; today').count()).toBe(1)
    await send(server, 'POST /beak/cert/issue', { token })
    expect(await sayings(id)).toEqual({
      page: 'This certificate was superseded.',
      api: [false, 'superseded'],
      badge: 'Superseded',
    })
  })

  it.each([
    ['unknown', 'CERT-01JDV8K2M3N4P5Q6R7S8T9V0WX'],
    ['malformed', 'CERT-1'],
    ['markup', encodeURIComponent('<img src=x onerror=alert(1)>')],
  ])('with a number that is %s is none: 404 on page, badge and credential', async (_, id) => {
    expect((await open(`/verify/${id}`))?.status()).toBe(404)
    expect(await heading()).toBe('There is no such certificate.')
    expect(await page.locator('main').textContent()).toContain(decodeURIComponent(id))
    const { response, text } = await badgeOf(id)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'image/svg+xml; charset=utf-8',
    ])
    expect(text).toContain('>Unknown</text>')
    expect((await fetch(`${server.url}/verify/${id}/credential.jwt`)).status).toBe(404)
    await expectAccessible()
    expect(faults()).toEqual([])
  })

  it('prints on one sheet of A4, whichever colours the viewer has chosen', async () => {
    const { person, id } = await certified()
    await context.addCookies([{ name: 'beak.theme', value: 'dark', url: server.url }])
    const sheets = async () => {
      await open(`/verify/${id}`)
      const pdf = await page.pdf({ preferCSSPageSize: true })
      return [...pdf.toString('latin1').matchAll(/\/Type \/Page\b/g)].length
    }
    expect(await sheets()).toBe(1)
    await send(server, 'POST /beak/cert/revoke', { token: person.token, body: { reason: 'x' } })
    expect(await sheets()).toBe(1)
    await page.emulateMedia({ media: 'print' })
    await page.reload()
    const colour = await page.evaluate(() => getComputedStyle(document.body).color)
    expect(colour).toBe('rgb(22, 33, 31)')
  })

  it('is found by its number in any spelling, its address, and without JavaScript', async () => {
    const { id } = await certified()
    const quiet = await browser.newContext({ javaScriptEnabled: false })
    const bare = await quiet.newPage()
    for (const given of [id, `  ${id.toLowerCase()}`, id.slice(5), `${server.url}/badge/${id}.svg`]) {
      await bare.goto(`${server.url}/verify`)
      await bare.getByLabel('Number or address of a certificate').fill(given)
      await bare.getByRole('button', { name: 'Check it' }).click()
      await bare.waitForURL(`**/verify/${id}`)
    }
    await bare.goto(`${server.url}/verify?cert_id=${encodeURIComponent('my "certificate"')}`)
    expect(await bare.getByRole('alert').textContent()).toContain('holds no certificate number')
    expect(await bare.getByLabel('Number or address of a certificate').inputValue()).toBe('my "certificate"')
    await quiet.close()
  })

  it('has a badge that shows on a page of another origin, and is asked for anew each time', async () => {
    const { id } = await certified()
    const { response } = await badgeOf(id)
    expect(response.headers.get('cache-control')).toBe('max-age=0, must-revalidate')
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'",
    )
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const elsewhere = createServer((_, answer) => {
      answer.setHeader('Content-Type', 'text/html')
      answer.setHeader('Cross-Origin-Embedder-Policy', 'require-corp')
      answer.end(`<img id="badge" src="${server.url}/badge/${id}.svg">`)
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`)
    elsewhere.close()
    const width = await page.locator('#badge').evaluate((image: HTMLImageElement) => image.naturalWidth)
    expect(width).toBeGreaterThan(100)
  })

  it('has a share image that never says it is valid', async () => {
    const { id } = await certified()
    await open(`/verify/${id}`)
    const address = await page.locator('meta[property="og:image"]').getAttribute('content')
    expect(address).toContain(`${server.url}/verify/${id}/opengraph-image`)
    const response = await fetch(String(address))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(10_000)
    for (const name of ['og:title', 'og:description', 'og:image:alt'])
      expect(await page.locator(`meta[property="${name}"]`).getAttribute('content')).not.toMatch(/\bvalid\b/)
  })
})

describe('an agent', patient, () => {
  it('is in good standing, then suspended; an unknown one is 404', async () => {
    const { token, name } = await newcomer().then((person) => ({ ...person, name: `Stranger${turn}` }))
    const { body } = await send(server, 'POST /beak/agent/register', {
      token,
      body: { agent_name: 'Scout <b>', agent_type: 'assistant', capabilities: ['request:peck'] },
    })
    const { agent_id, beak_key: key, handshake_token } = body
    await open(`/agents/${agent_id}`)
    expect(await heading()).toBe('This agent is not bonded yet.')
    await send(server, 'POST /beak/agent/bond', { key, body: { agent_id, handshake_token } })
    await open(`/agents/${agent_id}`)
    expect(await heading()).toBe('This agent is real and in good standing.')
    expect(await page.getByText(`Scout <b> is bonded, and acts for ${name}.`).count()).toBe(1)
    await expectAccessible()
    await send(server, 'POST /beak/agent/suspend', { token, body: { agent_id } })
    await open(`/agents/${agent_id}`)
    expect(await heading()).toBe('This agent is suspended.')
    expect(faults()).toEqual([])
    expect((await open('/agents/AGT-01JDV8K2M3N4P5Q6R7S8T9V0WX'))?.status()).toBe(404)
    expect(await heading()).toBe('There is no such agent.')
  })
})

/** A receipt of an approval that a passkey signed. */
async function signedReceipt(): Promise<string> {
  const [asker, target] = [await newcomer(), await newcomer()]
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

describe('a receipt', patient, () => {
  const file = (text: string) => ({
    name: 'receipt.json',
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  })
  const verdict = () => page.getByRole('heading', { level: 2, name: /receipt|changed/i }).first()

  it('is checked without the server, and read as a document', async () => {
    const receipt = await signedReceipt()
    await open('/receipts')
    await page.getByLabel('Or paste it').fill('{}')
    await page.getByRole('button', { name: 'Check the receipt' }).click()
    await page.getByRole('heading', { name: 'This receipt does not hold.' }).waitFor()
    await context.setOffline(true)
    await page.getByLabel('A receipt').setInputFiles(file(receipt))
    await page.getByRole('heading', { name: 'This receipt holds.' }).waitFor()
    const document = page.getByRole('article', { name: 'send mail' })
    const { statement } = JSON.parse(receipt)
    for (const words of [statement.requester.duckling_id, statement.target_duckling_id, 'with a passkey'])
      expect(await document.getByText(words).count()).toBeGreaterThan(0)
    await page.getByText('I know them').click()
    await page.getByLabel('Parameters, as JSON').fill('{ "to": "pond@example.com" }')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('Yes: exactly these were approved.').waitFor()
    await page.getByLabel('Parameters, as JSON').fill('{ "to": "lake@example.com" }')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('No: other parameters were approved.').waitFor()
    await expectAccessible()
  })

  it('with one changed character does not hold, and the page names the part', async () => {
    const receipt = await signedReceipt()
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
    await open('/receipts')
    for (const [part, changed] of changes) {
      expect(changed).not.toBe(receipt)
      await page.getByLabel('Or paste it').fill(changed)
      await page.getByRole('button', { name: 'Check the receipt' }).click()
      await page
        .getByRole('listitem')
        .filter({ hasText: `${part}does not hold` })
        .waitFor()
      expect(await verdict().textContent()).toBe('This receipt does not hold.')
      expect(await page.getByRole('article').count()).toBe(0)
    }
    await page.getByLabel('Or paste it').fill(receipt.slice(0, -2))
    await page.getByRole('button', { name: 'Check the receipt' }).click()
    await page.getByRole('heading', { name: 'This is no receipt.' }).waitFor()
    await expectAccessible()
    expect(faults()).toEqual([])
  })

  it('of another service is believed only with the keys of that service', async () => {
    // Signed in this process, which is not the server that is asked.
    const foreign = await aReceipt()
    const receipt = JSON.stringify(foreign)
    const keys = JSON.stringify(foreign.jwks)
    const ownKeys = JSON.stringify((await send(server, 'GET /.well-known/jwks.json')).body)
    await open('/receipts')
    const check = async (given: string) => {
      await page.getByLabel('A receipt').setInputFiles(file(receipt))
      await page.getByRole('heading', { name: 'Who made it is still open' }).waitFor()
      await page.getByLabel("The service's keys").fill(given)
      await page.getByRole('button', { name: 'Check with these keys' }).click()
    }
    await check('{}')
    await page.getByRole('alert').filter({ hasText: 'no set of Ed25519 keys' }).waitFor()
    await expectAccessible()
    await page.reload()
    await check(ownKeys)
    await page.getByRole('heading', { name: 'This receipt does not hold.' }).waitFor()
    await page.reload()
    await check(keys)
    await page.getByRole('heading', { name: 'This receipt holds.' }).waitFor()
  })
})

describe('the reference', patient, () => {
  it('describes every operation of openapi.json, each under an anchor of its own', async () => {
    const { body } = await send(server, 'GET /beak/openapi.json')
    const expected = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    await open('/docs/api')
    const links = page.locator('main li a:has(code)')
    const listed = await links.evaluateAll((all) =>
      all.map((link) => [
        link.querySelector('code')?.textContent?.replace(/^(GET|POST|PUT)\s*/, '$1 ') ?? '',
        link.getAttribute('href') ?? '',
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
    expect(faults()).toEqual([])
  })

  it('leads from each refusal to what it means', async () => {
    await open('/docs/api/pecks')
    const hrefs = await page
      .locator('a[href^="/docs/errors#"]')
      .evaluateAll((links) => [
        ...new Set(links.map((link) => link.getAttribute('href')?.split('#')[1] ?? '')),
      ])
    expect(hrefs.length).toBeGreaterThan(5)
    await open('/docs/errors')
    for (const code of hrefs) expect(await page.locator(`[id="${code}"]`).count()).toBe(1)
  })
})

const run = promisify(execFile)

describe('what the documentation shows', patient, () => {
  /** The code below a label on the page that is open. */
  const codes = (label: string) =>
    page.locator('main div:has(> pre)').filter({ hasText: label }).locator('pre').allInnerTexts()

  let folder: string
  beforeEach(async () => {
    // Below the packages, for the code imports some of them.
    folder = await mkdtemp(join(process.cwd(), 'node_modules', '.beak-docs-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('are commands that run as they stand: the five steps, and the sign-on at another domain', async () => {
    await open('/docs')
    const [[prelude = ''], [first = '', ...steps], [sso = '']] = await Promise.all([
      codes('First, two helpers'),
      codes('Shell'),
      codes('Shell, after step 1'),
    ])
    const work = await mkdtemp(join(tmpdir(), 'beak-steps-'))
    const email = 'reader@pond.example'
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

  it('is code that tells a certificate that holds from a revoked one, and an event from a forged one', async () => {
    const [held, ended] = [await certified(), await certified()]
    const reason = 'x'
    await send(server, 'POST /beak/cert/revoke', { token: ended.person.token, body: { reason } })
    const credentialOf = async ({ id }: { id: string }) =>
      (await fetch(`${server.url}/verify/${id}/credential.jwt`)).text()
    await open('/docs')
    await writeFile(join(folder, 'offline.mjs'), (await codes('npm install jose'))[0] ?? '')
    await writeFile(join(folder, 'webhook.mjs'), (await codes('npm install standardwebhooks'))[0] ?? '')
    const offline = (text: string) =>
      run(
        'node',
        [
          '-e',
          `import('./offline.mjs').then(async ({ check }) => console.log(JSON.stringify(await check('${text}'))))`,
        ],
        { cwd: folder },
      )
    expect(JSON.parse((await offline(await credentialOf(held))).stdout).trust_tier).toBe('T1')
    await expect(offline(await credentialOf(ended))).rejects.toThrow(/revoked or superseded/)

    const { readEvent } = await import(join(folder, 'webhook.mjs'))
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const [event, now] = ['{"type":"peck.sent"}', new Date()]
    const headers = {
      'webhook-id': 'MSG-1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('MSG-1', now, event),
    }
    expect(readEvent(headers, event, secret)).toEqual({ type: 'peck.sent' })
    expect(() => readEvent(headers, event.replace('sent', 'seen'), secret)).toThrow()
  })
})
