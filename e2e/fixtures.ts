/** What tests of the running service start with: a server, a person, pages whose console is watched. */
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  ConsoleMessage,
  Page,
  WebError,
} from '@playwright/test'
import { type Passkeys, signInAs, withAuthenticator } from './browser'
import type { DemoWorld } from './demo-people'
import { changePages } from './foreign-changes'
import { test as base, expect } from './own-server'
import { type Agent, aBondedAgent, aPerson, type Person, type Session } from './people'
import { type Server, send } from './server'
import { sharedServer } from './shared-server'

/** The errors of all pages of a test: from the console, uncaught, or a blocked script. A test fails with those it did not expect. */
export class Complaints {
  readonly #all: string[] = []
  readonly #expected: RegExp[] = []

  /** Watches every page of a browser context. Returns the function that ends it. */
  watch(context: BrowserContext): () => void {
    const onMessage = (message: ConsoleMessage) => {
      if (message.type() === 'error') this.#all.push(`${message.text()} at ${message.location().url}`)
    }
    const onError = (error: WebError) => void this.#all.push(String(error.error()))
    context.on('console', onMessage).on('weberror', onError)
    return () => context.off('console', onMessage).off('weberror', onError)
  }

  /** Allows errors that the test causes on purpose. */
  expect(text: RegExp): void {
    this.#expected.push(text)
  }

  unexpected(): string[] {
    return this.#all.filter((text) => !this.#expected.some((expected) => expected.test(text)))
  }
}

const nudgeMs = 4_000

/**
 * Gives all pages of a browser a reason to draw, every few seconds. Returns the function that ends it. On some machines, once in some thousand
 * pages, Chromium without a window stops drawing a page, with no work left on its threads, until somebody talks to it. Few pages live long
 * enough for a nudge.
 */
function keepAwake(browser: Browser): () => void {
  const sessions = new WeakMap<Page, Promise<CDPSession>>()
  const sessionOf = (page: Page) => {
    // Never detached: that would take the authenticator for passkeys away from the page.
    const session = sessions.get(page) ?? page.context().newCDPSession(page)
    sessions.set(page, session)
    return session
  }
  const nudge = async (page: Page) => {
    const session = await sessionOf(page)
    await session.send('Runtime.evaluate', { expression: 'requestAnimationFrame(() => {})' })
  }
  const timer = setInterval(() => {
    // A page can close in the meantime.
    for (const page of browser.contexts().flatMap((context) => context.pages())) nudge(page).catch(() => {})
  }, nudgeMs)
  return () => clearInterval(timer)
}

interface PageOptions extends BrowserContextOptions {
  /** Who is signed in; nobody unless said. */
  as?: Session
}

interface TestFixtures {
  /** Whether a translator and an extension change all pages (playwright.config.ts). */
  changesPages: boolean
  complaints: Complaints
  /** Opens a page in a browser context of its own. */
  newPage: (options?: PageOptions) => Promise<Page>
  /** Somebody with a verified address. */
  person: Person
  /** The page of that person, signed in. */
  ownPage: Page
  /** The authenticator for passkeys of `page` and `ownPage`. */
  passkeys: Passkeys
  /** Sends a request of the agent to the person. Returns the id of the peck. */
  ask: (action: string, params?: object, change?: object) => Promise<string>
  /** Returns what the agent sees of a peck. Waits up to that many seconds for an answer. */
  seenBy: (peckId: string, wait?: number) => Promise<Record<string, string>>
  statusOf: (peckId: string) => Promise<string | undefined>
}

