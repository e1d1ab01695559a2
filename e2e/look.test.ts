/**
 * Checks every page on a large screen and on a phone: axe finds no violation, and no page scrolls sideways. The contrast of light and dark
 * colours is checked on the large screen. With `BEAK_SCREENSHOTS=<folder>` it also saves a screenshot of each page.
 */
import { join } from 'node:path'
import { violationsOf } from './browser'
import { expect, test } from './demo'
import { titleOf, visits } from './visits'

// Two workers share the visits.
test.describe.configure({ mode: 'parallel' })

const { BEAK_SCREENSHOTS: folder } = process.env

const contrast = 'color-contrast'

/**
 * The visits that check the contrast on a phone: one for each frame of pages. The colours of a page do not depend on its width, and this
 * rule takes most of the time.
 */
const colouredOnPhone = ['/', '/docs', '/home']

for (const visit of visits)
  test(
    `${titleOf(visit)} is accessible and fits the screen`,
    { tag: '@look' },
    async ({ visitor, demo }, { project }) => {
      const page = await visitor(visit)
      const screenshot = async (look: string) => {
        if (!folder) return
        const name = titleOf(visit).replaceAll(/[^\w]+/g, '-')
        await page.screenshot({ path: join(folder, look, `${name}.png`), fullPage: true })
      }
      const loaded = () => page.waitForFunction(() => document.fonts.status === 'loaded')
      await page.goto(demo.pathOf(visit))
      await loaded()
      await screenshot(project.name)
      const isColoured = project.name !== 'phone' || colouredOnPhone.includes(visit.path)
      const violations = await violationsOf(page, { without: isColoured ? [] : [contrast] })
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      const darkViolations: string[] = []
      if (isColoured || folder) {
        await page.emulateMedia({ colorScheme: 'dark' })
        // An open page can keep colours of the light theme in parts that are not on the screen.
        await page.reload()
        await loaded()
        await screenshot(`${project.name}-dark`)
        // The dark theme changes only colours.
        darkViolations.push(...(await violationsOf(page, { only: [contrast] })))
      }
      expect({ violations, darkViolations, sideways }).toEqual({
        violations: [],
        darkViolations: [],
        sideways: 0,
      })
    },
  )
