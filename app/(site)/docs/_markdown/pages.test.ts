/** The Markdown versions of the pages below /docs, and /llms.txt. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { GET as getMarkdown } from '@/app/api/docs/[[...path]]/route'
import { table } from '@/app/beak/_api/table'
import { GET as getLlms } from '@/app/llms.txt/route'
import { GET as getFullText } from '@/app/llms-full.txt/route'
import { inPageRequest } from '@/lib/fixtures/page-request'
import { openapiDocument } from '@/lib/http/openapi'
import { config, useConfig } from '@/lib/kernel/config'
import { failureTable } from '@/lib/kernel/request/failures'
import nextConfig from '@/next.config.mjs'
import { readSections } from '../_content/pages'
import { readPublished } from '../_content/published'
import { groupHeads } from '../api/reference'
import { readMarkdownPages } from './pages'

const folder = join(process.cwd(), 'app/(site)/docs')

/** The address of every page below /docs. */
const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(^|\/)page\.(tsx|mdx?)$/.test(file))
  .map((file) => `/docs/${file}`.replace(/\/page\.\w+$/, ''))
  .flatMap((path) =>
    path.includes('[group]') ? groupHeads().map(({ name }) => path.replace('[group]', name)) : [path],
  )
  // The results of a search and the form of an operation are no pages to read, and the pages of docs/pages are listed by their files.
  .filter((path) => path !== '/docs/search' && path !== '/docs/try' && !path.includes('[...slug]'))

const written = (await readSections()).flatMap((section) => section.pages.map(({ slug }) => `/docs/${slug}`))
const markdownPages = await readMarkdownPages()

/** They say that a command is in the source: to make test vectors, run a witness, or compare a package with the log. */
const pagesWithCommands = new Set([
  '/docs/sites/check-it-yourself',
  ...(await readPublished()).map(({ slug }) => `/docs/${slug}`),
])

async function read(path: string): Promise<Response> {
  const params = Promise.resolve({ path: path.split('/').slice(2) })
  const { result } = await inPageRequest({}, () => getMarkdown(new Request('http://localhost'), { params }))
  return result
}

describe('the Markdown version', () => {
  it('exists for every page below /docs', () => {
    expect(pages.length).toBeGreaterThan(8)
    expect(markdownPages.map(({ path }) => path)).toEqual(expect.arrayContaining([...pages, ...written]))
  })

  it.each(markdownPages)(
    'of $path begins with its title and links only to Markdown that exists',
    async ({ path, title }) => {
      const response = await read(path)
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/markdown; charset=utf-8',
      ])
      const text = await response.text()
      expect(text.split('\n', 1)).toEqual([`# ${title}`])
      expect(text).not.toMatch(/`undefined`|undefined\n|\[object|https:\/\/beak\.example\b/)
      const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, to = '']) => to.replace(/#.*/, ''))
      for (const to of links.filter((each) => each.startsWith(`${config().baseUrl}/docs`)))
        expect(markdownPages.map((page) => `${config().baseUrl}${page.path}.md`)).toContain(to)
    },
  )

  it('has the fields, errors and examples of an operation', async () => {
    const text = await (await read('/docs/api/pecks')).text()
    expect(text).toContain('`POST /beak/peck/request`')
    expect(text).toContain(
      '- `target_duckling_id` (text): Instead of `target`: an id, `@` and a handle, or `to` of POST /beak/spaceducks/find.',
    )
    expect(text).toContain('- 429 `E4004` `too_many_pending_pecks` Too many requests from you')
    expect(text).toContain("curl 'http://localhost:3000/beak/peck/request'")
    expect(text).toContain('await beak.requestPeck({')
    expect(text).toContain('Python: `beak.request_peck(…)`')
  })

  it('is 404 for an unknown page', async () => {
    for (const path of ['/docs/nothing', '/docs/api/constructor', '/docs/errors/x'])
      expect((await read(path)).status).toBe(404)
  })

  it('is at the address of the page with .md', async () => {
    const rewrites = await nextConfig.rewrites?.()
    expect(Array.isArray(rewrites) ? [] : rewrites?.afterFiles).toEqual(
      expect.arrayContaining([
        { source: '/docs.md', destination: '/api/docs' },
        { source: '/docs/:path(.+)\\.md', destination: '/api/docs/:path' },
      ]),
    )
  })
})

describe('/llms.txt', () => {
  it('has the form of llmstxt.org and lists every Markdown version, below the path of BASE_URL', async () => {
    const before = config()
    useConfig({ baseUrl: 'https://example.org/prod', basePath: '/prod' })
    try {
      const text = await (await getLlms()).text()
      expect(text).toMatch(/^# Beak\n\n> .+\n\n/)
      expect(text).not.toContain('localhost')
      const listed = [...text.matchAll(/^- \[.+\]\(https:\/\/example\.org\/prod(\S+)\.md\): .+$/gm)]
      expect(listed.map(([, path]) => path)).toEqual(markdownPages.map(({ path }) => path))
    } finally {
      useConfig(before)
    }
  })
})

describe('/llms-full.txt', () => {
  it('has the text of every guide with its address, and says where the rest is', async () => {
    const response = await getFullText()
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const text = await response.text()
    const missing = markdownPages.filter(
      ({ path }) => !text.includes(`<!-- ${config().baseUrl}${path} -->`) && !text.includes(`${path}.md`),
    )
    expect(missing.map(({ path }) => path).filter((path) => !path.startsWith('/docs/api/'))).toEqual([])
    expect(text).toContain('# Pagination\n')
    expect(text.length).toBeLessThan(474_000)
  })
})

describe('served texts', () => {
  const file = /(?<![\w/.])(?:docs\/[\w/-]+\.md|examples\/\w+)/g
  const command = /npm run [\w:]+/g
  /** Their readers have the source: hosts, and people who follow how it changed. The accidents name files of others. */
  const isForHosts = (path: string) => /^\/docs\/(hosts\/|changelog$|release-|incidents$)/.test(path)

  it.each(markdownPages.filter(({ path }) => !isForHosts(path)))(
    'on $path name no file of the source, and commands only where readers have it',
    async ({ path }) => {
      const text = await (await read(path)).text()
      expect(text.match(file)).toBeNull()
      if (!pagesWithCommands.has(path)) expect(text.match(command)).toBeNull()
    },
  )

  it('of the API name no file of the source, and no command in it', () => {
    const texts = JSON.stringify([openapiDocument(table, 'test'), failureTable])
    expect([...(texts.match(file) ?? []), ...(texts.match(command) ?? [])]).toEqual([])
  })
})
