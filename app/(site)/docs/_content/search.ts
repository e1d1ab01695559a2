/** Searches the pages of the documentation, the error codes and the operations of the API. */
import MiniSearch, { type Query } from 'minisearch'
import { type ErrorCode, errorCodes } from '@/lib/kernel/request/failures'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { searchForm } from '@/lib/kernel/typed/search'
import type { Group } from '../api/reference'
import { outcomesOf } from '../errors/outcomes'
import { partsOf } from './blocks'
import { readSections } from './pages'
import { type Term, termsOf } from './search-words'

interface Entry {
  id: string
  /** Path with anchor. */
  href: string
  /** The page. */
  page: string
  /** The part of the page, or empty for its beginning. */
  heading: string
  text: string
  code: string
  /** What it is called, in small letters. */
  names: string[]
  /** How much more its words count than the words of other entries. */
  weight: number
}

interface Hit {
  href: string
  page: string
  heading: string
  /** The text around the first word that was found. */
  excerpt: string
}

export interface Found {
  hits: Hit[]
  /** No part of the documentation has all words, so these have some of them. */
  some: boolean
}

/** People read guides first, and those for people before those for programs. The other entries answer to their names: an operation, an error code, a heading of a document. */
const weights = { people: 4, guide: 2, error: 0.6, document: 0.5, operation: 0.3 }

const hitsMax = 20
const queryMax = 100
const excerptLength = 180

/** Pages that list names, such as `peck.approved`. Their parts answer to these names, as headings of documents do. */
const lists = new Set(['webhook-events'])

function weightOf(section: string, slug: string): number {
  if (section === 'formats' || lists.has(slug)) return weights.document
  return section === 'people' ? weights.people : weights.guide
}

const nameOf = (title: string) => title.toLowerCase().replace(/^the /, '')

async function pageEntries(): Promise<Entry[]> {
  const sections = await readSections()
  return sections.flatMap(({ name, pages }) =>
    pages.flatMap(({ slug, title, lead, body }) =>
      partsOf(body).map(({ heading, text, code }, index) => {
        const href = `/docs/${slug}${heading === null ? '' : `#${heading.id}`}`
        const beginning = index === 0 ? `${lead} ` : ''
        return {
          id: `${href} ${index}`,
          href,
          page: title,
          heading: heading?.text ?? '',
          text: `${beginning}${text}`,
          code,
          names: name === 'formats' && heading !== null ? [] : [nameOf(heading?.text ?? title)],
          weight: weightOf(name, slug),
        }
      }),
    ),
  )
}

function errorEntries(): Entry[] {
  return (Object.keys(errorCodes) as ErrorCode[]).map((code) => ({
    id: code,
    href: `/docs/errors#${code}`,
    page: 'Errors',
    heading: `${code} ${errorCodes[code].title}`,
    text: outcomesOf(code)
      .map(({ detail, action }) => `${detail} ${action}`)
      .join(' '),
    code: outcomesOf(code)
      .map(({ reason }) => reason)
      .join(' '),
    names: [code.toLowerCase(), ...outcomesOf(code).map(({ reason }) => reason)],
    weight: weights.error,
  }))
}

/** Splits the description of an operation behind its limit, where its remarks begin. */
function withoutRemarks(description: string): [text: string, remarks: string] {
  const paragraphs = description.replaceAll('`', '').split('\n\n')
  const count = paragraphs.findIndex((paragraph) => paragraph.startsWith('Limit ')) + 1 || paragraphs.length
  return [paragraphs.slice(0, count).join('\n\n'), paragraphs.slice(count).join('\n\n')]
}

