/** The recipes of docs/pages/sites/sign-in.md sign a person in, with the libraries as they are published. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NextRequest } from 'next/server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { codesOf } from '@/app/(site)/docs/_content/blocks'
import { call } from '@/app/beak/_api/call'
import { serve } from '@/app/beak/_api/serve'
import { table } from '@/app/beak/_api/table'
import { answerMcp } from '@/app/mcp/_server/answer'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anotherSession } from '@/lib/fixtures/accounts'
import { runProgram } from '@/lib/fixtures/newcomer'
import { inPageRequest } from '@/lib/fixtures/page-request'
import { Browser, openSecureDoors, passBeak, type SecureDoors } from '@/lib/fixtures/site-browser'
import { aSite, codeIn, type RegisteredSite } from '@/lib/fixtures/sites'
import { config, useConfig } from '@/lib/kernel/config'
import { drainOutbox } from '@/lib/worker/start'
import { freePort } from '@/scripts/servers/free-port.mjs'
import { answerOAuth } from './_server/listener'

const node = 'Node.js with openid-client 6'
const nextAuth = 'Next.js with next-auth 4'
const betterAuth = 'better-auth with its generic OAuth'
const hono = 'Hono with openid-client 6'

const recipes = new Map(
  readFileSync('docs/pages/sites/sign-in.md', 'utf8')
    .split(/^### /m)
    .map((section) => [section.split('\n', 1)[0] ?? '', codesOf(section.split(/^## /m)[0] ?? '')]),
)

/** Returns the code below a heading, as its reader has it in a file. Lines of a setting come to the others of the provider. */
function recipeOf(heading: string, hasOption = false): string {
  const [first, ...more] = recipes.get(heading)?.map(({ text }) => text) ?? []
  if (first === undefined) throw new Error(`The page has no code below ${heading}`)
  if (heading !== betterAuth) return [first, ...more].join('\n')
  return hasOption ? first.replace(/^ *scopes: .*$/m, `$&\n${more[0]}`) : first
}

const folder = mkdtempSync(join(tmpdir(), 'beak-sites-'))
symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))

let doors: SecureDoors
let builder: ADuckling
beforeAll(async () => {
  doors = await openSecureDoors({ answerOAuth, answerMcp, answerApi: serve(table), call })
  builder = await aDuckling()
})
afterAll(async () => {
  await doors.close()
  await rm(folder, { recursive: true })
})

/** Where the recipe runs, and the site that its reader registered. */
interface Setting {
  at: string
  site: RegisteredSite
  /** Fills in the addresses that differ here. */
  fill(text: string): string
  secrets: Record<string, string>
}

/** Registers the site of a recipe, and sets what its reader sets in the environment. */
async function settle(
  callback: string,
  changes: (at: string) => Record<string, unknown> = () => ({}),
  register = (addresses: Record<string, unknown>) => aSite(doors, builder, addresses),
): Promise<Setting> {
  const port = await freePort()
  const at = `http://localhost:${port}`
  const site = await register({ redirect_uris: [`${at}${callback}`], ...changes(at) })
  const secrets = {
    BEAK_CLIENT_ID: site.clientId,
    BEAK_CLIENT_SECRET: site.secret,
    COOKIE_SECRET: 'a long random text',
    BETTER_AUTH_SECRET: 'a long random text of the site that nobody knows',
    NEXTAUTH_SECRET: 'a long random text',
    NEXTAUTH_URL: at,
  }
  for (const [name, value] of Object.entries(secrets)) vi.stubEnv(name, value)
  const fill = (text: string) =>
    text.replaceAll('https://beak.example', config().baseUrl).replaceAll('8080', String(port))
  return { at, site, fill, secrets }
}

