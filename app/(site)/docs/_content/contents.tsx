import { ArrowRight } from 'lucide'
import { withBasePath } from '@/components/base-path'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { headingsIn } from './headings'
import type { Section } from './pages'

/** From this number of headings on, a page has a table of contents. */
const longPage = 15

/** The table of contents of a long page. */
export function Contents({ body }: { body: string }) {
  const headings = headingsIn(body).filter(({ depth }) => depth <= 3)
  if (headings.length < longPage) return null
  return (
    <details className="no-print mb-8 max-w-3xl rounded-card border border-line px-4">
      <summary className="min-h-11 content-center font-semibold">{m.docs_on_this_page()}</summary>
      <ul className="mb-3 gap-x-8 text-sm sm:columns-2">
        {headings.map(({ id, text, depth }) => (
          <li key={id} className={depth === 3 ? 'ms-4' : 'font-semibold'}>
            <a href={`#${id}`} className="inline-block py-1 wrap-anywhere underline decoration-line">
              {text}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Links to the next page of the section, and to the page as Markdown. */
export function PageTurner({ sections, current }: { sections: Section[]; current: string }) {
  const section = sections.find(({ pages }) => pages.some(({ slug }) => slug === current))
  const pages = section?.pages ?? []
  const next = pages[pages.findIndex(({ slug }) => slug === current) + 1]
  return (
    <div className="no-print mt-14 flex max-w-3xl flex-wrap items-center justify-between gap-4 border-t border-line pt-4 text-sm">
      <a
        href={withBasePath(`/docs/${current}.md`)}
        className="inline-flex min-h-11 items-center text-soft underline"
      >
        {m.docs_this_page_as_markdown()}
      </a>
      {next ? (
        <Link
          href={`/docs/${next.slug}`}
          className="inline-flex min-h-11 items-center gap-2 font-semibold underline decoration-line hover:decoration-ink"
        >
          {m.docs_next_title({ title: next.title })}
          <Icon of={ArrowRight} size={16} />
        </Link>
      ) : null}
    </div>
  )
}
