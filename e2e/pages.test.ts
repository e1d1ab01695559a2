/**
 * Checks every page of the app: keyboard use, at most 150 kB of JavaScript, no layout shift, no error in the console, content without
 * JavaScript. A test fails when a page is not visited here.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { hydrated } from './browser'
import { expect, test } from './demo'
import { titleOf, visits } from './visits'

// Two workers share the visits.
test.describe.configure({ mode: 'parallel' })

const usable =
  'a[href], button:not(:disabled), input:not([type=hidden]):not(:disabled), select, textarea, summary, [tabindex="0"]'

/** Presses the tab key often, without waiting for the browser after each press. */
async function pressTab(page: Page, times: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const tab = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 }
  const press = () => [
    session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...tab }),
    session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...tab }),
  ]
  await Promise.all(Array.from({ length: times }, press).flat())
  await session.detach()
}

/** Presses the tab key through the page. Returns the controls that it did not reach, and those without a visible focus. */
async function walk(page: Page): Promise<{ missed: string[]; unseen: string[] }> {
  const count = await page.evaluate((selector) => {
    const isClosed = (element: Element) => element.closest('details:not([open]) > :not(summary)') !== null
    const stops = [...document.querySelectorAll<HTMLElement>(selector)].filter(
      (element) =>
        element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }) && !isClosed(element),
    )
    const [reached, unseen] = [new Set<Element>(), new Set<Element>()]
    document.addEventListener('focusin', ({ target }) => {
      const element = target as Element
      const { outlineStyle, boxShadow } = getComputedStyle(element)
      reached.add(element)
      if (outlineStyle === 'none' && boxShadow === 'none') unseen.add(element)
    })
    ;(document.activeElement as HTMLElement | null)?.blur()
    Object.assign(window, { walked: { stops, reached, unseen } })
    return stops.length
  }, usable)
  await pressTab(page, count + 5)
  return page.evaluate(() => {
    const { walked } = window as unknown as {
      walked: { stops: HTMLElement[]; reached: Set<Element>; unseen: Set<Element> }
    }
    const { stops, reached, unseen } = walked
    const describe = (element: Element) =>
      `${element.tagName} ${element.textContent?.trim().slice(0, 30) ?? ''}`
    // The tab key reaches one radio button of a group. The arrow keys reach the others.
    const isRadio = (element: Element) => element.matches('input[type=radio]')
    return {
      missed: stops.filter((element) => !reached.has(element) && !isRadio(element)).map(describe),
      unseen: stops.filter((element) => unseen.has(element)).map(describe),
    }
  })
}

/** Returns the fonts that the page preloads and no text uses. */
function unusedPreloads(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faces = [...document.styleSheets]
      .flatMap((sheet) => [...sheet.cssRules])
      .filter((rule) => rule instanceof CSSFontFaceRule)
    const used = [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)
    const isUsed = (file: string) =>
      faces.some(({ style }) => {
        const family = style.getPropertyValue('font-family')
        return style.getPropertyValue('src').includes(file) && used.includes(family)
      })
    return [...document.querySelectorAll<HTMLLinkElement>('link[rel=preload][as=font]')]
      .map(({ href }) => href.split('/').at(-1) ?? '')
      .filter((file) => !isUsed(file))
  })
}

for (const visit of visits)
  test(`${titleOf(visit)} is small, preloads only fonts that it uses, has no layout shift and is usable by keyboard`, async ({
    visitor,
    demo,
  }) => {
    const page = await visitor(visit)
    const sizes: Promise<number>[] = []
    page.on('requestfinished', (request) => {
      if (/\.js(\?|$)/.test(request.url()))
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    })
    await page.addInitScript(() => {
      interface Shift {
        value: number
        sources: { node: Element | null }[]
      }
      const shifts: { value: number; moved: string[] }[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries() as unknown as Shift[])
          shifts.push({ value, moved: sources.map(({ node }) => node?.textContent?.slice(0, 40) ?? '') })
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const answer = await page.goto(demo.pathOf(visit), { waitUntil: 'load' })
    await hydrated(page)
    await page.waitForFunction(() => document.fonts.status === 'loaded')
    const kilobytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1000
    const shifts = await page.evaluate(
      () => (window as unknown as { shifts: { value: number; moved: string[] }[] }).shifts,
    )
    const headings = await page.locator('h1').count()
    const unusedFonts = await unusedPreloads(page)
    expect({ status: answer?.status(), headings, unusedFonts, ...(await walk(page)) }).toEqual({
      status: visit.status ?? 200,
      headings: 1,
      unusedFonts: [],
      missed: [],
      unseen: [],
    })
    expect(kilobytes).toBeLessThanOrEqual(150)
    const shift = shifts.reduce((sum, { value }) => sum + value, 0)
    expect(shift, `what moved: ${JSON.stringify(shifts)}`).toBeLessThan(0.01)
  })

/** Returns the addresses of the pages in the source tree, with `*` for what varies. */
function pagesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return entry.name === 'beak' ? [] : pagesBelow(join(folder, entry.name))
    if (entry.name !== 'page.tsx') return []
    const parts = folder.split('/').slice(1)
    return [`/${parts.filter((part) => !part.startsWith('(')).join('/')}`.replace(/\[[^\]]+\]/g, '*')]
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

test('every page shows its content without JavaScript', async ({ demo }) => {
  const blank: string[] = []
  for (const visit of visits) {
    const Cookie = demo
      .cookiesOf(visit)
      .map((cookie) => cookie.join('='))
      .join('; ')
    const html = await (await fetch(`${demo.url}${demo.pathOf(visit)}`, { headers: { Cookie } })).text()
    const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? ''
    const words = main
      .replace(/<script[\s\S]*?<\/script>|<[^>]+>/g, ' ')
      .trim()
      .split(/\s+/)
    if (!main.includes('<h1') || words.length < 8) blank.push(visit.path)
  }
  expect(blank).toEqual([])
})

test('every page for signed-in people leads other visitors to the sign-in, and then back', async ({
  demo,
}) => {
  const own = visits.filter(({ as, path }) => as === 'mallard' && !/^\/(directory.*)?$/.test(path))
  for (const visit of own) {
    const { status, headers } = await fetch(`${demo.url}${demo.pathOf(visit)}`, { redirect: 'manual' })
    const to = new URL(headers.get('location') ?? '', demo.url)
    expect({ path: visit.path, status, to: to.pathname }).toEqual({
      path: visit.path,
      status: 307,
      to: '/signin',
    })
    expect(to.searchParams.get('next')).toMatch(/^\/[a-z]/)
  }
})
