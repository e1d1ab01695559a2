import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { Empty, PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { Nav } from '../_content/nav'
import { readSections } from '../_content/pages'
import { type Found, search } from '../_content/search'
import { readReference } from '../api/reference'

export const generateMetadata = (): Metadata => ({
  title: m.docs_search_the_docs(),
  description: m.docs_finds_pages_error_codes_and_operations(),
  robots: { index: false },
})

interface PageProps {
  searchParams: Promise<{ q?: string | string[] }>
}

/** The results of a search in the documentation. */
export default withProblemPage(async function SearchPage({ searchParams }: PageProps) {
  const { q } = await searchParams
  const query = (typeof q === 'string' ? q : '').trim()
  const [sections, { groups }] = await Promise.all([readSections(), readReference()])
  const found = await search(query, groups)
  const { hits } = found
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <Nav sections={sections} current="search" query={query} />
      <div className="min-w-0 max-w-3xl">
        <PageHead
          title={m.docs_search_the_docs()}
          lead={query === '' ? m.docs_search_start_hint() : <Count found={found} query={query} />}
        />
        {query !== '' && hits.length === 0 ? (
          <Empty title={m.docs_nothing_found()}>{m.docs_search_empty_hint()}</Empty>
        ) : null}
        <ol className="border-t border-line">
          {hits.map((hit) => (
            <li key={hit.href} className="border-b border-line py-4">
              <Link href={hit.href} className="font-semibold text-accent underline">
                {hit.heading === '' ? hit.page : hit.heading}
              </Link>
              {hit.heading === '' ? null : (
                <span className="text-sm text-soft"> {m.docs_in_page({ page: hit.page })}</span>
              )}
              <p className="mt-1 text-sm text-soft wrap-anywhere">{hit.excerpt}</p>
            </li>
          ))}
        </ol>
      </div>
    </div>
  )
})

/** The part of a long query that is shown. */
const shownQuery = 100

function Count({ found: { hits, some }, query }: { found: Found; query: string }) {
  const shown = query.length > shownQuery ? `${query.slice(0, shownQuery)}…` : query
  if (some) return <>{m.docs_no_page_has_all_words_shown({ shown })}</>
  return <Sentence of={m.docs_results_for} with={{ count: hits.length, query: shown }} />
}
