/**
 * The service at a base address with a path, such as `https://example.org/prod` (specification, section 9). `npm start` builds
 * the pages for the path; then people and an agent do the main job, and no request leaves the path.
 */
import { execFileSync } from 'node:child_process'
import { request as sendRaw } from 'node:http'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '@/lib/fixtures/free-port'
import { patient, startBrowser, withAuthenticator } from './browser'
import {
  aPerson,
  codeIn,
  eventually,
  newDataDir,
  outboxAddressOf,
  type RunningServer,
  send,
  startServer,
  stopAll,
} from './server'

let origin: string
/** Its `url` is the base address, with the path. */
let server: RunningServer
let browser: Browser
const requested: string[] = []
const complaints: string[] = []

beforeAll(async () => {
  const port = await freePort()
  origin = `http://localhost:${port}`
  const url = `${origin}/prod`
  const command = [process.execPath, 'scripts/start.mjs']
  const started = await startServer({ port, dataDir: newDataDir(), command, env: { BASE_URL: url } })
  server = { ...started, url }
  browser = await startBrowser()
  // The first time, this builds the pages for the path.
}, 600_000)
afterAll(async () => {
  await browser?.close()
  stopAll()
})

async function aBrowser(): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({
    baseURL: `${server.url}/`,
    reducedMotion: 'reduce',
    acceptDownloads: true,
  })
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  await withAuthenticator(page)
  page.on('request', (request) => {
    if (/^https?:/.test(request.url())) requested.push(request.url())
  })
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { context, page }
}

/** Returns the status of a path that is sent as it is written. `fetch` would resolve `..` first. */
function statusOf(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    sendRaw({ port: new URL(origin).port, path }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .once('error', reject)
      .end()
  })
}

describe('paths', () => {
  it.each([
    ['/prod', 200],
    ['/prod/', 200],
    ['/prod?from=mail', 200],
    ['/prod/signin', 200],
    ['/prod/beak', 200],
    ['/prod/beak/', 200],
    ['/prod/healthz', 200],
    ['/prod/readyz', 200],
    ['/prod/.well-known/jwks.json', 200],
    ['/prod/.well-known/tlog/vkeys', 200],
    // Also at the root of the host.
    ['/healthz', 200],
    ['/readyz', 200],
    ['/.well-known/jwks.json', 200],
    ['/.well-known/status-list/0', 200],
    // Nothing else is.
    ['/', 404],
    ['/signin', 404],
    ['/beak', 404],
    ['/beak/metrics', 404],
    ['/beak/openapi.json', 404],
    ['/_next/static/nothing.js', 404],
    ['/.well-known/nothing', 404],
    ['/.well-known/tlog/tile/../../../beak/metrics', 404],
    ['/prod/../beak/metrics', 404],
    ['/production/beak', 404],
    ['/PROD/beak', 404],
    ['//prod/beak', 404],
    ['/prod/prod/beak', 404],
  ])('answers %s with %i', async (path, status) => {
    expect(await statusOf(path)).toBe(status)
  })

  it('names the path in the problem document of a request outside of it', async () => {
    const { status, body, headers } = await send({ url: origin }, 'POST /beak/signup', { body: {} })
    expect(status).toBe(404)
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(body).toMatchObject({ code: 'E4005', type: `${server.url}/docs/errors#E4005` })
    expect(body.action).toContain('/prod/')
  })
})

