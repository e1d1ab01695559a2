/** Every page of the documentation, as the server renders it, and the search. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderToReadableStream } from 'react-dom/server.edge'
import { afterEach, describe, expect, it } from 'vitest'
import { table } from '@/app/beak/_api/table'
import { inPageRequest } from '@/lib/fixtures/page-request'
import { openapiDocument } from '@/lib/http/openapi'
import { config, useConfig } from '@/lib/kernel/config'
import { errorCodes, failureNames } from '@/lib/kernel/request/failures'
import { version } from '@/lib/kernel/service/version'
import DocsTextPage from '../[...slug]/page'
import { groupsOf, type OpenapiDocument } from '../api/reference'
import { codesOf } from './blocks'
import { fillAddresses, readSections } from './pages'
import { search } from './search'

const sections = await readSections()
const pages = sections.flatMap((section) => section.pages)
const groups = groupsOf(openapiDocument(table, 'test') as unknown as OpenapiDocument)

async function render(slug: string): Promise<string> {
  const params = Promise.resolve({ slug: slug.split('/') })
  const { result } = await inPageRequest({}, async () => {
    const stream = await renderToReadableStream(await DocsTextPage({ params }))
    await stream.allReady
    return new Response(stream).text()
  })
  return result
}

const rendered = new Map(
  await Promise.all(pages.map(async ({ slug }) => [slug, await render(slug)] as const)),
)
const htmlOf = (slug: string) => rendered.get(slug) ?? ''

/** Returns the addresses of pages outside the documentation, without those that need an id. */
function otherPages(): string[] {
  return readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('/page.tsx'))
    .map((file) => `/${file.replace(/\/page\.tsx$/, '').replace(/\([^)]+\)\//g, '')}`)
}

const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)

/** Every address that a page may link to. */
const addresses = new Set([
  ...otherPages(),
  ...pages.map(({ slug }) => `/docs/${slug}`),
  ...pages.map(({ slug }) => `/docs/${slug}.md`),
  ...pages.flatMap(({ slug }) => idsOf(htmlOf(slug)).map((id) => `/docs/${slug}#${id}`)),
  ...[...Object.keys(errorCodes), ...failureNames].map((anchor) => `/docs/errors#${anchor}`),
  ...groups.flatMap(({ name, operations }) => [
    `/docs/api/${name}`,
    ...operations.map(({ id }) => `/docs/api/${name}#${id}`),
  ]),
])

