/** What happens while a page loads: the weight of its scripts, layout shifts, preloaded fonts. */
import type { Page } from '@playwright/test'
import { hydrated } from '../browser'

interface Shift {
  value: number
  /** What moved: each element with the beginning of its text. */
  moved: string[]
}

interface Loaded {
  status: number | undefined
  /** The weight of all scripts, as sent. */
  kilobytes: number
  shifts: Shift[]
}

export const fontsLoaded = (page: Page) => page.waitForFunction(() => document.fonts.status === 'loaded')

/** Opens a page in a new tab, waits until it can be used, and returns what happened. */
export async function load(page: Page, path: string): Promise<Loaded> {
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (/\.js(\?|$)/.test(request.url()))
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  await page.addInitScript(() => {
    interface Entry {
      value: number
      sources: { node: Element | null }[]
    }
    const shifts: { value: number; moved: string[] }[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as unknown as Entry[]) {
        const moved = sources.map(({ node }) =>
          node ? `${node.nodeName} ${node.textContent?.slice(0, 40)}` : 'what is no longer there',
        )
        shifts.push({ value, moved })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const answer = await page.goto(path, { waitUntil: 'load' })
  await hydrated(page)
  await fontsLoaded(page)
  const kilobytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1000
  const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts)
  return { status: answer?.status(), kilobytes, shifts }
}

/** Returns the fonts that the page preloads and no text uses. */
export function unusedPreloads(page: Page): Promise<string[]> {
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
