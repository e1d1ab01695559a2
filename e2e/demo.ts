/** Fixtures for tests that visit pages with the demo data: people at every tier, certificates, agents and pecks in every state. */
import { execFileSync } from 'node:child_process'
import type { BrowserContextOptions, Page } from '@playwright/test'
import { freePort } from '@/lib/fixtures/free-port'
import { test as base } from './fixtures'
import { codeAfter, outboxCookieOf } from './outbox'
import { newDataDir, type RunningServer, send, serviceEnv, startServer } from './server'
import type { Visit } from './visits'

interface Demo {
  /** Session tokens by name. */
  tokens: Map<string, string>
  outboxCookie: string
  /** Returns the path of a visit with the ids of the demo data. */
  pathOf: (visit: Visit) => string
  /** Returns the cookies of a visit, as a request sends them. */
  cookiesOf: (visit: Visit) => string
}

async function signIn(server: RunningServer, name: string): Promise<string> {
  const email = `${name}@pond.example`
  const otp = await codeAfter(server, email, () => send(server, 'POST /beak/signin/otp', { body: { email } }))
  return (await send(server, 'POST /beak/signin', { body: { email, otp } })).body.token
}

/** Finds the ids in the addresses of pages, by the names that the visits use. */
async function findIds(server: RunningServer, tokens: Map<string, string>): Promise<Map<string, string>> {
  const get = async (path: string, name = 'mallard') =>
    (await send(server, `GET /beak/${path}`, { token: tokens.get(name) ?? '' })).body
  const pecks = (await get('peck/history?limit=100')).items
  const peckWith = (status: string) =>
    pecks.find((peck: { status: string }) => peck.status === status).peck_id
  return new Map([
    ['cert', (await get('cert/view')).cert_id],
    ['revoked', (await get('cert/view', 'pintail')).cert_id],
    ['agent', (await get('agent/list')).items[0].agent_id],
    ['webhook', (await get('webhook/list')).items[0].webhook_id],
    ['pending', peckWith('pending')],
    ['approved', peckWith('approved')],
    ['rejected', peckWith('rejected')],
  ])
}

export const test = base.extend<
  { visitor: (visit: Visit, options?: BrowserContextOptions) => Promise<Page> },
  { demo: Demo }
>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const [port, dataDir] = [await freePort(), newDataDir()]
      execFileSync(process.execPath, ['scripts/run.mjs', 'operator.ts', 'seed'], {
        env: serviceEnv({ DATA_DIR: dataDir, PORT: String(port) }),
        stdio: 'ignore',
      })
      const server = await startServer({ port, dataDir })
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  demo: [
    async ({ server }, use) => {
      const outboxCookie = await outboxCookieOf(server)
      const tokens = new Map<string, string>()
      for (const name of ['mallard', 'eider', 'pintail', 'newcomer', 'gadwall'])
        tokens.set(name, await signIn(server, name))
      const ids = await findIds(server, tokens)
      await use({
        tokens,
        outboxCookie,
        pathOf: ({ path }) => path.replace(/:([a-z]+)/g, (_, name) => ids.get(name) ?? `no ${name}`),
        cookiesOf: ({ as, outbox }) =>
          [...(as ? [`beak.session=${tokens.get(as)}`] : []), ...(outbox ? [outboxCookie] : [])].join('; '),
      })
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  /** Opens a page for a visit, without going there yet. */
  visitor: async ({ context, demo, server, complaints }, use) =>
    use(async (visit) => {
      for (const cookie of demo.cookiesOf(visit).split('; ').filter(Boolean)) {
        const [name = '', value = ''] = cookie.split('=')
        await context.addCookies([{ name, value, url: server.url }])
      }
      // The browser reports an error status of the page itself.
      if (visit.status) complaints.expect(new RegExp(`status of ${visit.status}`))
      return context.newPage()
    }),
})

export { expect } from './fixtures'
