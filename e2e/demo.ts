/** Tests that visit the pages of the demo world: people at every tier, certificates, agents and pecks in every state. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { DemoWorld } from './demo-world'
import { test as base, expect } from './fixtures'
import { serviceEnv } from './server'
import type { Visit } from './visits'

interface Demo extends DemoWorld {
  /** Returns the path of a visit with the ids of this world. */
  pathOf: (visit: Visit) => string
  /** Returns the cookies of a visit, as name and value. */
  cookiesOf: (visit: Visit) => [name: string, value: string][]
}

/** Returns the world of this test run. The first worker that needs it starts it. Playwright empties `outputDir` before each run. */
async function findWorld(outputDir: string): Promise<DemoWorld> {
  // All workers have the runner as their parent.
  const folder = join(outputDir, `demo-world-${process.ppid}`)
  const file = join(folder, 'world.json')
  if (mkdirSync(folder, { recursive: true }) !== undefined)
    spawn(process.execPath, ['--import', 'tsx', 'e2e/demo-world.ts', String(process.ppid), file], {
      detached: true,
      stdio: 'ignore',
      env: serviceEnv({}),
    }).unref()
  await expect.poll(() => existsSync(file), { timeout: 110_000, intervals: [100] }).toBe(true)
  const world = JSON.parse(readFileSync(file, 'utf8'))
  if (world.error) throw new Error(`the demo world did not start: ${world.error}`)
  return world
}

export const test = base.extend<{ visitor: (visit: Visit) => Promise<Page> }, { demo: Demo }>({
  demo: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use, { project }) => {
      const world = await findWorld(project.outputDir)
      await use({
        ...world,
        pathOf: ({ path }) => path.replace(/:([a-z]+)/g, (_, name) => world.ids[name] ?? `no ${name}`),
        cookiesOf: ({ as, outbox }) => [
          ...(as ? [['beak.session', world.tokens[as] ?? ''] as [string, string]] : []),
          ...(outbox ? [world.outboxCookie.split('=') as [string, string]] : []),
        ],
      })
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ demo }, use) => use(demo.url),
  /** Opens a page for a visit, without going there yet. */
  visitor: async ({ context, demo, complaints }, use) =>
    use(async (visit) => {
      for (const [name, value] of demo.cookiesOf(visit))
        await context.addCookies([{ name, value, url: demo.url }])
      // The browser reports an error status of the page itself.
      if (visit.status) complaints.expect(new RegExp(`status of ${visit.status}`))
      return context.newPage()
    }),
})

export { expect }
