/**
 * Every page in a second language: the English sentences in brackets, in tables beside the English ones. A host adds a language in the same way.
 * Text outside of the brackets comes from no table, so it would stay English in every language.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { findTables } from '@/scripts/messages/tables.mjs'
import { open } from './browser'
import { type DemoWorld, startDemoWorld } from './demo-people'
import { test as base, expect } from './fixtures'
import { demoNames } from './page-checks/translatable'
import type { RunningServer } from './server'
import { titleOf, type Visit, visits } from './visits'

/** Copies what Git has, adds the second language, and builds the service. Outside of this folder, whose ignored files no stylesheet would read. */
function buildWithSecondLanguage(): string {
  const root = process.cwd()
  const folder = mkdtempSync(join(tmpdir(), 'beak-second-language-'))
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(Boolean)
  for (const file of files) cpSync(join(root, file), join(folder, file))
  // Links to the same files, where both folders are on one disk.
  const from = join(root, 'node_modules')
  if (spawnSync('cp', ['-al', from, folder]).status !== 0) execFileSync('cp', ['-a', from, folder])
  for (const { path } of findTables(folder)) {
    const english: Record<string, string> = JSON.parse(readFileSync(join(folder, path), 'utf8'))
    const second = Object.entries(english).map(([name, text]) => [name, `⟦${text}⟧`])
    writeFileSync(
      join(folder, path.replace('.en.json', '.de.json')),
      JSON.stringify(Object.fromEntries(second)),
    )
  }
  const build =
    "const { buildService, generate } = await import('./scripts/prepare.mjs'); await generate(); await buildService()"
  execFileSync(process.execPath, ['--input-type=module', '--eval', build], { cwd: folder })
  return folder
}

const test = base.extend<object, { world: DemoWorld & { server: RunningServer } }>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const folder = buildWithSecondLanguage()
      const world = await startDemoWorld({ folder })
      await use(world)
      await world.server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
    // The first start builds the pages.
    { scope: 'worker', timeout: 900_000 },
  ],
  locale: 'de',
})

/** Names of programs, services and formats, which are the same in every language. */
const names =
  'Beak|Claude Code|Codex|Cursor|Discord|HTML|Matrix|Mattermost|Python|Slack|Telegram|TypeScript|UTC|curl|npm|npx|pip|pnpm|uv'

/** Names of members and types of the API, which a page shows as they are. */
const codes =
  'action|amount|amr|announces|asker|assistant|beak|capabilities|channel|details|fields|from|handle|host|kind|kinds|mallard|purpose|scope|supersedes|tier|to|uses|values'

/** One or several codes, addresses or names of files, with a number beside them. A sign at the end of a word ends a sentence, so it is none. */
const coded = String.raw`(?:@\w+|\S*[^\s:_.@/][:_.@/]+[^\s:_.@/,]\S*)`

/** What people of the demo world have written. */
const written = 'I want a new one after my holidays\\.'

/** What is the same in every language. */
const data = `^(?:${coded}(?:, ${coded})*(?: \\(\\d+\\))?|SHA-256|${[names, codes, demoNames, written].join('|')})$`

/** Returns the texts of a page, and the attributes that are read aloud, that are in no brackets and have words of a language. */
const textsOutside = (page: Page): Promise<string[]> =>
  page.evaluate((pattern) => {
    const skipped = '[translate=no], [lang=en], time, code, pre, kbd, script, style, noscript, textarea, svg'
    const outside: string[] = []
    const keep = (text: string) => {
      if (/\p{L}{2,}/u.test(text) && !new RegExp(pattern).test(text.trim())) outside.push(text.trim())
    }
    let depth = 0
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement: parent, nodeValue } = walker.currentNode
      let text = ''
      for (const sign of nodeValue ?? '') {
        if (sign === '⟦') depth++
        if (depth === 0) text += sign
        if (sign === '⟧') depth--
      }
      if (parent?.closest(skipped) === null) keep(text)
    }
    const spoken = ['aria-label', 'title', 'placeholder', 'alt']
    for (const element of document.querySelectorAll(spoken.map((name) => `[${name}]`).join()))
      if (element.closest(skipped) === null)
        for (const name of spoken) keep((element.getAttribute(name) ?? '').replaceAll(/⟦.*⟧/gs, ''))
    return outside
  }, data)

/** The documentation is in English, and the outbox shows mails in the languages of their readers. */
const isShown = ({ fetched, path, outbox }: Visit) => !fetched && !outbox && !path.startsWith('/docs')

test('every page takes its texts from the tables', async ({ newPage, world, complaints }) => {
  test.setTimeout(900_000)
  const { server, tokens, ids } = world
  complaints.expect(/status of 4\d\d/)
  const outside: Record<string, string[]> = {}
  const page = await newPage()
  for (const visit of visits.filter(isShown)) {
    await page.context().clearCookies()
    const token = tokens[visit.as ?? '']
    if (token !== undefined)
      await page.context().addCookies([{ name: 'beak.session', value: token, url: server.url }])
    const path = visit.path.replace(/:([a-z]+)/g, (_, name: string) => ids[name] ?? `no ${name}`)
    expect(await open(page, `${server.url}${path}`)).toBe(visit.status ?? 200)
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    const texts = await textsOutside(page)
    if (texts.length > 0) outside[titleOf(visit)] = texts
  }
  expect(outside).toEqual({})
})
