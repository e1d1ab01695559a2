/** Adds a language to a copy of the tables, with every sentence in brackets. It needs its file and no code, and finds text outside of brackets. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as display from '@beak/decision/display/display'
import type * as sort from '@beak/decision/display/sort'
import type * as rules from '@beak/decision/risk/rules'
import type * as wording from '@beak/decision/wording'
import { build, type Plugin } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as pageWords from '@/app/(account)/pecks/_peck/page-words'
import type * as likeness from '@/lib/domain/pecks/risk/likeness'
import type * as mails from '@/lib/fixtures/every-mail'
import type * as samples from '@/lib/fixtures/sample-pecks'
import { readLanguage } from '@/lib/fixtures/sentences'
import { withoutMarks } from '@/lib/kernel/text/kept-values'
import type * as shownAction from '@/lib/kernel/text/shown-action'
import type * as worded from '@/lib/kernel/text/worded'
import { findTables, readTable } from './tables.mjs'

type Part = { type: string; value?: string }
type Sentence = { (inputs: object): string; parts?: (inputs: object) => Part[] }
type Modules = typeof pageWords &
  typeof sort &
  typeof wording &
  typeof rules &
  typeof likeness &
  typeof display &
  typeof mails &
  typeof samples &
  typeof shownAction &
  typeof worded
interface Bundle extends Modules {
  m: Record<string, Sentence>
  inLanguage: <Result>(language: string, work: () => Result) => Result
  languageOf: (header: string) => string
}

const root = process.cwd()
const english = readLanguage('en')
const missing = 'theme_dark'
const folder = mkdtempSync(join(tmpdir(), 'beak-languages-'))
const generated = join(folder, 'generated')
/** In the repository, so that it finds the packages. */
const outfile = join(process.cwd(), `node_modules/.cache/second-language-${process.pid}.mjs`)

/** What the bundle has: everything that shows sentences without a page. */
const modules = [
  'app/(account)/pecks/_peck/page-words',
  'packages/decision/src/display/sort',
  'packages/decision/src/wording',
  'packages/decision/src/display/display',
  'lib/domain/pecks/risk/likeness',
  'packages/decision/src/risk/rules',
  'lib/fixtures/every-mail',
  'lib/fixtures/sample-pecks',
  'lib/http/language',
  'lib/kernel/text/language-scope',
  'lib/kernel/messages',
  'lib/kernel/text/shown-action',
  'lib/kernel/text/worded',
]

/** Takes the compiled sentences from the folder with the second language. */
const secondTable: Plugin = {
  name: 'second table',
  setup({ onResolve }) {
    onResolve({ filter: /generated\/(index|languages|area-risk)\.js$/ }, ({ path }) => ({
      path: join(generated, path.slice(path.lastIndexOf('/'))),
    }))
    onResolve({ filter: /^\.\.\/\.\.\/text\/language$/ }, ({ importer }) =>
      relative(generated, importer).startsWith('..')
        ? null
        : { path: join(process.cwd(), 'lib/kernel/text/language.ts') },
    )
  },
}

/** Writes the English tables, and tables of the second language: the English sentences in brackets. */
function writeTables(): void {
  for (const name of ['app', 'components', 'lib', 'packages/decision/src'])
    mkdirSync(join(folder, name), { recursive: true })
  for (const table of findTables(root)) {
    const { area, path } = table
    const translated = readTable(root, table).filter(([name]) => name !== missing)
    const second = [...translated, [`${area}_left_over`, 'Left over']].map(([name, text]) => [
      name?.slice(area.length + 1),
      `⟦${text}⟧`,
    ])
    copyFileSync(path, join(folder, 'app', `${area}.en.json`))
    writeFileSync(join(folder, 'app', `${area}.de.json`), JSON.stringify(Object.fromEntries(second)))
  }
}

let bundle: Bundle

