/**
 * Opens every page of the app once, in every state that looks different, and checks it on a large screen and then on a phone. With
 * `BEAK_SCREENSHOTS=<folder>` it also saves screenshots. A test fails when a page is not visited here.
 */
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { button, open, sidewaysOf, violationsOf, waitUntilDrawn } from './browser'
import { expect, test } from './demo'
import { undeclaredColours } from './page-checks/colours'
import { lostInForcedColours } from './page-checks/forced-colours'
import { walk } from './page-checks/keyboard'
import { fontsLoaded, load, unusedPreloads } from './page-checks/loading'
import { shownTiers } from './page-checks/plain-words'
import { translatableNames } from './page-checks/translatable'
import { titleOf, type Visit, visits } from './visits'

// Two workers share the visits.
test.describe.configure({ mode: 'parallel' })
// The messages of a visit say what it measured. A trace would cost as much as the visit.
if (process.env.CI) test.use({ trace: 'off' })

const { BEAK_SCREENSHOTS: folder } = process.env

const contrast = 'color-contrast'

const desktop = { width: 1280, height: 900 }
const phone = { width: 320, height: 700 }

/** The rules whose result can differ in the layout of a phone: sizes, what scrolls, and controls that only this layout shows. */
const layoutRules = [
  'target-size',
  'scrollable-region-focusable',
  'aria-hidden-focus',
  'button-name',
  'link-name',
  'label',
  'select-name',
]

async function screenshot(page: Page, visit: Visit, look: string): Promise<void> {
  if (!folder) return
  const name = titleOf(visit).replaceAll(/[^\w]+/g, '-')
  await page.screenshot({ path: join(folder, look, `${name}.png`), fullPage: true })
}

async function emptyCache(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await session.detach()
}

/** How far a page goes sideways when it is enlarged to 200 %, or runs from right to left. How many animations run for a reader who wants no motion. */
async function forOtherReaders(page: Page) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const moving = await page.evaluate(
    () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
  )
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  const mirrored = await sidewaysOf(page)
  await page.evaluate(() => document.documentElement.removeAttribute('dir'))
  await page.setViewportSize({ width: desktop.width / 2, height: desktop.height / 2 })
  return { moving, mirrored, enlarged: await sidewaysOf(page) }
}

/** Loads a page again in the dark theme: an open page can keep light colours in parts that are not on the screen. */
async function darken(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.reload()
  await fontsLoaded(page)
}

for (const visit of visits.filter(({ fetched }) => !fetched))
  test(`${titleOf(visit)} loads fast, is accessible, works by keyboard and fits a phone`, async ({
    tabOf,
    demo,
  }) => {
    const page = await tabOf(visit)
    await page.setViewportSize(desktop)
    await page.emulateMedia({ colorScheme: 'light' })
    // One page of each frame loads everything.
    if (visit.measured) await emptyCache(page)
    const { status, kilobytes, shifts } = await load(page, demo.pathOf(visit))
    await screenshot(page, visit, 'desktop')
    expect({
      status,
      headings: await page.locator('h1').count(),
      unusedFonts: await unusedPreloads(page),
      sideways: await sidewaysOf(page),
      violations: await violationsOf(page, { without: visit.measured ? [] : [contrast] }),
      // The home page and the documentation tell of made-up people and agents.
      names: /^\/($|docs)/.test(visit.path) ? [] : await translatableNames(page),
      tiers: visit.path.startsWith('/docs') ? [] : await shownTiers(page),
      ...(await walk(page)),
      // After the walk, the browser has styled every part of a long page once.
      colours: await undeclaredColours(page),
      ...(await forOtherReaders(page)),
      lost: visit.measured ? await lostInForcedColours(page) : [],
    }).toEqual({
      status: visit.status ?? 200,
      headings: 1,
      unusedFonts: [],
      colours: [],
      sideways: 0,
      moving: 0,
      enlarged: 0,
      mirrored: 0,
      violations: [],
      names: [],
      tiers: [],
      missed: [],
      unseen: [],
      lost: [],
    })
    expect(kilobytes).toBeLessThanOrEqual(visit.kilobytes ?? 156)
    const shift = shifts.reduce((sum, { value }) => sum + value, 0)
    expect(shift, `what moved: ${JSON.stringify(shifts)}`).toBeLessThan(0.01)
    await page.setViewportSize(phone)
    await waitUntilDrawn(page)
    await screenshot(page, visit, 'phone')
    expect({
      sideways: await sidewaysOf(page),
      violations: await violationsOf(page, { only: layoutRules }),
    }).toEqual({ sideways: 0, violations: [] })
    if (!visit.measured && !folder) return
    await darken(page)
    await screenshot(page, visit, 'phone-dark')
    expect(await violationsOf(page, { only: [contrast] })).toEqual([])
  })

