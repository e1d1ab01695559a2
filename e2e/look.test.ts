/**
 * How every page looks, on a large screen, on a phone and in dark colours: axe finds nothing, and no page scrolls sideways. With
 * `BEAK_SCREENSHOTS=<folder>` each page is also saved as a picture, for people to look at.
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
      // Dark differs from light in colours only.
      const violations = await violationsOf(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect({ violations, sideways }).toEqual({ violations: [], sideways: 0 })
    },
  )
