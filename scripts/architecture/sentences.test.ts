/** Checks the tables of sentences against each other and against the code. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readLanguage } from '@/lib/fixtures/sentences'
import { isKept } from '@/lib/kernel/text/kept-values'
import { elementsIn, parseSentence, valuesIn } from '../messages/sentence.mjs'
import { findTables, languagesOf, readTable } from '../messages/tables.mjs'
import { productFiles, readTree } from './tree'

const root = process.cwd()
const tables = findTables(root)
const english = readLanguage('en')

/** Returns the values and elements of a sentence, as a text. */
function namesIn(text: string): string {
  const nodes = parseSentence(text)
  return `${valuesIn(nodes)}; ${elementsIn(nodes)}`
}

describe('the tables of sentences', () => {
  it('have their sentences in the order of their names', () => {
    const unsorted = tables.filter(({ path }) => {
      const text = readFileSync(path, 'utf8')
      const entries = Object.entries(JSON.parse(text) as object).sort(([a], [b]) => (a < b ? -1 : 1))
      return text !== `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
    })
    expect(unsorted.map(({ path }) => path)).toEqual([])
  })

  it('have no area and no text twice', () => {
    const areas = tables.map(({ area, language }) => `${area}.${language}`)
    expect(areas.filter((area, index) => areas.indexOf(area) !== index)).toEqual([])
    const repeated = tables
      .filter(({ language }) => language === 'en')
      .flatMap((table) => {
        const texts = readTable(root, table).map(([, text]) => text)
        return readTable(root, table).filter(([, text], index) => texts.indexOf(text) !== index)
      })
    expect(repeated.map(([name]) => name)).toEqual([])
  })

  it('have names that end in a word', () => {
    expect(Object.keys(english).filter((name) => /_\d+$/.test(name))).toEqual([])
  })

  it.each(languagesOf(tables))(
    'have only sentences in %s that English has, with the same values and elements',
    (language) => {
      const differing = Object.entries(readLanguage(language)).filter(
        ([name, text]) => english[name] === undefined || namesIn(english[name]) !== namesIn(text),
      )
      expect(differing.map(([name]) => name)).toEqual([])
    },
  )

  it('have no sentence that nothing shows', () => {
    const code = productFiles(readTree(process.cwd()))
      .map(([, text]) => text)
      .join('\n')
    const shown = new Set([...code.matchAll(/\bm\.(\w+)/g)].map(([, name]) => name))
    // What the service says about a request travels as data.
    for (const [, name] of code.matchAll(/\bsay\(\s*'(\w+)'/g)) shown.add(`risk_${name}`)
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

/** The sentences with a value that a translator of the page must not change, by their names. */
const withKeptValue = new Set(
  Object.entries(english).flatMap(([name, text]) =>
    valuesIn(parseSentence(text)).some(isKept) ? [name] : [],
  ),
)

/** Such sentences that a page shows elsewhere. */
const keptElsewhere: Record<string, string[]> = {
  'in the title or the description of a page': [
    'agent_check_agent_title',
    'ask_page_title',
    'people_ask_name_for_permission_at_beak',
    'r_page_description',
    'r_request_of',
    'r_test_request_of',
    'verify_birth_certificate_of_name',
    'verify_certificate_page_description',
  ],
  'in a mail or a message to the requester': ['agents_mail_subject', 'decision_at_most_amount'],
  'in the name of a link': ['inbox_from_name'],
  'in what a button copies': ['first_example', 'rules_example_say'],
  'with marks, or in the quotation marks of an agent': [
    'requests_action_is_new',
    'requests_asker_is_new',
    'requests_own_agent_is_new',
  ],
  'in the field of a form, whose answer keeps it': [
    'security_device_and_time',
    'security_device_time_and_address',
  ],
  'in an element that no translator changes': [
    'audit_event_and_number',
    'inbox_to_recipient',
    'palette_agent_of',
    'palette_agent_of_mark',
    'palette_mark_count_waiting_asks_first',
    'requests_agent_of_person',
    'rules_agent_of',
    'rules_all_agents_of',
    'rules_step_domain',
    'rules_step_folder',
    'rules_step_from',
    'rules_step_money',
    'rules_step_up_to',
  ],
  'beside its value, which has an element of its own': [
    'action_approve_amount',
    'action_approve_object',
    'action_approve_recipient',
  ],
  'after `keptText` or `kept` was called for it': [
    'home_name_approved',
    'home_name_rejected',
    'home_name_revoked',
    'home_rule_of_name_approved',
    'home_rule_of_name_rejected',
    'home_you_approved',
    'home_you_rejected',
    'home_you_revoked',
    'home_your_rule_approved',
    'home_your_rule_rejected',
  ],
}

/** What may stand before such a sentence: the component or function that keeps its values, or an attribute, whose text is no element. */
const keepsValues =
  /(?:\bof=\{|\bkeptText\(|\b(?:aria-label|alt|placeholder)=\{|<\w*Form\b[^<]*\slabel=\{)[^{}();]*$/

/** Returns the sentences that pages show with a value that a translator would change, as `path: name`. */
const translatedValues = (files: [path: string, text: string][]): string[] =>
  files.flatMap(([path, text]) =>
    [...text.matchAll(/\bm\.(\w+)/g)].flatMap(({ 1: name = '', index }) =>
      withKeptValue.has(name) && !keepsValues.test(text.slice(0, index)) ? [`${path}: ${name}`] : [],
    ),
  )

/** The folders and files whose texts are not in the table yet. `biome.json` has the same list for the text between tags. */
const { overrides } = JSON.parse(readFileSync('biome.json', 'utf8')) as {
  overrides: { includes: string[] }[]
}
const notYet = overrides
  .flatMap(({ includes }) => includes)
  .flatMap((pattern) => /^!(app.+?)(?:\*\*)?$/.exec(pattern)?.[1] ?? [])

/** A locale in the code. `readersLocale()` is the locale of the page. The clock is compared and not shown. */
const fixedLocale = /(?:toLocale\w*\(|Intl\.\w+Format\()'en[^']*'/
const comparesOnly = ['app/(account)/pecks/_values/same-clock.ts']

describe('the pages', () => {
  it('write numbers and dates in the language of the page', () => {
    const shown = productFiles(readTree(process.cwd(), ['app', 'components']))
    expect(shown.filter(([, text]) => fixedLocale.test(text)).map(([path]) => path)).toEqual(comparesOnly)
  })

  it('take what people read from the table', () => {
    const pages = productFiles(readTree(process.cwd(), ['app', 'components'])).filter(
      ([path]) =>
        !/^app\/(?:beak|mcp|api)\/|\/route\.tsx?$/.test(path) &&
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

  it('keep names, values and ids in sentences from translators', () => {
    const pages = productFiles(readTree(process.cwd(), ['app', 'components'])).filter(
      ([path]) => !/^app\/(?:beak|mcp|api)\/|\/opengraph-image\.tsx$/.test(path),
    )
    const known = Object.values(keptElsewhere).flat()
    const found = translatedValues(pages)
    expect(found.filter((line) => !known.some((name) => line.endsWith(`: ${name}`)))).toEqual([])
    expect(known.filter((name) => !found.some((line) => line.endsWith(`: ${name}`)))).toEqual([])
  })

  it.each([
    ['<p>{m.agents_connect_it({ agentName })}</p>', ['a.tsx: agents_connect_it']],
    ['<Confirm title={isOn ? m.agents_connect_it({ agentName }) : null} />', ['a.tsx: agents_connect_it']],
    ['const words = m.agents_connect_it({ agentName })', ['a.tsx: agents_connect_it']],
    ['<Sentence of={isOn ? m.agents_is_connected : m.agents_connect_it} with={{ agentName }} />', []],
    ['done: () => keptText(m.agents_connect_it, { agentName })', []],
    ['<ActionForm action={make} label={m.agents_connect_it({ agentName })}>', []],
    ['<ul aria-label={m.agents_connect_it({ agentName })}>', []],
  ])('%#: finds a value in a sentence that a translator would change', (code, found) => {
    expect(translatedValues([['a.tsx', code]])).toEqual(found)
  })
})
