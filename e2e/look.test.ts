/**
 * Checks every page on a large screen and on a phone, in light and in dark colours: axe finds no violation, and no page scrolls sideways. With
 * `BEAK_SCREENSHOTS=<folder>` it also saves a screenshot of each page.
 */
import { join } from 'node:path'
import { violationsOf } from './browser'
import { expect, test } from './demo'
import { titleOf, visits } from './visits'

// Two workers share the visits.
test.describe.configure({ mode: 'parallel' })

const { BEAK_SCREENSHOTS: folder } = process.env

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
      const violations = await violationsOf(page)
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      await page.emulateMedia({ colorScheme: 'dark' })
      // An open page can keep colours of the light theme in parts that are not on the screen.
      await page.reload()
      await loaded()
      await screenshot(`${project.name}-dark`)
      // The dark theme changes only colours.
      const darkViolations = await violationsOf(page, ['color-contrast'])
      expect({ violations, darkViolations, sideways }).toEqual({
        violations: [],
        darkViolations: [],
        sideways: 0,
      })
    },
  )
