/** Checks the tables of sentences against each other and against the code. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { productFiles, readTree } from './tree'

/** A sentence, or its variants for plurals. */
type Entry = string | { declarations: string[]; match: Record<string, string> }[]
type Table = Record<string, Entry>

const languages = readdirSync('messages').map((name) => name.replace(/\.json$/, ''))
const textOf = (language: string) => readFileSync(`messages/${language}.json`, 'utf8')
const readTable = (language: string) => JSON.parse(textOf(language)) as Table

/** Returns the names in braces of a sentence: its values and its markup. */
function namesIn(entry: Entry): string[] {
  const texts = typeof entry === 'string' ? [entry] : entry.flatMap(({ match }) => Object.values(match))
  const inputs = typeof entry === 'string' ? [] : entry.flatMap(({ declarations }) => declarations)
  const names = texts.flatMap((text) => [...text.matchAll(/\{[#/]?(\w+)\/?\}/g)].map(([, name = '']) => name))
  return [...new Set([...names, ...inputs.flatMap((line) => /^input (\w+)/.exec(line)?.[1] ?? [])])].sort()
}

const english = readTable('en')

describe('messages/', () => {
  it.each(languages)('has the sentences of %s in the order of their names', (language) => {
    const sorted = Object.fromEntries(
      Object.entries(readTable(language)).sort(([a], [b]) => (a < b ? -1 : 1)),
    )
    expect(textOf(language)).toBe(`${JSON.stringify(sorted, null, 2)}\n`)
  })

  it.each(languages)(
    'has only sentences in %s that English has, with the same values and markup',
    (language) => {
      const differing = Object.entries(readTable(language)).filter(
        ([name, entry]) => english[name] === undefined || `${namesIn(english[name])}` !== `${namesIn(entry)}`,
      )
      expect(differing.map(([name]) => name)).toEqual([])
    },
  )

  it('has no sentence that nothing shows', () => {
    const code = productFiles(readTree(process.cwd()))
      .map(([, text]) => text)
      .join('\n')
    const shown = new Set([...code.matchAll(/\bm\.(\w+)/g)].map(([, name]) => name))
    expect(Object.keys(english).filter((name) => !shown.has(name))).toEqual([])
  })
})

/** Attributes and members that people read or hear. */
const shown =
  /(?:(?<![\w-])(?:(?:aria-)?label|aria-description|alt|copyLabel|done|heading|hint|lead|legend|placeholder|summary|title|trigger)(?:=|: )|\bpending=)(["'])((?:(?!\1).)*)\1/g

const comments = /^\s*(?:\/\/|\/?\*).*$/gm

/** Names of programs, languages and formats. */
const names = ['curl', 'beak', 'HTML', 'mallard', 'Python', 'SHA-256', 'TypeScript']

/** An address, a number or another example of what to type is the same in every language. */
const isText = (value: string) =>
  /[A-Za-z]{2}/.test(value) &&
  !names.includes(value) &&
  !value.includes('${') &&
  (/\s/.test(value) || !/[:/.@_=]/.test(value))

/** Returns the texts that people read and that do not come from the table, as `path: text`. */
function textsOutsideTable(files: [path: string, text: string][]): string[] {
  return files.flatMap(([path, text]) =>
    [...text.replace(comments, '').matchAll(shown)].flatMap(([, , value = '']) =>
      isText(value) ? [`${path}: ${value}`] : [],
    ),
  )
}

/** The folders and files whose texts are not in the table yet. `biome.json` has the same list for the text between tags. */
const { overrides } = JSON.parse(readFileSync('biome.json', 'utf8')) as {
  overrides: { includes: string[] }[]
}
const notYet = overrides
  .flatMap(({ includes }) => includes)
  .flatMap((pattern) => /^!(app.+?)(?:\*\*)?$/.exec(pattern)?.[1] ?? [])

/** A locale in the code. `readersLocale()` is that of the page. The clock is compared and not shown. */
const fixedLocale = /(?:toLocale\w*\(|Intl\.\w+Format\()'en[^']*'/
const comparesOnly = ['app/(account)/pecks/_values/date-value.tsx']

describe('the pages', () => {
  it('write numbers and dates in the language of the page', () => {
    const shown = productFiles(readTree(process.cwd(), ['app', 'components']))
    expect(shown.filter(([, text]) => fixedLocale.test(text)).map(([path]) => path)).toEqual(comparesOnly)
  })

  it('take what people read from the table', () => {
    const pages = productFiles(readTree(process.cwd(), ['app', 'components'])).filter(
      ([path]) =>
        !/^app\/(?:beak|mcp|api)\/|\/route\.ts$/.test(path) &&
        !notYet.some((folder) => path.startsWith(folder)),
    )
    expect(textsOutsideTable(pages)).toEqual([])
  })

  it.each([
    ['<Field label="Your name" />', ['a.tsx: Your name']],
    ["{ title: 'Agents' }", ['a.tsx: Agents']],
    ['<Field label={m.agents_name()} placeholder="+1 415 555 0100" hint="https://example.com" />', []],
  ])('%#: finds a text in an attribute or a member', (code, found) => {
    expect(textsOutsideTable([['a.tsx', code]])).toEqual(found)
  })
})