describe('the pages', () => {
  it('are there for each kind of reader', () => {
    expect(sections.map(({ name, pages: all }) => [name, all.length > 2])).toEqual(
      ['people', 'agents', 'recipes', 'sites', 'hosts', 'concepts', 'reference', 'formats'].map((name) => [
        name,
        true,
      ]),
    )
  })

  it('have titles and leads that no other page has', () => {
    for (const field of ['title', 'lead', 'slug'] as const) {
      const values = pages.map((page) => page[field])
      expect(new Set(values).size).toBe(values.length)
      expect(values).not.toContain('')
    }
  })

  it.each(pages)('$slug has one heading of the first level, and no heading twice', ({ slug, title }) => {
    const html = htmlOf(slug)
    expect([...html.matchAll(/<h1[^>]*>(.*?)<\/h1>/g)].map(([, text]) => text)).toEqual([title])
    const ids = idsOf(html)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it.each(pages)('$slug links only to addresses that exist', ({ slug }) => {
    const links = [...htmlOf(slug).matchAll(/href="([/#][^"]*)"/g)].map(([, to = '']) => to)
    const full = links.map((to) => (to.startsWith('#') ? `/docs/${slug}${to}` : to))
    expect(full.length).toBeGreaterThan(20)
    expect(full.filter((to) => !addresses.has(to))).toEqual([])
  })

  it.each(pages)('$slug has highlighted code, without code that only the tests run', ({ slug, body }) => {
    const shown = codesOf(body).filter(({ flags }) => !flags.includes('hidden'))
    const blocks = [...htmlOf(slug).matchAll(/<pre[^>]*><code translate="no">(.*?)<\/code>/gs)].map(
      ([, html = '']) => html,
    )
    expect(blocks.length).toBe(shown.length)
    for (const [index, { language }] of shown.entries())
      if (language !== 'text') expect(blocks[index]).toContain('<span class="token-')
  })

  it.each(pages)('$slug offers the same languages for all code that comes in several', ({ slug, body }) => {
    const choices = new Set(
      [...htmlOf(slug).matchAll(/data-choice="(\w+)"/g)].map(([, language = '']) => language),
    )
    const counts = [...choices].map((choice) => htmlOf(slug).split(`data-choice="${choice}"`).length)
    expect(new Set(counts).size, body).toBeLessThanOrEqual(1)
  })
})

describe('search', () => {
  const first = async (query: string) => (await search(query, groups)).hits[0]?.href

  it('finds pages, parts of pages, error codes and operations', async () => {
    expect(await first('quickstart python')).toBe('/docs/agents/python')
    expect(await first('lost all passkeys')).toBe('/docs/people/lost-passkey#you-have-lost-all-passkeys')
    expect(await first('E4008')).toBe('/docs/errors#E4008')
    expect(await first('code_locked')).toBe('/docs/errors#E4004')
    expect(await first('peck/consume')).toMatch(/#post-beak-peck-consume$/)
  })

  it.each([
    ['webhook payload', /^\/docs\/webhook(s|-events)/],
    ['local development', /^\/docs\/agents\/test/],
    ['pagination', /^\/docs\/pagination$/],
    ['docker', /^\/docs\/hosts\//],
    ['sign in with google', /^\/docs\/people\/start#sign-in$/],
    ['openid connect', /^\/docs\/sites\/sign-in/],
    ['next-auth', /^\/docs\/sites\/sign-in#next-js-with-next-auth-4$/],
    ['where am i signed in', /^\/docs\/people\/signed-in/],
    ['X-Peck-Grant', /^\/docs\/sites\/require-permission/],
    ['rate limit', /^\/docs\/limits$/],
    ['login', /^\/docs\/people\/start#sign-in$/],
    ['test mode', /^\/docs\/agents\/test/],
    ['verify receipt offline', /^\/docs\/sites\/(verify|check-it-yourself)/],
    ['api key', /key/],
    ['2fa', /passkey|stay-safe|identity/],
    ['changelog', /^\/docs\/changelog$/],
  ])('finds a right page first for "%s"', async (query, page) => {
    expect(await first(query)).toMatch(page)
  })

  it.each([
    ['notifications', 'channels'],
    ['push iphone', 'channels'],
    ['quiet hours', 'channels'],
    ['delete account', 'close-account'],
    ['delete my account', 'close-account'],
    ['export my data', 'close-account'],
    ['lost phone', 'lost-phone'],
    ['new phone', 'lost-phone'],
    ['lost passkey', 'lost-passkey'],
    ['email changed', 'stay-safe'],
    ['lost my email', 'lost-mailbox'],
    ['chatgpt', 'connect'],
    ['claude', 'connect'],
    ['pause', 'rules'],
    ['pause everything', 'rules'],
    ['rule', 'rules'],
    ['spending limit', 'rules'],
    ['passkey', 'start'],
    ['sign up', 'start'],
    ['friend', 'friend'],
    ['invitation', 'friend'],
    ['refund', 'answer-requests'],
    ['approve', 'answer-requests'],
    ['risk', 'answer-requests'],
    ['undo', 'answer-requests'],
    ['certificate', 'certificate'],
    ['keyboard', 'many-requests'],
    ['hacked', 'stay-safe'],
    ['stolen account', 'stay-safe'],
    ['what is a receipt', 'words'],
  ])('finds the page for people first for "%s"', async (query, slug) => {
    expect((await first(query))?.replace(/#.*/, '')).toBe(`/docs/people/${slug}`)
  })

  it('finds words with a typing mistake and the beginnings of words', async () => {
    expect(await first('webhoks')).toMatch(/webhooks/)
    expect(await first('certif')).toMatch(/certificate/)
  })

  it('shows pages with some of the words, and says so, when no page has all', async () => {
    const found = await search('webhook zzyzx', groups)
    expect([found.some, found.hits[0]?.href]).toEqual([true, expect.stringMatching(/webhook/)])
    expect((await search('webhook secret', groups)).some).toBe(false)
  })

  it('shows the text around a word, and nothing for words that are nowhere', async () => {
    const { hits } = await search('handshake', groups)
    expect(hits[0]?.excerpt.toLowerCase()).toContain('handshake')
    expect(await search('zzyzx', groups)).toEqual({ hits: [], some: false })
  })

  it('shows nothing for an empty query and for one that is too long', async () => {
    for (const query of ['', '  ', 'webhook '.repeat(20), 'constructor __proto__ '.repeat(9)])
      expect(await search(query, groups)).toEqual({ hits: [], some: false })
  })

  it('answers the words of a program in the same way as others', async () => {
    for (const query of ['constructor', '__proto__ toString', '"><script>', '((((', '*', '\\'])
      expect((await search(query, groups)).hits.length).toBeLessThanOrEqual(20)
  })
})

describe('addresses', () => {
  const before = config()
  afterEach(() => useConfig(before))

  const text = `\`\`\`sh
npm install https://beak.example/clients/beak-client-{{version}}.tgz
pip install "beak-client[verify] @ https://beak.example/clients/beak_client-{{version}}-py3-none-any.whl"
npx https://beak.example/clients/beak-dev-{{version}}.tgz --json
curl https://beak.example/beak/metrics
\`\`\``

  const at = (baseUrl: string) => {
    useConfig({ baseUrl })
    return fillAddresses(text)
  }

  describe('fillAddresses', () => {
    it('writes the address and the version of this service', () => {
      expect(at('https://beak.test/prod')).toContain(
        `npm install https://beak.test/prod/clients/beak-client-${version}.tgz\n`,
      )
    })

    it.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
      'installs over plain http from this computer: %s',
      (baseUrl) => expect(at(baseUrl)).toContain(`npx ${baseUrl}/clients/beak-dev-${version}.tgz`),
    )

    // security: supply-6
    it.each(['http://beak.test', 'http://10.0.0.7:3000', 'http://localhost.evil.test'])(
      'says why there is no command for an address that others can change on the way: %s',
      (baseUrl) => {
        const filled = at(baseUrl)
        expect(filled).not.toMatch(/install|npx/)
        expect(filled.match(/^# Commands are not shown, because/gm)).toHaveLength(3)
        expect(filled).toContain(`curl ${baseUrl}/beak/metrics`)
      },
    )
  })

  it('has every command that installs a package in code, where a comment can replace it', () => {
    const root = join(process.cwd(), 'docs', 'pages')
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.md'),
    )
    const isCommand = (line: string) => /(install|npx|add) .*beak\.example\/clients\//.test(line)
    for (const file of files) {
      const body = readFileSync(join(root, file), 'utf8')
      const inCode = codesOf(body)
        .filter(({ language }) => language === 'sh')
        .flatMap((code) => code.text.split('\n'))
      expect(body.split('\n').filter(isCommand), file).toEqual(inCode.filter(isCommand))
    }
  })
})