/** Remarks are entries of their own, so that an operation with many of them is found as easily as one without. */
function operationEntries(groups: Group[]): Entry[] {
  return groups.flatMap(({ name, title, operations }) =>
    operations.flatMap(({ id, method, path, operation }) => {
      const [text, remarks] = withoutRemarks(operation.description)
      const entry = {
        id,
        href: `/docs/api/${name}#${id}`,
        page: `API reference, ${title}`,
        heading: operation.summary,
        text: `${method} ${path} ${text}`,
        code: operation.operationId,
        names: [operation.operationId, path, path.replace('/beak/', '')].map((each) => each.toLowerCase()),
        weight: weights.operation,
      }
      return remarks === ''
        ? [entry]
        : [entry, { ...entry, id: `${id} remarks`, text: remarks, code: '', names: [] }]
    }),
  )
}

/** Makes the index with the first search. The texts do not change while the process runs. */
const indexOf = (groups: Group[]) =>
  singleton('docs-index', async () => {
    const index = new MiniSearch<Entry>({
      fields: ['page', 'heading', 'text', 'code'],
      storeFields: ['href', 'page', 'heading', 'text', 'code', 'names', 'weight'],
      searchOptions: {
        boost: { page: 5, heading: 4, text: 1 },
        prefix: (word) => word.length > 2,
        fuzzy: (word) => (word.length > 3 ? 0.2 : false),
        weights: { prefix: 0.4, fuzzy: 0.2 },
        combineWith: 'AND',
        boostDocument: (_id, _word, entry) => Number(entry?.weight),
      },
    })
    index.addAll([...(await pageEntries()), ...errorEntries(), ...operationEntries(groups)])
    return index
  })

/** Returns the text around the first of the words, in whole words. */
function excerptOf(text: string, words: string[]): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  const places = words.map((word) => plain.toLowerCase().indexOf(word)).filter((place) => place >= 0)
  const start = Math.max(0, Math.min(...places, plain.length) - 60)
  const begin = places.length === 0 || start === 0 ? 0 : plain.indexOf(' ', start) + 1
  const rest = plain.slice(begin)
  const part = rest.length > excerptLength ? rest.slice(0, rest.lastIndexOf(' ', excerptLength)) : rest
  return `${begin > 0 ? '… ' : ''}${part}${part.length < rest.length ? ' …' : ''}`
}

/** Returns the query for a term: its own words, or the words of the documentation. */
function queryFor({ typed, written }: Term): Query {
  const others = written
    .filter((words) => words !== typed)
    .map((words) => ({ queries: [words], combineWith: 'AND' as const }))
  return { combineWith: 'OR', queries: [{ queries: [typed], combineWith: 'AND' }, ...others] }
}

const bonuses = { name: 10, literal: 3 }

/** How much more an entry counts that has the name that was typed, or the query word for word, such as the name of a header. */
function bonusOf({ page, heading, text, code, names }: Entry, typed: string, terms: Term[]): number {
  const [only, ...others] = terms
  const typedNames = [typed, ...(others.length === 0 ? (only?.written ?? []) : [])]
  if (typedNames.some((name) => names.includes(name))) return bonuses.name
  return `${page} ${heading} ${text} ${code}`.toLowerCase().includes(typed) ? bonuses.literal : 1
}

/** Returns the parts of the documentation that have all words of the query, or else those that have some, best first. */
export async function search(query: string, groups: Group[]): Promise<Found> {
  const typed = searchForm(query).trim()
  if (typed === '' || typed.length > queryMax) return { hits: [], some: false }
  const index = await indexOf(groups)
  const terms = termsOf(typed)
  const queries = terms.map(queryFor)
  const all = index.search({ combineWith: 'AND', queries })
  const found = all.length > 0 ? all : index.search({ combineWith: 'OR', queries })
  const ranked = found
    .map((result) => ({ result, score: result.score * bonusOf(result as unknown as Entry, typed, terms) }))
    .sort((left, right) => right.score - left.score)
  const hits = ranked.slice(0, hitsMax).map(({ result: { href, page, heading, text, terms: words } }) => ({
    href,
    page,
    heading,
    excerpt: excerptOf(text, words),
  }))
  return { hits, some: all.length === 0 && hits.length > 0 }
}
