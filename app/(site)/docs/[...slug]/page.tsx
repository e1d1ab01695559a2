import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { PageHead } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { Article } from '../_content/article'
import { Contents, PageTurner } from '../_content/contents'
import { Nav } from '../_content/nav'
import { findPage, readSections } from '../_content/pages'

interface PageProps {
  params: Promise<{ slug: string[] }>
}

export const generateMetadata = withProblemTitle(async function generateMetadata({
  params,
}: PageProps): Promise<Metadata> {
  const page = await findPage((await params).slug.join('/'))
  if (page === null) return { title: m.docs_api_not_found() }
  return {
    title: page.title,
    description: page.lead,
    alternates: { types: { 'text/markdown': `${config().baseUrl}/docs/${page.slug}.md` } },
  }
})

/** A page of the documentation. */
export default withProblemPage(async function DocsTextPage({ params }: PageProps) {
  const slug = (await params).slug.join('/')
  const [page, sections] = await Promise.all([findPage(slug), readSections()])
  if (page === null) notFound()
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <Nav sections={sections} current={slug} />
      <div className="min-w-0">
        <PageHead title={page.title} lead={page.lead} />
        <Contents body={page.body} />
        <Article body={page.body} />
        <PageTurner sections={sections} current={slug} />
      </div>
    </div>
  )
})
