/** Tests that visit the pages of the demo world: people at every tier, certificates, agents and pecks in every state. */
import type { Page } from '@playwright/test'
import { test as base, expect } from './fixtures'
import type { Visit } from './visits'

interface Demo {
  url: string
  /** Returns the path of a visit with the ids of this world. */
  pathOf: (visit: Visit) => string
  /** Returns the cookies of a visit, as name and value. */
  cookiesOf: (visit: Visit) => [name: string, value: string][]
}

export const test = base.extend<{ demo: Demo; visitor: (visit: Visit) => Promise<Page> }>({
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
