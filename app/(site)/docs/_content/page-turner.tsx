import { ArrowRight } from 'lucide'
import { withBasePath } from '@/components/base-path'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import type { Section } from './pages'

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
