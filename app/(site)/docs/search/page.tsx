import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { Link } from '@/components/ui/link'
import { Empty, PageHead } from '@/components/ui/surface'
import { Nav } from '../_content/nav'
import { readSections } from '../_content/pages'
import { type Found, search } from '../_content/search'
import { readReference } from '../api/reference'

export const metadata: Metadata = {
  title: 'Search the docs',
  description: 'Finds pages, error codes and operations.',
  robots: { index: false },
}

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
          title="Search the docs"
          lead={
            query === '' ? (
              'Type what you look for into the search field.'
            ) : (
              <Count found={found} query={query} />
            )
          }
        />
        {query !== '' && hits.length === 0 ? (
          <Empty title="Nothing found">
            Try fewer or other words, such as “approve”, “webhook” or an error code.
          </Empty>
        ) : null}
        <ol className="border-t border-line">
          {hits.map((hit) => (
            <li key={hit.href} className="border-b border-line py-4">
              <Link href={hit.href} className="font-semibold text-accent underline">
                {hit.heading === '' ? hit.page : hit.heading}
              </Link>
              {hit.heading === '' ? null : <span className="text-sm text-soft"> in {hit.page}</span>}
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
  if (some) return <>No page has all words of “{shown}”. These have some of them.</>
  return (
    <>
      {hits.length === 1 ? '1 result' : `${hits.length} results`} for “{shown}”
    </>
  )
}
