/**
 * Every page of the app, as those who use it meet it: nothing for axe to find in light and in dark, 320 px wide without
 * sideways scrolling, the keyboard reaches and shows everything, no complaint in the console, at most 150 kB of JavaScript,
 * nothing that jumps, and readable without scripts. A page that is not visited here fails the suite.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '@/lib/fixtures/free-port'
import { complaintsOf, patient, signInAs, startBrowser } from './browser'
import { codeIn, newDataDir, outboxCookieOf, type RunningServer, send, startServer, stopAll } from './server'

let server: RunningServer
let browser: Browser
let outboxCookie: string
const tokens = new Map<string, string>()
const known = new Map<string, string>()

async function tokenOf(name: string): Promise<string> {
  const email = `${name}@pond.example`
  await send(server, 'POST /beak/signin/otp', { body: { email } })
  const { body } = await send(server, 'POST /beak/signin', {
    body: { email, otp: await codeIn(server, email) },
  })
  return body.token
}

/** The ids that stand in the addresses of pages, by what the addresses below call them. */
async function findIds(): Promise<void> {
  const token = tokens.get('mallard') ?? ''
  const get = async (path: string) => (await send(server, `GET /beak/${path}`, { token })).body
  known.set('cert', (await get('cert/view')).cert_id)
  const revoked = await send(server, 'GET /beak/cert/view', { token: tokens.get('pintail') })
  known.set('revoked', revoked.body.cert_id)
  known.set('agent', (await get('agent/list')).items[0].agent_id)
  known.set('webhook', (await get('webhook/list')).items[0].webhook_id)
  const pecks = (await get('peck/history?limit=100')).items
  for (const status of ['pending', 'approved', 'rejected'])
    known.set(status, pecks.find((peck: { status: string }) => peck.status === status).peck_id)
}

beforeAll(async () => {
  const port = await freePort()
  const dataDir = newDataDir()
  // The demo world: people at every tier, certificates, agents and pecks in every state.
  const { DATABASE_URL: _, BASE_URL: __, VITEST: ___, ...env } = process.env
  execFileSync(process.execPath, ['scripts/run.mjs', 'seed.ts'], {
    env: { ...env, NODE_ENV: 'production', DATA_DIR: dataDir, PORT: String(port) },
    stdio: 'ignore',
  })
  server = await startServer({ port, dataDir })
  outboxCookie = await outboxCookieOf(server)
  browser = await startBrowser()
  for (const name of ['mallard', 'eider', 'pintail', 'newcomer', 'gadwall'])
    tokens.set(name, await tokenOf(name))
  await findIds()
}, 120_000)

afterAll(async () => {
  await browser?.close()
  stopAll()
})

interface Visit {
  /** Below the origin; `:name` stands for an id of the demo world. */
  path: string
  /** Who looks; nobody unless said. */
  as?: string
  /** In the browser that may open the outbox. */
  outbox?: true
  status?: number
}

