/**
 * Checks every page on a large screen, on a phone and in dark colours: axe finds no violation, and no page scrolls sideways. With
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
    async ({ visitor, demo, colorScheme }, { project }) => {
      const page = await visitor(visit)
      await page.goto(demo.pathOf(visit))
      await page.waitForFunction(() => document.fonts.status === 'loaded')
      if (folder) {
        const name = titleOf(visit).replaceAll(/[^\w]+/g, '-')
        await page.screenshot({ path: join(folder, project.name, `${name}.png`), fullPage: true })
      }
      // The dark theme changes only colours.
      const violations = await violationsOf(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect({ violations, sideways }).toEqual({ violations: [], sideways: 0 })
    },
  )