describe('addresses in answers', () => {
  it('begin with the base address', async () => {
    const person = await aPerson(server, 'Shoveler')
    const { body: issued } = await send(server, 'POST /beak/cert/issue', { token: person.token })
    const { body: metadata } = await send(server, 'GET /beak/openapi.json')
    const { body: refused } = await send(server, 'GET /beak/profile')
    const claims = JSON.parse(Buffer.from(person.token.split('.')[1] ?? '', 'base64url').toString())
    const credential = JSON.parse(Buffer.from(issued.credential.split('.')[1], 'base64url').toString())
    expect(metadata.servers).toEqual([{ url: server.url }])
    expect(refused.type).toBe(`${server.url}/docs/errors#${refused.code}`)
    expect([claims.iss, claims.aud]).toEqual([server.url, server.url])
    expect(credential.issuer).toBe(server.url)
    const list = credential.credentialStatus.statusListCredential
    expect(list).toMatch(`${server.url}/.well-known/status-list/`)
    expect((await fetch(list)).status).toBe(200)
    const checkpoint = await (await fetch(`${server.url}/.well-known/tlog/checkpoint`)).text()
    expect(checkpoint.split('\n')[0]).toBe(`${new URL(origin).host}/prod/.well-known/tlog`)
  })

  it('lead below the path from every public page, the manifest, robots.txt and the sitemap', async () => {
    const pages = ['', '/signin', '/signup', '/verify', '/receipts', '/directory', '/status', '/numbers']
    const more = ['/docs', '/docs/api', '/docs/api/audit', '/docs/errors', '/newsletter', '/support']
    for (const path of [...pages, ...more]) {
      const html = await (await fetch(`${server.url}${path}`)).text()
      const found = [...html.matchAll(/\s(?:href|src|action|srcset)="(\/[^"]*|http:[^"]*)"/g)]
      const links = found.map(([, link = '']) => new URL(link, origin).pathname)
      expect(links.length).toBeGreaterThan(5)
      expect([path, links.filter((link) => !/^\/prod(\/|$)/.test(link))]).toEqual([path, []])
    }
    const home = await (await fetch(server.url)).text()
    const [, picture = ''] = /property="og:image" content="([^"]+)"/.exec(home) ?? []
    const { start_url, icons } = await (await fetch(`${server.url}/manifest.webmanifest`)).json()
    const pictures = [picture, ...icons.map(({ src }: { src: string }) => `${origin}${src}`)]
    for (const each of pictures) expect([each, (await fetch(each)).status]).toEqual([each, 200])
    expect(start_url).toBe('/prod/home')
    const robots = await (await fetch(`${server.url}/robots.txt`)).text()
    expect(robots).toContain('Disallow: /prod/home')
    expect(robots).toContain(`Sitemap: ${server.url}/sitemap.xml`)
    expect(await (await fetch(`${server.url}/sitemap.xml`)).text()).toContain(`${server.url}/directory<`)
  })
})

/** Registers an agent and has it run the command that the page prints. Returns its key. */
async function bondAnAgent(page: Page, name: string): Promise<string> {
  await page.goto('agents/new')
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Register it' }).click()
  await page.getByRole('heading', { name: `${name} is registered` }).waitFor()
  const block = (label: string) =>
    page.locator(`xpath=//span[.="${label}"]/ancestor::div[pre][1]/pre`).textContent()
  const key = (await block('Beak key')) ?? ''
  const command = (await block('Run this where the agent lives')) ?? ''
  execFileSync('bash', ['-c', command])
  await page.getByRole('heading', { name: `${name} has bonded` }).waitFor()
  return key
}