const visits: Visit[] = [
  { path: '/' },
  { path: '/', as: 'mallard' },
  { path: '/directory' },
  { path: '/directory?tier=T2', as: 'mallard' },
  { path: '/directory?cursor=changed', status: 400 },
  { path: '/directory?tier=T9', as: 'mallard', status: 400 },
  { path: '/status' },
  { path: '/numbers' },
  { path: '/support' },
  { path: '/newsletter' },
  { path: '/newsletter/confirm?token=nothing' },
  { path: '/newsletter/unsubscribe?token=nothing' },
  { path: '/keep-passkeys?token=nothing' },
  { path: '/keep-passkeys?result=failed', status: 404 },
  { path: '/email-undo?token=nothing' },
  { path: '/email-undo?result=done' },
  { path: '/email-undo', status: 404 },
  { path: '/download-failed?why=passkey&from=%2Faccount', status: 403 },
  { path: '/docs' },
  { path: '/docs/api' },
  ...['identity', 'certificates', 'pecks', 'agents', 'sso', 'webhooks', 'audit', 'platform'].map((group) => ({
    path: `/docs/api/${group}`,
  })),
  { path: '/docs/errors' },
  { path: '/verify' },
  { path: '/verify/:cert' },
  { path: '/verify/:revoked' },
  { path: '/verify/CERT-00000000000000000000000000', status: 404 },
  { path: '/agents/:agent' },
  { path: '/agents/AGT-00000000000000000000000000', status: 404 },
  { path: '/receipts' },
  { path: '/signup' },
  { path: '/signup?ref=ABCDEFGH' },
  { path: '/signin' },
  { path: '/signin?next=%2Fpecks&reason=ended' },
  { path: '/signin/passkey', as: 'gadwall' },
  { path: '/signed-out' },
  { path: '/goodbye?certificates=1&sessions=2' },
  { path: '/dev/outbox', outbox: true },
  { path: '/dev/outbox', status: 404 },
  { path: '/no/such/page', status: 404 },
  { path: '/welcome', as: 'newcomer' },
  { path: '/home', as: 'mallard' },
  { path: '/home', as: 'newcomer' },
  { path: '/pecks', as: 'mallard' },
  { path: '/pecks', as: 'gadwall' },
  { path: '/pecks/new', as: 'mallard' },
  { path: '/pecks/grants', as: 'mallard' },
  { path: '/pecks/grants', as: 'gadwall' },
  { path: '/pecks/sent', as: 'mallard' },
  { path: '/pecks/sent', as: 'gadwall' },
  { path: '/pecks/history', as: 'mallard' },
  { path: '/pecks/history?status=rejected&direction=received', as: 'mallard' },
  { path: '/pecks/blocked', as: 'mallard' },
  { path: '/pecks/PECK-00000000000000000000000000', as: 'mallard', status: 404 },
  { path: '/agents/manage/AGT-00000000000000000000000000', as: 'mallard', status: 404 },
  { path: '/webhooks/WHK-00000000000000000000000000', as: 'mallard', status: 404 },
  { path: '/pecks/:pending', as: 'mallard' },
  { path: '/pecks/:approved', as: 'mallard' },
  { path: '/pecks/:rejected', as: 'mallard' },
  { path: '/agents', as: 'mallard' },
  { path: '/agents', as: 'gadwall' },
  { path: '/agents/new', as: 'mallard' },
  { path: '/agents/manage/:agent', as: 'mallard' },
  { path: '/agents?include=deregistered', as: 'mallard' },
  { path: '/certificate', as: 'mallard' },
  { path: '/certificate', as: 'pintail' },
  { path: '/certificate', as: 'gadwall' },
  { path: '/certificate', as: 'newcomer' },
  { path: '/profile', as: 'mallard' },
  { path: '/security', as: 'eider' },
  { path: '/security', as: 'mallard' },
  { path: '/security', as: 'gadwall' },
  { path: '/webhooks', as: 'mallard' },
  { path: '/webhooks', as: 'gadwall' },
  { path: '/webhooks/new', as: 'mallard' },
  { path: '/webhooks/:webhook', as: 'mallard' },
  { path: '/audit', as: 'mallard' },
  { path: '/audit?outcome=denied', as: 'gadwall' },
  { path: '/audit?cursor=changed', as: 'mallard', status: 400 },
  { path: '/account', as: 'mallard' },
]

const address = ({ path }: Visit) => path.replace(/:([a-z]+)/g, (_, name) => known.get(name) ?? `no ${name}`)

/** Where everything one can use by keyboard is. */
const usable =
  'a[href], button:not(:disabled), input:not([type=hidden]):not(:disabled), select, textarea, summary, [tabindex="0"]'

async function contextFor(
  visit: Visit,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 900 },
    ...options,
  })
  if (visit.as) await signInAs(context, server, { token: tokens.get(visit.as) ?? '' })
  if (visit.outbox) {
    const [name = '', value = ''] = outboxCookie.split('=')
    await context.addCookies([{ name, value, url: server.url }])
  }
  return context
}