beforeAll(async () => {
  writeTables()
  execFileSync(process.execPath, ['scripts/messages/compile.mjs', folder, generated])
  await build({
    stdin: {
      contents: modules.map((path) => `export * from '@/${path}'`).join('\n'),
      resolveDir: process.cwd(),
    },
    plugins: [secondTable],
    packages: 'external',
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
  })
  bundle = await import(pathToFileURL(outfile).href)
}, 240_000)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(outfile, { force: true })
})

/** Every value of a sentence, as the number 1. */
const inputs = new Proxy({}, { get: () => 1 })

/** Returns a text without its sentences in brackets. What is left is in English, or is a value. */
function outside(text: string): string {
  let left = text
  for (let before = ''; before !== left; ) {
    before = left
    left = left.replace(/⟦[^⟦⟧]*⟧/g, '')
  }
  return left
}

describe('a second language', () => {
  it('shows every sentence of its table, also in parts', () => {
    const { m, inLanguage } = bundle
    const names = Object.keys(english).filter((name) => name !== missing)
    const shown = (name: string) => inLanguage('de', () => m[name]?.(inputs) ?? '')
    expect(names.filter((name) => !/^⟦.+⟧$/s.test(shown(name)))).toEqual([])
    const first = (name: string) => inLanguage('de', () => m[name]?.parts?.(inputs)[0]?.value ?? '⟦')
    expect(names.filter((name) => !first(name).startsWith('⟦'))).toEqual([])
  })

  it('falls back to English for a sentence that its table lacks', () => {
    const { m, inLanguage } = bundle
    expect(inLanguage('de', () => m[missing]?.({}) ?? '')).toBe(english[missing])
  })

  it('leaves out a sentence that English lacks', () => {
    expect(Object.keys(bundle.m).filter((name) => name.endsWith('_left_over'))).toEqual([])
  })

  it('leaves English as it is, for pages and for callers without a language', () => {
    const { m, inLanguage } = bundle
    expect(inLanguage('en', () => m.theme_light?.({}) ?? '')).toBe(english.theme_light)
    expect(m.theme_light?.({})).toBe(english.theme_light)
  })

  it.each([
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['en-GB,de;q=0.5', 'en'],
    ['fr,de;q=0.5,en;q=0.4', 'de'],
    ['de;q=0, fr', 'en'],
    ['fr', 'en'],
  ])('is chosen by Accept-Language %j: %s', (header, language) => {
    expect(bundle.languageOf(header)).toBe(language)
  })
})

/** Requests with every rule of the risk. */
const requests = readFileSync('packages/decision/src/risk/corpus.txt', 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, action = '', params = '{}'] = /^(?:low|medium|high)\+? \S+ (\S+)(?: (\{.*\}))?$/.exec(line) ?? []
    return action === '' ? [] : [{ action, params: JSON.parse(params) as Record<string, unknown> }]
  })

const eider = { ducklingId: 'DUCK-1', displayName: 'Eider', fullName: null, handle: 'eider' }
const teal = { ducklingId: 'DUCK-2', displayName: 'Teal', fullName: null, handle: 'teal' }
const now = new Date('2026-11-26T12:00:00.000Z')
const approvals = [null, Date.parse('2026-11-23T12:00:00.000Z'), Date.parse('2025-11-23T12:00:00.000Z')]

/** Askers that look like somebody, in every way. */
function* likenesses() {
  const asker = { ...eider, ducklingId: 'DUCK-3', handle: null }
  for (const approvedAt of approvals)
    for (const agentName of [null, 'Scout']) {
      const known = [{ ...eider, agentName, approvedAt }]
      yield bundle.likenessOf({ agentName: null, person: asker, target: teal }, known, now)
      yield bundle.likenessOf(
        { agentName: null, person: { ...asker, displayName: 'x', handle: 'eider' }, target: teal },
        known,
        now,
      )
      yield bundle.likenessOf(
        { agentName: null, person: { ...asker, displayName: 'Scout' }, target: teal },
        known,
        now,
      )
      for (const name of ['Eider', 'Scout', 'Teal'])
        yield bundle.likenessOf(
          { agentName: name, person: { ...asker, displayName: 'x' }, target: teal },
          known,
          now,
        )
    }
  yield bundle.likenessOf(
    { agentName: null, person: { ...teal, ducklingId: 'DUCK-3' }, target: teal },
    [],
    now,
  )
}