describe('in a browser', patient, () => {
  it('does the main job without a request or a cookie outside the path', { timeout: 180_000 }, async () => {
    requested.length = 0
    complaints.length = 0
    const { context, page } = await aBrowser()
    // Each try has an address and a name of its own.
    const name = `Garganey${Math.floor(performance.now()) % 10_000}`
    const email = `${name.toLowerCase()}@pond.example`

    // Sign-up with the code from the outbox page, whose address the server has printed.
    await page.goto(outboxAddressOf(server))
    await page.waitForURL(`${server.url}/`)
    await page.getByRole('link', { name: 'Sign up' }).first().click()
    await page.getByLabel('Display name').fill(name)
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Sign up' }).click()
    const field = page.getByLabel('Six-digit code')
    await field.waitFor()
    await codeIn(server, email)
    const outbox = await context.newPage()
    await outbox.goto('dev/outbox')
    const mail = outbox.getByRole('listitem').filter({ hasText: email }).first()
    const [code = ''] = /\b\d{6}\b/.exec((await mail.textContent()) ?? '') ?? []
    await outbox.close()
    await field.fill(code)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Issue my certificate' }).click()
    await page.getByRole('heading', { name: `${name} has hatched` }).waitFor()

    const session = (await context.cookies(server.url)).find((cookie) => cookie.name === 'beak.session')
    const { body: certificate } = await send(server, 'GET /beak/cert/view', { token: session?.value })

    // An agent asks, and its peck appears in the open inbox and is signed with the passkey.
    const key = await bondAnAgent(page, 'Scout')
    await page.goto('pecks')
    const { body: profile } = await send(server, 'GET /beak/profile', { token: session?.value })
    const { body: asked } = await send(server, 'POST /beak/peck/request', {
      key,
      body: { target_duckling_id: profile.duckling_id, action: 'book:train', scope: 'limited' },
    })
    const request = page.getByRole('article', { name: 'Book train' })
    await request.getByRole('button', { name: 'Approve with passkey' }).click()
    const grant = await eventually(async () => {
      const { body } = await send(server, `GET /beak/peck/status?peck_id=${asked.peck_id}`, { key })
      return body.status === 'approved' ? String(body.grant_token) : null
    })
    const used = await send(server, 'POST /beak/peck/consume', { body: { grant_token: grant } })
    expect(used.status).toBe(200)
    const downloading = page.waitForEvent('download')
    await request.getByRole('link', { name: 'Download receipt' }).click()
    const receipt = await (await downloading).path()

    // The scripts of these pages fetch from the API.
    await page.goto('audit')
    await page.getByRole('button', { name: 'Check the log' }).click()
    await page.getByText(/intact/).waitFor()
    await page.goto('status')
    await page.getByText(/\d ms/).first().waitFor()

    await page.goto('home')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    expect((await context.cookies(server.url)).map((cookie) => cookie.name)).not.toContain('beak.session')

    // Back in with the passkey, to the page that was asked for.
    await page.goto('security')
    await page.waitForURL(`${server.url}/signin?next=%2Fsecurity`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(`${server.url}/security`)

    const cookies = await context.cookies()
    const names = cookies.map((cookie) => cookie.name.replace(/\.[0-9a-f]{16}$/, ''))
    expect(names).toEqual(
      expect.arrayContaining(['beak.session', 'beak.device', 'beak.outbox', 'next-auth.csrf-token']),
    )
    expect(cookies.filter(({ path }) => !/^\/prod(\/|$)/.test(path))).toEqual([])

    // A stranger checks the receipt and the certificate.
    const stranger = (await aBrowser()).page
    await stranger.goto('receipts')
    await stranger.getByLabel('A receipt').setInputFiles(receipt)
    await stranger.getByRole('heading', { name: 'This receipt holds.' }).waitFor()
    await stranger.goto('verify')
    await stranger.getByRole('textbox').fill(certificate.cert_id)
    await stranger.getByRole('textbox').press('Enter')
    await stranger.waitForURL(`${server.url}/verify/${certificate.cert_id}`)
    await stranger.getByRole('heading', { name: 'This certificate is valid.' }).waitFor()

    expect(complaints).toEqual([])
    expect(requested.length).toBeGreaterThan(50)
    expect(requested.filter((url) => !/^\/prod(\/|\?|$)/.test(url.slice(origin.length)))).toEqual([])
  })

  it('does not follow a next address out of the path', async () => {
    const person = await aPerson(server, 'Wigeon')
    const { context, page } = await aBrowser()
    await context.addCookies([
      { name: 'beak.session', value: person.token, domain: 'localhost', path: '/prod' },
    ])
    for (const next of ['//evil.example', '/../beak', '/%2e%2e/beak', `${origin}/other`, '/\\evil.example']) {
      await page.goto(`signin?${new URLSearchParams({ next })}`)
      expect(page.url().startsWith(`${server.url}/`)).toBe(true)
    }
  })
})

describe('another path', () => {
  it('stops the start of the built server with a sentence that says what to do', async () => {
    const starting = startServer({ env: { BASE_URL: 'http://localhost:3000/elsewhere' } })
    await expect(starting).rejects.toThrow(/not built for the path \/elsewhere\. Run `npm start`/)
  })
})
