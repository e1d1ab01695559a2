import { ArrowRight } from 'lucide'
import type { Metadata } from 'next'
import { ForExperts } from '@/app/_shell/for-experts'
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

/** The start page of the documentation: the way in for people, the main job as a picture, and the ways in for builders. */
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
      <div className="sm:[&_ul]:columns-2 sm:[&_ul]:gap-x-10">
        {readers.slice(0, 1).map((reader) => (
          <ForReader key={reader.section} reader={reader} section={find(reader.section)} />
        ))}
      </div>
      <div role="img" aria-label={m.docs_example_story()} className="mt-10">
        <MainJob />
      </div>
      <div className="mt-10">
        <ForExperts title={m.docs_for_builders()} hint={m.docs_for_builders_hint()}>
          <div className="grid gap-x-10 gap-y-10 sm:grid-cols-2">
            {readers.slice(1).map((reader) => (
              <ForReader key={reader.section} reader={reader} section={find(reader.section)} />
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
        </ForExperts>
      </div>
    </>
  )
})

function ForReader({
  reader: { section: name, duck, title, text },
  section,
}: {
  reader: (typeof readers)[number]
  section: Section | undefined
}) {
  return (
    <section aria-labelledby={name} className="flex gap-4">
      <Duck id={duck} size={56} />
      <div className="min-w-0 flex-1">
        <h2 id={name}>{title}</h2>
        <p className="text-soft">{text}</p>
        <Pages section={section} />
      </div>
    </section>
  )
}

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
            <Icon of={ArrowRight} size={14} className="shrink-0" />
          </Link>
        </li>
      ))}
    </ul>
  )
}
