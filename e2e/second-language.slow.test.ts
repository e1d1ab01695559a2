/**
 * Every page in a second language: the English sentences in brackets, in tables beside the English ones. A host adds a language in the same way.
 * Text outside of the brackets comes from no table, so it would stay English in every language.
 */
import type { Page } from '@playwright/test'
import { open } from './browser'
import { test as base, expect } from './fixtures'
import { demoNames } from './page-checks/translatable'
import { titleOf, type Visit, visits } from './visits'

const test = base.extend({ locale: 'de' })

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
const isShown = ({ path, outbox }: Visit) => !outbox && !path.startsWith('/docs')

test('every page takes its texts from the tables', async ({ newPage, builtCopy, complaints }) => {
  test.setTimeout(900_000)
  const { server, tokens, ids } = builtCopy
  complaints.expect(/status of 4\d\d/)
  const outside: Record<string, string[]> = {}
  // A page that only HTTP looks at elsewhere (`fetched`) has the scripts of another one.
  const [page, plain] = [await newPage(), await newPage({ javaScriptEnabled: false })]
  for (const visit of visits.filter(isShown)) {
    const shown = visit.fetched ? plain : page
    await shown.context().clearCookies()
    const token = tokens[visit.as ?? '']
    if (token !== undefined)
      await shown.context().addCookies([{ name: 'beak.session', value: token, url: server.url }])
    const path = visit.path.replace(/:([a-z]+)/g, (_, name: string) => ids[name] ?? `no ${name}`)
    const address = `${server.url}${path}`
    const status = visit.fetched ? (await plain.goto(address))?.status() : await open(page, address)
    expect([path, status]).toEqual([path, visit.status ?? 200])
    expect(await shown.locator('html').getAttribute('lang')).toBe('de')
    const texts = await textsOutside(shown)
    if (texts.length > 0) outside[titleOf(visit)] = texts
  }
  expect(outside).toEqual({})
})
