/**
 * The Markdown version of every page below /docs, at the address of the page with `.md` at its end: /docs/errors.md. Programs and
 * models read these, and /llms.txt lists them. A page that is made of data has a function here that writes the same data as Markdown. The
 * pages in `content/docs` are Markdown already. A test fails when a page has no Markdown version.
 */
import { readSections } from '../_content/pages'
import { groupHeads } from '../api/reference'
import { errorsText } from './errors'
import { groupText, referenceText } from './reference'
import { startText } from './start'
import { writtenText } from './written'

export interface MarkdownPage {
  /** The address without `.md`. */
  path: string
  title: string
  description: string
  /** Returns the text, which begins with the title as heading. Throws `PageProblem`. */
  text(): string | Promise<string>
}

/** The pages that are made of data. */
const madePages: MarkdownPage[] = [
  {
    path: '/docs/errors',
    title: 'Errors',
    description: 'What each error code means, and what to do next.',
    text: errorsText,
  },
  {
    path: '/docs/api',
    title: 'API reference',
    description: 'The rules of all operations, and a list of them.',
    text: referenceText,
  },
  ...groupHeads().map(({ name, title, lead }) => ({
    path: `/docs/api/${name}`,
    title: `${title}, API reference`,
    description: lead,
    text: () => groupText(name),
  })),
]

/** Returns the Markdown versions of all pages below /docs. */
export async function readMarkdownPages(): Promise<MarkdownPage[]> {
  const sections = await readSections()
  const written = sections.flatMap(({ pages }) => pages)
  return [
    {
      path: '/docs',
      title: 'Docs',
      description: 'All guides, for people, developers of agents, sites that check, and hosts.',
      text: () => startText(sections),
    },
    ...written.map((page) => ({
      path: `/docs/${page.slug}`,
      title: page.title,
      description: page.lead,
      text: () => writtenText(page),
    })),
    ...madePages,
  ]
}
