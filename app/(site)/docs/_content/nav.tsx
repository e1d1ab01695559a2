import { Search } from 'lucide'
import { withBasePath } from '@/components/base-path'
import { buttonClass } from '@/components/ui/button-class'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { headingsIn } from './headings'
import type { DocsPage, Section } from './pages'

/** Searches the documentation. Works without JavaScript. */
export function SearchField({ query = '' }: { query?: string }) {
  return (
    <search>
      <form action={withBasePath('/docs/search')} className="flex gap-2">
        <input
          type="search"
          name="q"
          required
          maxLength={100}
          defaultValue={query}
          aria-label={m.docs_search_the_docs()}
          placeholder={m.docs_search_the_docs()}
          className="min-h-11 w-full min-w-0 rounded-control border border-edge bg-surface px-3 text-sm text-ink placeholder:text-soft"
        />
        <button type="submit" className={buttonClass('plain', 'min-w-11 shrink-0 px-0')}>
          <Icon of={Search} size={16} />
          <span className="visually-hidden">{m.docs_search()}</span>
        </button>
      </form>
    </search>
  )
}

const navPlace =
  'flex min-h-9 items-center rounded-control px-3 text-sm text-soft no-underline hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-wash aria-[current=page]:font-semibold aria-[current=page]:text-ink'

/** Pages of the reference that are made from the code and have no Markdown file. */
export const generatedPages = [
  {
    slug: 'errors',
    get title() {
      return m.docs_errors()
    },
    body: '',
  },
  {
    slug: 'api',
    get title() {
      return m.docs_api_reference()
    },
    body: '',
  },
]

interface NavProps {
  sections: Section[]
  /** The path of the open page below `/docs`. */
  current: string
  /** What the search field contains. */
  query?: string
}

/** The search field and links to all pages. Narrow screens fold the links. */
export function Nav({ sections, current, query }: NavProps) {
  return (
    <div className="no-print lg:sticky lg:top-6 lg:-ms-3 lg:max-h-[calc(100dvh-3rem)] lg:self-start lg:overflow-y-auto lg:p-1">
      <SearchField query={query} />
      <nav aria-label={m.docs_documentation()} className="mt-4">
        <details className="lg:hidden">
          <summary className="min-h-11 content-center font-semibold">{m.docs_all_pages()}</summary>
          <PageList sections={sections} current={current} />
        </details>
        <div className="max-lg:hidden">
          <PageList sections={sections} current={current} />
        </div>
      </nav>
    </div>
  )
}

function PageList({ sections, current }: NavProps) {
  return (
    <ul>
      <li>
        <Link href="/docs" className={navPlace}>
          {m.docs_start_here()}
        </Link>
      </li>
      {sections.map(({ name, title, pages }) => (
        <li key={name}>
          <details open={pages.some(({ slug }) => slug === current)}>
            <summary className="min-h-9 content-center rounded-control px-3 text-sm font-semibold hover:bg-sunken">
              {title}
            </summary>
            <ul className="mb-3 ms-2">
              {[...pages, ...(name === 'reference' ? generatedPages : [])].map((page) => (
                <li key={page.slug}>
                  <Link
                    href={`/docs/${page.slug}`}
                    aria-current={page.slug === current ? 'page' : undefined}
                    className={navPlace}
                  >
                    {page.title}
                  </Link>
                  {page.slug === current ? <Parts body={page.body} /> : null}
                </li>
              ))}
            </ul>
          </details>
        </li>
      ))}
    </ul>
  )
}

function Parts({ body }: Pick<DocsPage, 'body'>) {
  const headings = headingsIn(body).filter(({ depth }) => depth === 2)
  if (headings.length === 0) return null
  return (
    <ul className="my-1 ms-3 border-s border-line max-lg:hidden">
      {headings.map(({ id, text }) => (
        <li key={id}>
          <a href={`#${id}`} className="block px-3 py-1 text-xs text-soft no-underline hover:text-ink">
            {text}
          </a>
        </li>
      ))}
    </ul>
  )
}