/** Returns the risk of every request, for askers of every kind. */
function* risks() {
  const ages = [20, 300, 7200, null]
  const history = {
    knowsAsker: true,
    approved: 0,
    approvedParams: null,
    agentAge: null,
    keyAge: null,
    likeness: null,
  }
  for (const request of requests) {
    const scope = request.action.length % 2 === 0 ? 'standing' : 'limited'
    yield bundle.riskOf({ ...request, scope, history })
    yield bundle.riskOf({ ...request, scope, history: null })
  }
  const plain = {
    action: 'send:email',
    params: { amount: '€5', to: 'eve@pond.example' },
    scope: 'limited',
  } as const
  for (const age of ages)
    yield bundle.riskOf({ ...plain, history: { ...history, knowsAsker: false, agentAge: age, keyAge: age } })
  for (const approvedParams of [
    { amount: '€2' },
    { amount: '2' },
    { amount: '€5', to: 'bob@pond.example' },
    { amount: '€5' },
    { to: 'eve@pond.example' },
  ])
    yield bundle.riskOf({ ...plain, history: { ...history, approved: 1, approvedParams } })
  for (const params of [{ amount: '4.800 €' }, { amount: 'about 5 €' }, { amount: '4.800' }, { amount: 12 }])
    for (const agentAge of [null, 1e6])
      yield bundle.riskOf({ ...plain, action: 'pay:invoice', params, history: { ...history, agentAge } })
  for (const likeness of likenesses()) yield bundle.riskOf({ ...plain, history: { ...history, likeness } })
}

/** Quoted words of the asker, amounts and names, which are the same in every language. */
const value = /“[^”]*”|[€$£¥₹]?[\d.,:+−]+|\b(?:US\$|[A-Z]{3}|UTC|Eider|Teal|Scout)\b|[\u2066-\u2069]/gu

const wordsOutside = (text: string) =>
  outside(text)
    .replaceAll(value, '')
    .match(/\p{L}{2,}/gu) ?? []

/** What mails have beside sentences: addresses, quoted text of others, values of the examples, and times and lists of names in German. */
const mailValue =
  /https?:\/\/\S+|"[^"]*"|Hello,[\s>]+my <b>codes<\/b> do not arrive\.|\bNov\b|Europe\/Berlin|\bund\b|\bForce\b/gu

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }

