/** Searches the pages of the documentation, the error codes and the operations of the API. */
import MiniSearch from 'minisearch'
import { type ErrorCode, errorCodes } from '@/lib/kernel/failures'
import { singleton } from '@/lib/kernel/singleton'
import type { Group } from '../api/reference'
import { outcomesOf } from '../errors/outcomes'
import { partsOf } from './blocks'
import { readSections } from './pages'

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
}

export interface Hit {
  href: string
  page: string
  heading: string
  /** The text around the first word that was found. */
  excerpt: string
}

const hitsMax = 20
const excerptLength = 180

async function pageEntries(): Promise<Entry[]> {
  const sections = await readSections()
  return sections.flatMap(({ pages }) =>
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
  }))
}

function operationEntries(groups: Group[]): Entry[] {
  return groups.flatMap(({ name, title, operations }) =>
    operations.map(({ id, method, path, operation }) => ({
      id,
      href: `/docs/api/${name}#${id}`,
      page: `API reference, ${title}`,
      heading: operation.summary,
      text: `${method} ${path} ${operation.description.replaceAll('`', '')}`,
      code: operation.operationId,
    })),
  )
}

/** Makes the index with the first search. The texts do not change while the process runs. */
const indexOf = (groups: Group[]) =>
  singleton('docs-index', async () => {
    const index = new MiniSearch<Entry>({
      fields: ['page', 'heading', 'text', 'code'],
      storeFields: ['href', 'page', 'heading', 'text'],
      searchOptions: {
        boost: { page: 3, heading: 4, text: 2 },
        prefix: true,
        fuzzy: 0.15,
        combineWith: 'AND',
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

/** Returns the parts of the documentation that have all words of the query, best first. */
export async function search(query: string, groups: Group[]): Promise<Hit[]> {
  const found = (await indexOf(groups)).search(query)
  return found.slice(0, hitsMax).map(({ href, page, heading, text, terms }) => ({
    href,
    page,
    heading,
    excerpt: excerptOf(text, terms),
  }))
}
