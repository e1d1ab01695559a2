/** The colours of the texts on a page. `app/tokens.test.ts` computes the contrast of the declared pairs in both themes. */
import type { Page } from '@playwright/test'
import { pairsOf } from '@/lib/fixtures/colours'

const toRgb = (hex: string) =>
  `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`
const declared = pairsOf('light').map(
  ({ values: [text, background] }) => `${toRgb(text)} on ${toRgb(background)}`,
)

/**
 * Returns the texts of a page in the light theme whose colour and background are not a declared pair, or that are half transparent.
 * Much faster than the contrast rule of axe, which measures images and overlaps too.
 */
export function undeclaredColours(page: Page): Promise<string[]> {
  return page.evaluate(async (pairs) => {
    const transparent = 'rgba(0, 0, 0, 0)'
    const backgroundOf = (element: Element | null): string => {
      if (element === null) return 'rgb(255, 255, 255)'
      const { backgroundColor } = getComputedStyle(element)
      return backgroundColor === transparent ? backgroundOf(element.parentElement) : backgroundColor
    }
    const isShown = (element: Element) => {
      const { width, height } = element.getBoundingClientRect()
      return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true })
    }
    // WCAG exempts disabled controls and decoration.
    const isExempt = (element: Element) =>
      element.closest(':disabled, [aria-disabled=true], [aria-hidden=true], svg, option') !== null
    const isFaded = (element: Element | null): boolean =>
      element !== null && (getComputedStyle(element).opacity !== '1' || isFaded(element.parentElement))
    // Parts outside the screen that the browser skips would have no colours.
    const unskipped = new CSSStyleSheet()
    unskipped.replaceSync('* { content-visibility: visible !important }')
    document.adoptedStyleSheets.push(unskipped)
    // The browser styles them in the next frame.
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    const parents = new Set<Element>()
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { textContent, parentElement } = texts.currentNode
      if (parentElement && textContent?.trim()) parents.add(parentElement)
    }
    const undeclared = [...parents]
      .filter((element) => isShown(element) && !isExempt(element))
      .flatMap((element) => {
        const pair = `${getComputedStyle(element).color} on ${backgroundOf(element)}`
        if (pairs.includes(pair) && !isFaded(element)) return []
        return [`${pair}: ${element.textContent?.trim().slice(0, 40)}`]
      })
    document.adoptedStyleSheets.pop()
    return undeclared
  }, declared)
}
