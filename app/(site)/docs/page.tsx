import { ArrowRight } from 'lucide'
import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { Duck } from '@/components/duck'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { generatedPages, SearchField } from './_content/nav'
import { readSections, type Section } from './_content/pages'
import { MainJob } from './_drawings/main-job'

export const generateMetadata = (): Metadata => ({
  title: m.docs_docs(),
  description: m.docs_page_description(),
})

/** The sections for the four kinds of readers, each with its duck and what the reader wants. */
const readers = [
  {
    section: 'people',
    duck: 'DUCK-QXQH',
    get title() {
      return m.docs_you_have_agents()
    },
    get text() {
      return m.docs_answer_their_requests_stay_in_control()
    },
  },
  {
    section: 'agents',
    duck: 'AGT-7ZH1',
    get title() {
      return m.docs_you_build_agents()
    },
    get text() {
      return m.docs_start_section_intro()
    },
  },
  {
    section: 'sites',
    duck: 'DUCK-RANK',
    get title() {
      return m.docs_you_run_a_site()
    },
    get text() {
      return m.docs_ask_agents_for_permission_check_certificates()
    },
  },
  {
    section: 'hosts',
    duck: 'DUCK-H0ST',
    get title() {
      return m.docs_you_host_beak()
    },
    get text() {
      return m.docs_host_section_intro()
    },
  },
]

/** The start page of the documentation: the main job as a picture, and the way in for each kind of reader. */
export default withProblemPage(async function DocsPage() {
  const sections = await readSections()
  const find = (name: string) => sections.find((section) => section.name === name)
  return (
    <>
      <PageHead title={m.docs_docs()} lead={m.docs_concept_intro()}>
        <div className="w-64 max-w-full">
          <SearchField />
        </div>
      </PageHead>
      <div role="img" aria-label={m.docs_example_story()}>
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
            <Icon of={ArrowRight} size={14} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
