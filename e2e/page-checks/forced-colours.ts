/** A page for readers whose system replaces its colours (`forced-colors`): fills and shadows are gone, edges and system colours stay. */
import type { Page } from '@playwright/test'

/**
 * Returns the buttons of a page that were told by their fill and look like text in forced colours, and the chosen links, tabs and
 * rows that look like the others of their kind. The page keeps its own colours afterwards.
 */
export async function lostInForcedColours(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    const fillOf = (element: Element | null) => element && getComputedStyle(element).backgroundColor
    const filled = [...document.querySelectorAll('a[href], button')].filter((element) => {
      const fill = fillOf(element)
      return fill !== 'rgba(0, 0, 0, 0)' && fill !== fillOf(element.parentElement)
    })
    Object.assign(window, { filled })
  })
  await page.emulateMedia({ forcedColors: 'active' })
  const lost = await page.evaluate(() => {
    const chosen = '[aria-current], [aria-pressed=true], [aria-selected=true]'
    const fillOf = (element: Element | null): string => {
      if (element === null) return ''
      const { backgroundColor } = getComputedStyle(element)
      return backgroundColor === 'rgba(0, 0, 0, 0)' ? fillOf(element.parentElement) : backgroundColor
    }
    const lookOf = (element: Element) => {
      const { borderWidth, borderColor, textDecorationLine, outlineStyle } = getComputedStyle(element)
      return [fillOf(element), borderWidth, borderColor, textDecorationLine, outlineStyle].join(' ')
    }
    const hasEdge = (element: Element) => {
      const { borderWidth, borderColor, textDecorationLine } = getComputedStyle(element)
      const around = fillOf(element.parentElement)
      return (
        (/[1-9]/.test(borderWidth) && borderColor !== around) ||
        fillOf(element) !== around ||
        textDecorationLine.includes('underline')
      )
    }
    const describe = (element: Element) =>
      `${element.tagName} ${element.textContent?.trim().slice(0, 30) || element.getAttribute('aria-label')}`
    const { filled } = window as unknown as { filled: Element[] }
    const controls = [...document.querySelectorAll('a[href], button, [role=option]')].filter((element) =>
      element.checkVisibility({ visibilityProperty: true }),
    )
    const alike = controls.filter(
      (element) =>
        element.matches(chosen) &&
        controls.some(
          (other) =>
            !other.matches(chosen) &&
            other.className === element.className &&
            lookOf(other) === lookOf(element),
        ),
    )
    return {
      plain: filled.filter((element) => element.checkVisibility() && !hasEdge(element)).map(describe),
      alike: alike.map(describe),
    }
  })
  await page.emulateMedia({ forcedColors: 'none' })
  return [
    ...lost.plain.map((name) => `looks like text: ${name}`),
    ...lost.alike.map((name) => `does not look chosen: ${name}`),
  ]
}