async function violationsOf(page: Page, only?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page })
  const { violations } = await (only ? axe.withRules(only) : axe).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}`))
}

/** Goes through the page with the tab key; says what it never reached, and what gave no sign of having the focus. */
async function walk(page: Page): Promise<{ missed: string[]; unseen: string[] }> {
  const wanted = await page.evaluate((selector) => {
    const all = [...document.querySelectorAll<HTMLElement>(selector)].filter(
      (element) =>
        element.tabIndex >= 0 &&
        element.checkVisibility({ visibilityProperty: true }) &&
        !element.closest('details:not([open]) > :not(summary)'),
    )
    for (const [index, element] of all.entries()) element.dataset.stop = String(index)
    return all.map((element) => `${element.tagName} ${element.textContent?.trim().slice(0, 30) ?? ''}`)
  }, usable)
  const reached = new Set<number>()
  const unseen: string[] = []
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  for (let presses = 0; presses < wanted.length + 5 && reached.size < wanted.length; presses++) {
    await page.keyboard.press('Tab')
    const here = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null
      const style = element ? getComputedStyle(element) : null
      const shown = style !== null && (style.outlineStyle !== 'none' || style.boxShadow !== 'none')
      return { stop: element?.dataset.stop, radio: element?.getAttribute('name'), shown }
    })
    if (here.stop === undefined) continue
    reached.add(Number(here.stop))
    if (!here.shown) unseen.push(wanted[Number(here.stop)] ?? '')
  }
  // Of a group of radio buttons the tab key reaches the chosen one only; the arrows reach the others.
  const radios = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('input[type=radio]')].map(({ dataset }) =>
      Number(dataset.stop),
    ),
  )
  const missed = wanted.filter((_, index) => !reached.has(index) && !radios.includes(index))
  return { missed, unseen }
}

describe.each(visits)('$path as $as', patient, (visit) => {
  it('is sound', async () => {
    const context = await contextFor(visit)
    const page = await context.newPage()
    const complaints = complaintsOf(page)
    const sizes: Promise<number>[] = []
    page.on('requestfinished', (request) => {
      if (/\.js(\?|$)/.test(request.url()))
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    })
    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const answer = await page.goto(`${server.url}${address(visit)}`, { waitUntil: 'load' })
    await page.waitForFunction(() => document.readyState === 'complete' && document.fonts.status === 'loaded')
    const kilobytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1000
    const shift = await page.evaluate(() =>
      (window as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0),
    )
    const headings = await page.locator('h1').count()
    const light = await violationsOf(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    // Colours on their way from one to the other are nobody's.
    await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
    // Only colours change.
    const dark = await violationsOf(page, ['color-contrast'])
    const { missed, unseen } = await walk(page)
    await page.setViewportSize({ width: 320, height: 700 })
    const sideways = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    await context.close()
    expect({ status: answer?.status(), headings, light, dark, missed, unseen, sideways }).toEqual({
      status: visit.status ?? 200,
      headings: 1,
      light: [],
      dark: [],
      missed: [],
      unseen: [],
      sideways: 0,
    })
    // What the browser itself says of the status of a page is no complaint of ours.
    const isStatus = (text: string) => visit.status !== undefined && text.includes(String(visit.status))
    expect(complaints.filter((text) => !isStatus(text))).toEqual([])
    expect(kilobytes).toBeLessThanOrEqual(150)
    expect(shift).toBeLessThan(0.01)
  }, 60_000)
})

/** Addresses of the pages in the tree, with `*` for what varies. */
function pagesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return entry.name === 'beak' ? [] : pagesBelow(join(folder, entry.name))
    if (entry.name !== 'page.tsx') return []
    return [
      `/${folder
        .split('/')
        .slice(1)
        .filter((part) => !part.startsWith('('))
        .join('/')}`.replace(/\[[^\]]+\]/g, '*'),
    ]
  })
}

describe('the pages', patient, () => {
  it('are all visited above', () => {
    const patterns = pagesBelow('app')
    const isVisited = (pattern: string) =>
      visits.some(({ path }) =>
        new RegExp(`^${pattern.replaceAll('*', '[^/]+')}$`).test(path.replace(/\?.*/, '')),
      )
    expect(patterns.length).toBeGreaterThan(20)
    expect(patterns.filter((pattern) => !isVisited(pattern))).toEqual([])
  })

  it('show what they have to show without JavaScript', async () => {
    const blank: string[] = []
    for (const visit of visits) {
      const cookies = [
        ...(visit.as ? [`beak.session=${tokens.get(visit.as)}`] : []),
        ...(visit.outbox ? [outboxCookie] : []),
      ]
      const Cookie = cookies.join('; ')
      const html = await (await fetch(`${server.url}${address(visit)}`, { headers: { Cookie } })).text()
      const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? ''
      const words = main
        .replace(/<script[\s\S]*?<\/script>|<[^>]+>/g, ' ')
        .trim()
        .split(/\s+/)
      if (!main.includes('<h1') || words.length < 8) blank.push(visit.path)
    }
    expect(blank).toEqual([])
  })

  it('send those who are not signed in to sign in, and back', async () => {
    const own = visits.filter(({ as, path }) => as === 'mallard' && !/^\/(directory.*)?$/.test(path))
    for (const visit of own) {
      const { status, headers } = await fetch(`${server.url}${address(visit)}`, { redirect: 'manual' })
      const to = new URL(headers.get('location') ?? '', server.url)
      expect({ path: visit.path, status, to: to.pathname }).toEqual({
        path: visit.path,
        status: 307,
        to: '/signin',
      })
      expect(to.searchParams.get('next')).toMatch(/^\/[a-z]/)
    }
  })
})