/** Registers a site without an account, where the host allows it. */
async function registerItself(addresses: Record<string, unknown>): Promise<RegisteredSite> {
  const asks = { scope: 'openid profile email', token_endpoint_auth_method: 'client_secret_post' }
  const { body } = await doors.fetch(`${config().baseUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...asks, ...addresses }),
  })
  return { clientId: body.client_id, secret: body.client_secret, redirect: body.redirect_uris[0] }
}

/** Loads a recipe as a module. */
async function load<T>({ fill }: Setting, heading: string, hasOption = false): Promise<T> {
  const file = join(folder, `${crypto.randomUUID()}.ts`)
  await writeFile(file, fill(recipeOf(heading, hasOption)))
  return import(file)
}

/** `isolate: false`: a server of a recipe would go on with the next test. */
const close = (server: Server) => {
  server.closeAllConnections()
  server.close()
}

interface BetterAuth {
  auth: { handler(request: Request): Promise<Response> }
}

/** Begins as the client of better-auth does on a page. Returns where it sends the browser. */
async function beginBetterAuth({ at }: Setting, browser: Browser, more: object = {}): Promise<string> {
  const { text } = await browser.visit(`${at}/api/auth/sign-in/social`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: at },
    body: JSON.stringify({ provider: 'beak', callbackURL: '/', errorCallbackURL: '/sign-in', ...more }),
  })
  return String(JSON.parse(text).url)
}

describe.each(['', '/prod'])('below %j', (path) => {
  beforeAll(() => doors.moveTo(path))

  it('signs in with openid-client 6', async () => {
    const person = await aDuckling()
    const setting = await settle('/callback')
    const { server } = await load<{ server: Server }>(setting, node)
    const browser = new Browser(fetch)
    const { location } = await browser.visit(`${setting.at}/sign-in`)
    expect(location).toMatch(`${config().baseUrl}/oauth/authorize?`)
    const { back } = await passBeak(doors, setting.site, location, person, ['profile', 'tier'])
    expect(await new Browser(fetch).visit(back.href)).toMatchObject({ status: 400 })
    expect(await browser.visit(back.href)).toMatchObject({
      status: 200,
      text: `Hello ${person.displayName}. Tier: T1.`,
    })
    expect(await browser.visit(back.href)).toMatchObject({ status: 400 })
    close(server)
  })

  it('signs in with next-auth 4', async () => {
    const person = await aDuckling()
    const setting = await settle('/api/auth/callback/beak')
    type Handler = (request: Request, context: object) => Promise<Response>
    const { GET, POST } = await load<Record<'GET' | 'POST', Handler>>(setting, nextAuth)
    const browser = new Browser(async (request) => {
      const nextauth = new URL(request.url).pathname.split('/').slice(3)
      const headers = Object.fromEntries(request.headers)
      const answer = () =>
        (request.method === 'GET' ? GET : POST)(new NextRequest(request), { params: { nextauth } })
      return (await inPageRequest({ headers }, answer)).result
    })
    const { csrfToken } = JSON.parse((await browser.visit(`${setting.at}/api/auth/csrf`)).text)
    const body = new URLSearchParams({ csrfToken })
    const { location } = await browser.visit(`${setting.at}/api/auth/signin/beak`, { method: 'POST', body })
    const { back } = await passBeak(doors, setting.site, location, person, ['profile', 'email'])
    expect(await browser.visit(back.href)).toMatchObject({ status: 302, location: setting.at })
    const session = JSON.parse((await browser.visit(`${setting.at}/api/auth/session`)).text)
    expect(session.user).toMatchObject({
      name: person.displayName,
      email: person.email,
      image: expect.stringContaining('/oauth/picture/'),
    })
  })

  it('signs in with better-auth, which needs the address', async () => {
    const person = await aDuckling()
    const setting = await settle('/api/auth/callback/beak')
    const { auth } = await load<BetterAuth>(setting, betterAuth)
    const browser = new Browser((request) => auth.handler(request))
    const begin = (more?: object) => beginBetterAuth(setting, browser, more)
    const without = await passBeak(doors, setting.site, await begin(), person, ['profile'])
    expect((await browser.visit(without.back.href)).location).toMatch(/\/sign-in\?error=email_not_found/)
    const again = await passBeak(doors, setting.site, await begin(), person)
    expect(again.page).toBe(false)
    const asked = await begin({ additionalParams: { prompt: 'consent' } })
    const { back } = await passBeak(doors, setting.site, asked, person, ['profile', 'email'])
    expect((await browser.visit(back.href)).location).toBe('/')
    const { user } = JSON.parse((await browser.visit(`${setting.at}/api/auth/get-session`)).text)
    expect(user).toMatchObject({ name: person.displayName, email: person.email, emailVerified: true })
  })

  it('signs in with better-auth without an address, as the page says', async () => {
    const person = await aDuckling()
    // Also with a site that registered itself.
    useConfig({ siteRegistration: true })
    const setting = await settle('/api/auth/callback/beak', undefined, registerItself)
    useConfig({ siteRegistration: false })
    expect(setting.site.clientId).toMatch(/^SITE-/)
    const { auth } = await load<BetterAuth>(setting, betterAuth, true)
    const browser = new Browser((request) => auth.handler(request))
    const { back } = await passBeak(doors, setting.site, await beginBetterAuth(setting, browser), person)
    expect((await browser.visit(back.href)).location).toBe('/')
    const { user } = JSON.parse((await browser.visit(`${setting.at}/api/auth/get-session`)).text)
    expect(user.email).toMatch(/^[\w-]{22}@people\.invalid$/)
  })

  it('signs in, signs out, and hears of an end, with Hono', async () => {
    const person = await aDuckling()
    const setting = await settle('/callback', (at) => ({
      post_logout_redirect_uris: [`${at}/`],
      backchannel_logout_uri: `${at}/ended`,
    }))
    const { server } = await load<{ server: Server }>(setting, hono)
    const enter = async (who: ADuckling) => {
      const browser = new Browser(fetch)
      const { location } = await browser.visit(`${setting.at}/sign-in`)
      const { back } = await passBeak(doors, setting.site, location, who)
      expect(await browser.visit(back.href)).toMatchObject({ status: 303, location: '/' })
      expect((await browser.visit(`${setting.at}/`)).text).toBe(`Hello ${who.displayName}.`)
      return browser
    }
    const left = await enter(person)
    const { location } = await left.visit(`${setting.at}/sign-out`, { method: 'POST' })
    expect((await doors.fetch(location)).headers.get('location')).toBe(`${setting.at}/`)
    const here = await enter(person)
    const elsewhere = await enter({ ...person, token: await anotherSession(person) })
    await call('POST /beak/signout', { token: person.token })
    await drainOutbox()
    expect((await here.visit(`${setting.at}/`)).text).toBe('You are not signed in.')
    expect((await elsewhere.visit(`${setting.at}/`)).text).toBe(`Hello ${person.displayName}.`)
    const forged = new URLSearchParams({ logout_token: 'a.b.c' })
    expect((await fetch(`${setting.at}/ended`, { method: 'POST', body: forged })).status).toBe(400)
    close(server)
  })

  it('signs in with curl', async () => {
    const person = await aDuckling()
    const setting = await settle('/callback')
    let output = ''
    async function* typed() {
      await expect.poll(() => output).toMatch(/\n$/)
      const { back } = await passBeak(doors, setting.site, output.trim(), person, ['profile', 'tier'])
      yield codeIn(back.href)
    }
    const text = setting.fill(recipeOf('curl'))
    const printed = await runProgram(
      { language: 'sh', text, command: null },
      {
        newcomer: folder,
        python: '',
        env: setting.secrets,
        answers: typed(),
        onOutput: (all) => {
          output = all
        },
        prepare: (home) => writeFile(join(home, '.curlrc'), 'insecure\n'),
      },
    )
    expect(JSON.parse(printed.split('\n').at(-1) ?? '')).toMatchObject({
      name: person.displayName,
      tier: 'T1',
    })
  })
})

it('has recipes with correct types', async () => {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2023',
    skipLibCheck: true,
    types: ['node'],
  }
  const home = join(folder, 'types')
  await mkdir(home)
  await writeFile(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const headings = [...recipes.keys()].filter((heading) => heading !== 'curl').slice(1)
  expect(headings).toEqual([node, nextAuth, betterAuth, hono])
  for (const [index, heading] of headings.entries())
    await writeFile(join(home, `recipe${index}.ts`), `${recipeOf(heading, true)}\nexport {}\n`)
  const compiler = join(process.cwd(), 'node_modules/.bin/tsc')
  const { stdout } = spawnSync(compiler, ['-p', home], { encoding: 'utf8' })
  expect(stdout).toBe('')
})
