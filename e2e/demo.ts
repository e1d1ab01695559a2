/** Tests that visit the pages of the demo world: people at every tier, certificates, agents and pecks in every state. */
import type { Page } from '@playwright/test'
import { test as base, type Complaints, expect } from './fixtures'
import { recordShifts } from './page-checks/loading'
import type { Visit } from './visits'

interface Demo {
  url: string
  /** Returns the path of a visit with the ids of this world. */
  pathOf: (visit: Visit) => string
  /** Returns the cookies of a visit, as name and value. */
  cookiesOf: (visit: Visit) => [name: string, value: string][]
}

interface Visitors {
  demo: Demo
  /** Opens a page for a visit in a browser context of its own, without going there yet. */
  visitor: (visit: Visit) => Promise<Page>
  /**
   * Returns the tab of a visitor, which records shifts. All tests of a worker share it: to load and compile the same scripts again in a new
   * browser context takes longer than most checks of a page.
   */
  tabOf: (visit: Visit) => Promise<Page>
}

export const test = base.extend<Visitors>({
  demo: async ({ demoWorld }, use) => {
    const { server, tokens, outboxCookie, ids } = demoWorld
    await use({
      url: server.url,
      pathOf: ({ path }) => path.replace(/:([a-z]+)/g, (_, name) => ids[name] ?? `no ${name}`),
      cookiesOf: ({ as, outbox }) => [
        ...(as ? [['beak.session', tokens[as] ?? ''] as [string, string]] : []),
        ...(outbox ? [outboxCookie.split('=') as [string, string]] : []),
      ],
    })
  },
  baseURL: async ({ demo }, use) => use(demo.url),
  visitor: async ({ context, demo, complaints }, use) =>
    use(async (visit) => {
      for (const [name, value] of demo.cookiesOf(visit))
        await context.addCookies([{ name, value, url: demo.url }])
      expectStatus(complaints, visit)
      const page = await context.newPage()
      await recordShifts(page)
      return page
    }),
  tabOf: async ({ browser, demo, demoTabs, complaints }, use) => {
    const endings: (() => void)[] = []
    await use(async (visit) => {
      const cookies = demo.cookiesOf(visit)
      const key = JSON.stringify(cookies)
      let page = demoTabs.get(key)
      if (page === undefined) {
        page = await (await browser.newContext()).newPage()
        await recordShifts(page)
        demoTabs.set(key, page)
      }
      const context = page.context()
      endings.push(complaints.watch(context))
      // An earlier visit may have changed them.
      await context.clearCookies()
      await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: demo.url })))
      expectStatus(complaints, visit)
      return page
    })
    for (const end of endings) end()
  },
})

/** The browser reports an error status of the page itself. */
function expectStatus(complaints: Complaints, { status }: Visit): void {
  if (status) complaints.expect(new RegExp(`status of ${status}`))
}

export { expect }
