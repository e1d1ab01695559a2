/**
 * The service at a base address with a path, such as `https://example.org/prod` (specification, section 9). `npm start` builds
 * the pages for that path. People and an agent do the main job, and no request leaves the path.
 */
import { request as sendRaw } from 'node:http'
import { button, expectText, heading, link, open, tokenOf, withAuthenticator } from './browser'
import { agents, bond, registerAgent } from './controls/agents'
import { expectLive, inbox } from './controls/inbox'
import { signIn, signInWithPasskey } from './controls/sign-in'
import { test as base, expect } from './fixtures'
import { codeIn, outboxAddressOf } from './outbox'
import { anAddress, aPerson, profileOf } from './people'
import { send } from './server'

/** The `url` of the server is the base address, with the path. */
const test = base.extend<object, object>({
  server: [async ({ builtCopy }, use) => use(builtCopy.server), { scope: 'worker' }],
  // Addresses in these tests are relative, such as `signin`: `/signin` would lead out of the path.
  baseURL: async ({ server }, use) => use(`${server.url}/`),
})

/** Sends a path as it is written, and returns the status. `fetch` would resolve `..` first. */
function statusOf(port: number, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    sendRaw({ port, path }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .once('error', reject)
      .end()
  })
}

const originOf = ({ url }: { url: string }) => new URL(url).origin

test.describe('paths', () => {
  const answers: [path: string, status: number][] = [
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
    ['/prod/.well-known/oauth-protected-resource/mcp', 200],
    ['/prod/mcp', 405],
    ['/prod/llms.txt', 200],
    ['/prod/llms-full.txt', 200],
    ['/prod/docs.md', 200],
    ['/prod/docs/api/pecks.md', 200],
    // Also at the root of the host.
    ['/healthz', 200],
    ['/readyz', 200],
    ['/.well-known/jwks.json', 200],
    ['/.well-known/status-list/0', 200],
    ['/.well-known/oauth-protected-resource/prod/mcp', 200],
    // Every other path outside of /prod, and unknown paths.
    ['/', 404],
    ['/signin', 404],
    ['/beak', 404],
    ['/mcp', 404],
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
  ]
  for (const [path, status] of answers)
    test(`answers ${path} with ${status}`, async ({ server }) => {
      expect(await statusOf(server.port, path)).toBe(status)
    })

  test('names the path in the problem document for a request outside of the path', async ({ server }) => {
    const { status, body, headers } = await send({ url: originOf(server) }, 'POST /beak/signup', { body: {} })
    expect(status).toBe(404)
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(body).toMatchObject({ code: 'E4005', type: `${server.url}/docs/errors#E4005` })
    expect(body.action).toContain('/prod/')
  })
})

