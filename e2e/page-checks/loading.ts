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

/** Records the layout shifts of every page that this tab opens from now on. */
export async function recordShifts(page: Page): Promise<void> {
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
}

/** Opens a page in a tab that records shifts, waits until it can be used, and returns what happened. */
export async function load(page: Page, path: string): Promise<Loaded> {
  const answer = await page.goto(path, { waitUntil: 'load' })
  await hydrated(page)
  await fontsLoaded(page)
  const { bytes, shifts } = await page.evaluate(() => {
    const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const scripts = loaded.filter(({ name }) => /\.js(\?|$)/.test(name))
    return {
      // Also of those that were in the cache.
      bytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      shifts: (window as unknown as { shifts: Shift[] }).shifts,
    }
  })
  return { status: answer?.status(), kilobytes: bytes / 1000, shifts }
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