/** Passes requests on to a server, and sends the main part of each page a second after its header. */
async function withSlowMain(origin: string): Promise<{ origin: string; close: () => void }> {
  const slow = createServer(async (request, response) => {
    const { cookie = '' } = request.headers
    const answer = await fetch(new URL(request.url ?? '/', origin), { headers: { cookie } })
    const body = Buffer.from(await answer.arrayBuffer())
    const main = Math.max(0, body.indexOf('<main'))
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
    response.write(body.subarray(0, main))
    setTimeout(() => response.end(body.subarray(main)), main === 0 ? 0 : 1_000)
  })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  const { port } = slow.address() as AddressInfo
  const { protocol, hostname } = new URL(origin)
  return { origin: `${protocol}//${hostname}:${port}`, close: () => slow.close() }
}

test('nothing moves when the inbox arrives after the header of its page', async ({
  visitor,
  demo,
  server,
}) => {
  const page = await visitor({ path: '/pecks', as: 'mallard' })
  const slow = await withSlowMain(server.url)
  const { status, shifts } = await load(
    page,
    `${slow.origin}${demo.pathOf({ path: '/pecks', as: 'mallard' })}`,
  )
  slow.close()
  expect({ status, shifts }).toEqual({ status: 200, shifts: [] })
})

test('a warning with a long name without spaces fits the narrowest window that shows it', async ({
  visitor,
  demo,
}) => {
  const visit: Visit = { path: '/account', as: 'mallard' }
  const page = await visitor(visit)
  await page.setViewportSize({ width: 640, height: 640 })
  await open(page, demo.pathOf(visit))
  const warning = page.getByRole('region', { name: 'Changes of your account' }).locator('bdi').first()
  await warning.evaluate((sentence) => {
    sentence.textContent = `Webhook to ${'W'.repeat(40)} changed`
  })
  expect(await sidewaysOf(page)).toBe(0)
})

test('a dialog is accessible in both themes', async ({ visitor, demo }) => {
  const visit: Visit = { path: '/agents/manage/:agent', as: 'mallard' }
  const page = await visitor(visit)
  await open(page, demo.pathOf(visit))
  await button(page, 'Remove agent').click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  expect(await violationsOf(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violationsOf(page, { only: [contrast] })).toEqual([])
})

/** Returns the addresses of the pages in the source tree, with `*` for what varies. */
function pagesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return entry.name === 'beak' ? [] : pagesBelow(join(folder, entry.name))
    if (entry.name !== 'page.tsx') return []
    const parts = folder.split('/').slice(1)
    const pattern = `/${parts.filter((part) => !part.startsWith('(')).join('/')}`.replace(/\[[^\]]+\]/g, '*')
    // next.config.mjs rewrites `/@handle` to this page.
    return [pattern.replace(/^\/people\//, '/@')]
  })
}

test('every page of the app is visited', () => {
  const patterns = pagesBelow('app')
  const isVisited = (pattern: string) =>
    visits.some(({ path }) =>
      new RegExp(`^${pattern.replaceAll('*', '[^/]+')}$`).test(path.replace(/\?.*/, '')),
    )
  expect(patterns.length).toBeGreaterThan(20)
  expect(patterns.filter((pattern) => !isVisited(pattern))).toEqual([])
})

test('every page has its status and shows its content without JavaScript', async ({ demo }) => {
  const wrong: string[] = []
  for (const visit of visits) {
    const Cookie = demo
      .cookiesOf(visit)
      .map((cookie) => cookie.join('='))
      .join('; ')
    const answer = await fetch(`${demo.url}${demo.pathOf(visit)}`, { headers: { Cookie } })
    const html = await answer.text()
    const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? ''
    const words = main
      .replace(/<script[\s\S]*?<\/script>|<[^>]+>/g, ' ')
      .trim()
      .split(/\s+/)
    const isRight = answer.status === (visit.status ?? 200)
    if (!isRight || !main.includes('<h1') || words.length < 8)
      wrong.push(`${answer.status} ${titleOf(visit)}`)
  }
  expect(wrong).toEqual([])
})

test('every page for signed-in people leads other visitors to the sign-in, and then back', async ({
  demo,
}) => {
  const own = visits.filter(({ as, path }) => as === 'mallard' && !/^\/(directory.*|@.*)?$/.test(path))
  for (const visit of own) {
    const { status, headers } = await fetch(`${demo.url}${demo.pathOf(visit)}`, { redirect: 'manual' })
    const to = new URL(headers.get('location') ?? '', demo.url)
    // A program sends newcomers there.
    const isAsked = visit.path.startsWith('/connect/allow/')
    expect({ path: visit.path, status, to: to.pathname }).toEqual({
      path: visit.path,
      status: 307,
      to: isAsked ? '/signup' : '/signin',
    })
    expect(to.searchParams.get('next')).toMatch(/^\/[a-z]/)
  }
})