test.describe('addresses in answers', () => {
  test('begin with the base address', async ({ server }) => {
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
    expect(checkpoint.split('\n')[0]).toBe(`${new URL(server.url).host}/prod/.well-known/tlog`)
  })

  test('stay below the path in public pages, the manifest, robots.txt and the sitemap', async ({
    server,
  }) => {
    const origin = originOf(server)
    const pages = ['', '/signin', '/signup', '/verify', '/receipts', '/directory', '/status', '/numbers']
    const more = [
      '/docs',
      '/docs/agents/mcp',
      '/docs/receipts',
      '/docs/search?q=key',
      '/docs/api',
      '/docs/api/audit',
      '/docs/errors',
      '/newsletter',
      '/support',
    ]
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

test.describe('in a browser', () => {
  test('the main job makes no request and sets no cookie outside of the path', async ({
    newPage,
    server,
    complaints,
  }) => {
    test.setTimeout(180_000)
    // The browser asks the root of the host for an icon by itself when a slow page has not named its icon yet.
    complaints.expect(/status of 404 .* at http:\/\/localhost:\d+\/favicon\.ico$/)
    const requested: string[] = []
    const openPage = async () => {
      const page = await newPage({ acceptDownloads: true })
      page.context().on('request', (request) => {
        if (/^https?:/.test(request.url())) requested.push(request.url())
      })
      return page
    }
    const page = await openPage()
    const context = page.context()
    await withAuthenticator(page)
    const [name, email] = ['Garganey', anAddress('Garganey')]

    // A person signs up with the code from the outbox page. The server has printed the address of that page.
    await open(page, outboxAddressOf(server))
    await page.waitForURL(`${server.url}/`)
    await link(page, 'Sign up').first().click()
    await signIn.name(page).fill(name)
    await signIn.email(page).fill(email)
    await signIn.signUp(page).click()
    await expect(signIn.code(page)).toBeVisible()
    const code = await codeIn(server, email)
    const outbox = await context.newPage()
    await outbox.goto('dev/outbox')
    await expect(outbox.getByRole('listitem').filter({ hasText: email }).first()).toContainText(code)
    await outbox.close()
    await signIn.code(page).fill(code)
    await signIn.addPasskey(page).click()
    await signIn.issueCertificate(page).click()
    await expect(signIn.certificateReady(page)).toBeVisible()

    const token = await tokenOf(page)
    const { body: certificate } = await send(server, 'GET /beak/cert/view', { token })

    // An agent asks. The person sees the request in the open inbox and approves it with the passkey.
    await open(page, 'agents/new/key')
    await registerAgent(page, 'Scout')
    const key = await agents.key(page)
    await bond(page, key)
    await expect(agents.bonded(page, 'Scout')).toBeVisible()
    await open(page, 'pecks')
    await expectLive(page)
    const { duckling_id } = await profileOf(server, { token })
    const { body: asked } = await send(server, 'POST /beak/peck/request', {
      key,
      body: { target_duckling_id: duckling_id, action: 'book:train', scope: 'limited' },
    })
    const request = inbox.card(page, 'book:train')
    await inbox.approveWithPasskey(request).click()
    await expect(inbox.approvedByPasskey(request)).toBeVisible()
    const { body: peck } = await send(server, `GET /beak/peck/status?peck_id=${asked.peck_id}`, { key })
    const used = await send(server, 'POST /beak/peck/consume', { body: { grant_token: peck.grant_token } })
    expect(used.status).toBe(200)
    const downloading = page.waitForEvent('download')
    await inbox.receipt(request).click()
    const receipt = await (await downloading).path()

    // The scripts of these pages fetch from the API.
    await open(page, 'audit')
    // Who has registered an agent with a key is a builder, so the fold for experts is open.
    await button(page, 'Check the log').click()
    await expectText(page, /intact/)
    await open(page, 'status')
    await expectText(page, /\d ms/)

    await open(page, 'home')
    await signIn.signOut(page)
    await expect(signIn.signedOut(page)).toBeVisible()
    expect(await tokenOf(page)).toBe('')

    // The passkey signs the person in and leads to the page that was asked for.
    await open(page, 'security')
    await page.waitForURL(`${server.url}/signin?next=%2Fsecurity`)
    await signInWithPasskey(page)
    await page.waitForURL(`${server.url}/security`)

    const cookies = await context.cookies()
    const names = cookies.map((cookie) => cookie.name.replace(/\.[0-9a-f]{16}$/, ''))
    expect(names).toEqual(
      expect.arrayContaining(['beak.session', 'beak.device', 'beak.outbox', 'next-auth.csrf-token']),
    )
    expect(cookies.filter(({ path }) => !/^\/prod(\/|$)/.test(path))).toEqual([])

    // A stranger checks the receipt and the certificate.
    const stranger = await openPage()
    await open(stranger, 'receipts')
    await stranger.getByLabel('Receipt file').setInputFiles(receipt)
    await expect(heading(stranger, 'Signed with a passkey')).toBeVisible()
    await open(stranger, 'verify')
    await stranger.getByRole('textbox').fill(certificate.cert_id)
    await stranger.getByRole('textbox').press('Enter')
    await stranger.waitForURL(`${server.url}/verify/${certificate.cert_id}`)
    await expect(heading(stranger, 'This certificate is valid.')).toBeVisible()

    expect(requested.length).toBeGreaterThan(50)
    const outside = (url: string) => !/^\/prod(\/|\?|$)/.test(url.slice(originOf(server).length))
    expect(requested.filter(outside)).toEqual([])
  })

  test('sign-in does not redirect to an address outside of the path', async ({ newPage, server }) => {
    const person = await aPerson(server, 'Wigeon')
    const page = await newPage()
    await page
      .context()
      .addCookies([{ name: 'beak.session', value: person.token, domain: 'localhost', path: '/prod' }])
    const addresses = [
      '//evil.example',
      '/../beak',
      '/%2e%2e/beak',
      `${originOf(server)}/other`,
      '/\\evil.example',
    ]
    for (const next of addresses) {
      await page.goto(`signin?${new URLSearchParams({ next })}`)
      expect(page.url().startsWith(`${server.url}/`)).toBe(true)
    }
  })
})

test('the built server refuses to start with a path for which no pages are built, and says what to do', async ({
  start,
}) => {
  const starting = start({ env: { BASE_URL: 'http://localhost:3000/elsewhere' } })
  await expect(starting).rejects.toThrow(/not built for the path \/elsewhere\. Run `npm start`/)
})
