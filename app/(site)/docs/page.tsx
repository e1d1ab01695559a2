import { ArrowRight } from 'lucide-react'
import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { Duck } from '@/components/duck'
import { Link } from '@/components/ui/link'
import { PageHead } from '@/components/ui/surface'
import { generatedPages } from './_content/nav'
import { readSections, type Section } from './_content/pages'
import { SearchField } from './_content/search-field'
import { MainJob } from './_drawings/main-job'

export const metadata: Metadata = {
  title: 'Docs',
  description: 'Guides to Beak for people, for developers of agents, for sites that check, and for hosts.',
}

/** The sections for the four kinds of readers, each with its duck and what the reader wants. */
const readers = [
  {
    section: 'people',
    duck: 'DUCK-QXQH',
    title: 'You have agents',
    text: 'Answer their requests, and stay in control.',
  },
  {
    section: 'agents',
    duck: 'AGT-7ZH1',
    title: 'You build agents',
    text: 'From nothing to a first approved request in five minutes.',
  },
  {
    section: 'sites',
    duck: 'DUCK-RANK',
    title: 'You run a site',
    text: 'Ask agents for a permission, and check certificates.',
  },
  {
    section: 'hosts',
    duck: 'DUCK-H0ST',
    title: 'You host Beak',
    text: 'Start it, configure it, and keep it running.',
  },
]

/** The start page of the documentation: the main job as a picture, and the way in for each kind of reader. */
export default withProblemPage(async function DocsPage() {
  const sections = await readSections()
  const find = (name: string) => sections.find((section) => section.name === name)
  return (
    <>
      <PageHead title="Docs" lead="An agent asks, a person decides, and a site checks. That is all of Beak.">
        <div className="w-64 max-w-full">
          <SearchField />
        </div>
      </PageHead>
      <div
        role="img"
        aria-label="Scout, an agent, asks to book a table for four. Mallard, a person, approves. The restaurant checks the permission, which works once: a second use is refused."
      >
        <MainJob />
      </div>
      <div className="mt-10 grid gap-x-10 gap-y-10 sm:grid-cols-2">
        {readers.map(({ section, duck, title, text }) => (
          <section key={section} aria-labelledby={section} className="flex gap-4">
            <Duck id={duck} size={56} />
            <div className="min-w-0">
              <h2 id={section}>{title}</h2>
              <p className="text-soft">{text}</p>
              <Pages section={find(section)} />
            </div>
          </section>
        ))}
      </div>
      <div className="mt-12 grid gap-x-10 gap-y-8 border-t border-line pt-8 sm:grid-cols-2 lg:grid-cols-4">
        {['recipes', 'concepts', 'reference', 'formats'].map((name) => (
          <section key={name} aria-labelledby={name}>
            <h2 id={name} className="text-lg">
              {find(name)?.title}
            </h2>
            <Pages section={find(name)} more={name === 'reference' ? generatedPages : []} />
          </section>
        ))}
      </div>
    </>
  )
})

interface PagesProps {
  section: Section | undefined
  /** Pages without a Markdown file. */
  more?: { slug: string; title: string }[]
}

function Pages({ section, more = [] }: PagesProps) {
  return (
    <ul className="mt-2 text-sm">
      {[...(section?.pages ?? []), ...more].map(({ slug, title }) => (
        <li key={slug}>
          <Link
            href={`/docs/${slug}`}
            className="inline-flex min-h-9 items-center gap-2 font-semibold underline decoration-line hover:decoration-ink"
          >
            {title}
            <ArrowRight aria-hidden="true" size={14} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
