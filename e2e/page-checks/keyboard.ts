/** Presses the tab key through a page. */
import type { Page } from '@playwright/test'

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
export async function walk(page: Page): Promise<{ missed: string[]; unseen: string[] }> {
  const count = await page.evaluate((selector) => {
    const isClosed = (element: Element) => element.closest('details:not([open]) > :not(summary)') !== null
    const stops = [...document.querySelectorAll<HTMLElement>(selector)].filter(
      (element) =>
        element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }) && !isClosed(element),
    )
    const [reached, unseen] = [new Set<Element>(), new Set<Element>()]
    document.addEventListener('focusin', ({ target }) => {
      const element = target as Element
      reached.add(element)
      // A shadow is no focus: forced colours take it away.
      if (getComputedStyle(element).outlineStyle === 'none') unseen.add(element)
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
