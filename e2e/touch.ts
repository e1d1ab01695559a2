/** What a finger does on a touch screen. Playwright has only taps. */
import type { Locator, Page } from '@playwright/test'

interface Point {
  x: number
  y: number
}

/** The debugger of each page: a second one would have its own touches. */
const debuggers = new WeakMap<Page, ReturnType<ReturnType<Page['context']>['newCDPSession']>>()

async function touch(
  page: Page,
  type: 'touchStart' | 'touchMove' | 'touchEnd',
  points: Point[],
): Promise<void> {
  const session = debuggers.get(page) ?? page.context().newCDPSession(page)
  debuggers.set(page, session)
  await (await session).send('Input.dispatchTouchEvent', { type, touchPoints: points })
}

/** Moves a finger along points, ten steps from each to the next. */
export async function drag(page: Page, [first, ...others]: [Point, ...Point[]]): Promise<void> {
  await press(page, first)
  let from = first
  for (const to of others) {
    await move(page, from, to)
    from = to
  }
  await lift(page)
}

export const press = (page: Page, at: Point) => touch(page, 'touchStart', [at])

/** Moves the finger that is on the screen. */
export async function move(page: Page, from: Point, to: Point): Promise<void> {
  for (let step = 1; step <= 10; step++) {
    const at = (start: number, end: number) => start + ((end - start) * step) / 10
    await touch(page, 'touchMove', [{ x: at(from.x, to.x), y: at(from.y, to.y) }])
  }
}

export const lift = (page: Page) => touch(page, 'touchEnd', [])

/** Returns the middle of an element on the screen. */
export async function middleOf(target: Locator): Promise<Point> {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (box === null) throw new Error('The element is not shown.')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Swipes an element sideways by a number of pixels: positive to the right. */
export async function swipe(page: Page, target: Locator, pixels: number): Promise<void> {
  const { x, y } = await middleOf(target)
  await drag(page, [
    { x: x - pixels / 2, y },
    { x: x + pixels / 2, y },
  ])
}

/** Presses an element until `effect`, and takes the finger away. */
export async function hold(page: Page, target: Locator, effect: () => Promise<void>): Promise<void> {
  await press(page, await middleOf(target))
  await effect()
  await lift(page)
}