/** All of them stand here: Playwright would start new workers for a file with fixtures of its own for workers. */
interface WorkerFixtures {
  /** The server that all tests share. People of other tests are there, too. */
  server: Server
  demoWorld: DemoWorld & { server: Server }
  /** A copy of the service, built for a path and with a second language (e2e/built-copy.ts). */
  builtCopy: DemoWorld & { server: Server }
  /** The tab of each visitor of the demo world, by the cookies (e2e/demo.ts). */
  demoTabs: Map<string, Page>
  /** Teal, the owner of the agent. */
  asker: Person
  /** An agent that asks. */
  scout: Agent
  /** A person with 55 changes of the profile, a certificate and a refused second one: more events than fit on a page. */
  busyPerson: Person
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  browser: [
    async ({ browser }, use) => {
      const end = keepAwake(browser)
      await use(browser)
      end()
    },
    { scope: 'worker' },
  ],
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use, { project }) => use((await sharedServer('common-server', project.outputDir)).server),
    { scope: 'worker', timeout: 120_000 },
  ],
  demoWorld: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use, { project }) => use(await sharedServer<DemoWorld>('demo-world', project.outputDir)),
    { scope: 'worker', timeout: 120_000 },
  ],
  builtCopy: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use, { project }) => use(await sharedServer<DemoWorld>('built-copy', project.outputDir, 600)),
    { scope: 'worker', timeout: 620_000 },
  ],
  demoTabs: [
    async ({ browser: _ }, use) => {
      const pages = new Map<string, Page>()
      await use(pages)
      for (const page of pages.values()) await page.context().close()
    },
    { scope: 'worker' },
  ],
  asker: [async ({ server }, use) => use(await aPerson(server, 'Teal')), { scope: 'worker' }],
  scout: [async ({ server, asker }, use) => use(await aBondedAgent(server, asker)), { scope: 'worker' }],
  busyPerson: [
    async ({ server }, use) => {
      const person = await aPerson(server, 'Mallard')
      const call = (line: string, body = {}) => send(server, line, { token: person.token, body })
      await call('POST /beak/cert/issue')
      await call('POST /beak/cert/issue')
      const turns = Array.from({ length: 55 }, (_, turn) =>
        call('POST /beak/profile/update', { bio: `turn ${turn}` }),
      )
      await Promise.all(turns)
      await use(person)
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  changesPages: [false, { option: true }],
  complaints: async ({ browserName: _ }, use) => {
    const complaints = new Complaints()
    await use(complaints)
    expect(complaints.unexpected()).toEqual([])
  },
  context: async ({ context, complaints, changesPages }, use) => {
    complaints.watch(context)
    if (changesPages) {
      await changePages(context)
      // A shown mail runs no scripts, and not the scripts of this fixture either.
      complaints.expect(/Blocked script execution in 'about:srcdoc'/)
    }
    await use(context)
  },
  newPage: async ({ browser, server, complaints, changesPages }, use) => {
    const contexts: BrowserContext[] = []
    await use(async ({ as, ...options } = {}) => {
      const context = await browser.newContext(options)
      contexts.push(context)
      complaints.watch(context)
      if (changesPages) await changePages(context)
      if (as) await signInAs(context, server, as)
      return context.newPage()
    })
    for (const context of contexts) await context.close()
  },
  person: async ({ server }, use) => use(await aPerson(server, 'Mallard')),
  ownPage: async ({ page, context, server, person }, use) => {
    await signInAs(context, server, person)
    await use(page)
  },
  passkeys: async ({ page }, use) => use(await withAuthenticator(page)),
  ask: async ({ server, scout, person }, use) =>
    use(async (action, params = {}, change = {}) => {
      const { status, body } = await send(server, 'POST /beak/peck/request', {
        key: scout.key,
        body: { target_duckling_id: person.id, action, scope: 'limited', params, ...change },
      })
      if (status !== 200) throw new Error(JSON.stringify(body))
      return body.peck_id
    }),
  seenBy: async ({ server, scout }, use) =>
    use(async (peckId, wait = 0) => {
      const line = `GET /beak/peck/status?peck_id=${peckId}&wait=${wait}`
      return (await send(server, line, { key: scout.key })).body
    }),
  statusOf: async ({ seenBy }, use) => use(async (peckId) => (await seenBy(peckId)).status),
})

export { expect }