/** Returns what a mail shows in HTML, without the name of the service at its top. */
const visibleText = (html: string) =>
  html
    .replace(/^.*<body/s, '<body')
    .replaceAll(/<\/?span[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '')
    .replace('Beak', '')

/** Also without the texts of the examples, the longest first. */
function untranslated(text: string): string[] {
  const examples = bundle.exampleTexts().filter((example) => example !== '')
  const longestFirst = examples.sort((left, right) => right.length - left.length)
  const shown = text.replaceAll('\u2060', '')
  const rest = longestFirst.reduce((left, example) => left.replaceAll(example, ''), shown)
  return wordsOutside(rest.replaceAll(mailValue, ''))
}

describe('a mail', () => {
  /** The sentence of a rule is signed, and English in every language. */
  const withoutRules = (text: string) =>
    text.replace(/(?:Approve|Reject) without asking me:.*?Until\s+\d+\s+\w+\s+\d{4}\./gs, '')

  it('has every sentence in the language of its reader, also about channels and invitations', () => {
    const { inLanguage, everyMail } = bundle
    // Rows of earlier versions have the sentence of this notice in English.
    // The test mail is of the operator, whose words are English.
    const all = inLanguage('de', everyMail)
    // The subject of a long line is cut, and with it the bracket behind the sentence.
    const { 'notice: peck_waiting': _, test: __, 'peck_waiting: namesake': ___, ...mails } = all
    const english = Object.entries(mails).map(([name, { subject, text, html = '' }]) => ({
      name,
      words: [subject ?? '', text, visibleText(html)].map(withoutRules).flatMap(untranslated),
    }))
    expect(english.filter(({ words }) => words.length > 0)).toEqual([])
    const names = Object.keys(mails)
    expect(names).toContain('change: channel_removed')
    expect(mails['notice: email_restored']?.text).toContain('⟦Invitation links revoked⟧: 3')
    expect(mails['notice: email_restored']?.text).toContain('⟦Channels removed⟧: 1')
    expect(names.length).toBeGreaterThan(70)
  })
})

describe('a note for a channel', () => {
  it('has every sentence in the language of its reader', () => {
    const { inLanguage, everyNote } = bundle
    const notes = Object.values(inLanguage('de', everyNote)).flatMap(({ title, text }) => [title, text])
    expect(notes.length).toBeGreaterThan(12)
    expect(notes.filter((text) => untranslated(text).length > 0)).toEqual([])
  })
})

describe('what is stored or signed in English', () => {
  it('is translated when a page shows the reasons of a risk', () => {
    const reasons = [...risks()].flatMap(({ reasons, novelty }) => [...reasons, ...novelty])
    expect(new Set(reasons.map(({ rule }) => rule)).size).toBe(20)
    const texts = reasons.map(({ wording }) => ({ wording, text: bundle.englishText(wording) }))
    const requester = {
      type: 'duckling' as const,
      duckling_id: 'DUCK-1',
      display_name: 'Teal',
      trust_tier: 'T1' as const,
    }
    const shown = bundle.inLanguage('de', () =>
      ['DUCK-1', 'DUCK-2'].flatMap((viewerId) =>
        texts.map((text) => bundle.shownSentence(text, { requester, viewerId })),
      ),
    )
    const english = shown.filter((text) => !text.startsWith('⟦') || wordsOutside(text).length > 0)
    expect([...new Set(english)]).toEqual([])
    // In English, the table has the same words, with marks around names and amounts.
    for (const { wording, text } of texts)
      expect(withoutMarks(bundle.worded(wording) ?? '')).toBe(withoutMarks(text))
  })

  it('is translated when a page shows values, with their warnings and dates', () => {
    const params = {
      at: '2026-12-05T19:30:00+01:00',
      day: '2026-12-05',
      local: '2026-12-05T19:30',
      amount: 12,
      hidden: 'a\u200bb',
      boss: 'b\u043ess@corp.example',
      site: 'https://xn--bcher-kva.example',
      user: 'https://bank.example@evil.example',
      price: '4.800 €',
    }
    const sorted = bundle.sortValues(bundle.displayValues(params, {}), { action: 'add:event', params })
    const values = Object.keys(params).flatMap((name) => sorted.filter((value) => value.name === name))
    expect(new Set(values.map(({ warning }) => warning)).size).toBe(6)
    for (const { text, warning, wording, warning_wording: warned } of values) {
      if (wording !== undefined) expect(bundle.englishText(wording)).toBe(text)
      if (warned !== undefined) expect(bundle.englishText(warned)).toBe(warning)
    }
    const german = bundle.inLanguage('de', () => values.map(bundle.valueInPageLanguage))
    expect(german.filter(({ warning }) => warning !== undefined && wordsOutside(warning).length > 0)).toEqual(
      [],
    )
    expect(german.slice(0, 4).map(({ text }) => text)).toEqual([
      '⟦Samstag, 5. Dezember 2026, 19:30 (UTC+01:00)⟧',
      '⟦Samstag, 5. Dezember 2026⟧',
      '⟦Samstag, 5. Dezember 2026, 19:30 (no time zone named)⟧',
      '⟦12.00 (no currency named)⟧',
    ])
  })

  it('is translated when a page names an action', () => {
    const actions = requests
      .map(({ action }) => action)
      .filter((action) => bundle.isKnownAction(action) && action !== 'read:profile')
    expect(actions.length).toBeGreaterThan(100)
    const shown = bundle.inLanguage('de', () => actions.map((action) => bundle.shownAction(action)))
    expect(shown.filter((words) => !words.startsWith('⟦⟦') || outside(words) !== '')).toEqual([])
  })
})
