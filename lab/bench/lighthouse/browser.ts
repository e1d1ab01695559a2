/** Runs Lighthouse in a Chromium. Lighthouse is not a dependency, so `run.mjs` says where it is, and these are the parts of its types that we use. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

interface Page {
  evaluateOnNewDocument(script: string): Promise<unknown>
}

interface Context {
  setCookie(...cookies: { name: string; value: string; domain: string; path: string }[]): Promise<void>
  newPage(): Promise<Page>
  close(): Promise<void>
}

interface Browser {
  createBrowserContext(): Promise<Context>
  close(): Promise<void>
}

interface Puppeteer {
  launch(options: { executablePath: string; headless: 'shell'; args: string[] }): Promise<Browser>
}

interface Audit {
  id: string
  score: number | null
  numericValue?: number
  title: string
}

interface Report {
  finalDisplayedUrl: string
  environment: { benchmarkIndex: number }
  runtimeError?: { message: string }
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, Audit>
}

type Lighthouse = (
  url: string,
  flags: { disableStorageReset: boolean; logLevel: 'error' },
  config: undefined,
  page: Page,
) => Promise<{ lhr: Report } | undefined>

export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
export type Category = (typeof categories)[number]

export interface Measured {
  /** How fast this machine was just then, in Lighthouse's own unit: its scores are made for about 1,500. */
  machine: number
  scores: Record<Category, number>
  /** Whether the page asks search engines to leave it out. */
  isHidden: boolean
  /** Milliseconds. */
  paint: number
  /** Milliseconds. */
  blocked: number
  shift: number
  /** The titles of what lost points. */
  faults: string[]
}

/** The live stream never lets the network rest, so Lighthouse would wait for it until its time is over. */
const withoutStream = 'if (navigator.locks) navigator.locks.request = () => new Promise(() => undefined)'

const load = async <T>(path: string): Promise<T> =>
  import(pathToFileURL(join(process.env.LIGHTHOUSE_FOLDER ?? '', 'node_modules', path)).href)

function read({ environment, categories: groups, audits }: Report): Measured {
  const value = (id: string) => audits[id]?.numericValue ?? 0
  const score = (name: Category) => Math.round((groups[name]?.score ?? 0) * 100)
  return {
    machine: environment.benchmarkIndex,
    scores: Object.fromEntries(categories.map((name) => [name, score(name)])) as Record<Category, number>,
    isHidden: audits['is-crawlable']?.score === 0,
    paint: value('largest-contentful-paint'),
    blocked: value('total-blocking-time'),
    shift: value('cumulative-layout-shift'),
    faults: categories
      .filter((name) => name !== 'performance')
      .flatMap((name) => groups[name]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => audits[id]?.title ?? id),
  }
}

/** Starts a browser. Each measurement has a profile of its own, so nothing is cached. */
export async function startBrowser() {
  const { default: puppeteer } = await load<{ default: Puppeteer }>(
    'puppeteer-core/lib/esm/puppeteer/puppeteer-core.js',
  )
  const { default: lighthouse } = await load<{ default: Lighthouse }>('lighthouse/core/index.js')
  const browser = await puppeteer.launch({
    executablePath: process.env.BEAK_BROWSER ?? '',
    headless: 'shell',
    args: ['--no-sandbox'],
  })
  async function measure(url: string, cookies: string[]): Promise<Measured> {
    const context = await browser.createBrowserContext()
    for (const cookie of cookies) {
      const [name = '', value = ''] = cookie.split('=')
      await context.setCookie({ name, value, domain: new URL(url).hostname, path: '/' })
    }
    const page = await context.newPage()
    await page.evaluateOnNewDocument(withoutStream)
    const result = await lighthouse(url, { disableStorageReset: true, logLevel: 'error' }, undefined, page)
    await context.close()
    if (result === undefined || result.lhr.runtimeError)
      throw new Error(`${url}: ${result?.lhr.runtimeError?.message ?? 'no report'}`)
    if (result.lhr.finalDisplayedUrl.split('#')[0] !== url)
      throw new Error(`${url} led to ${result.lhr.finalDisplayedUrl}`)
    return read(result.lhr)
  }
  return { measure, close: () => browser.close() }
}
