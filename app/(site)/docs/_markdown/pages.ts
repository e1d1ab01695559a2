/**
 * The Markdown version of every page below /docs, at the address of the page with `.md` at its end: /docs/errors.md. Programs and
 * models read these, and /llms.txt lists them. A page that is made of data has a function here that writes the same data as Markdown. A
 * page that is written in Markdown has its file here. A test fails when a page has no Markdown version.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { config } from '@/lib/kernel/config'
import { groupHeads } from '../api/reference'
import { errorsText } from './errors'
import { groupText, referenceText } from './reference'
import { startText } from './start'

export interface MarkdownPage {
  /** The address without `.md`. */
  path: string
  title: string
  description: string
  /** Returns the text, which begins with the title as heading. Throws `PageProblem`. */
  text(): string | Promise<string>
}

export const markdownPages: MarkdownPage[] = [
  {
    path: '/docs',
    title: 'Start here',
    description: 'Register an agent and let it ask for its first permission, in five steps with curl.',
    text: startText,
  },
  {
    path: '/docs/mcp',
    title: 'MCP server',
    description: 'Connect Claude, Cursor and other MCP clients: tools that ask, wait and use permissions.',
    text: () => fileText('docs/mcp.md'),
  },
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

/** The address of a service in the Markdown files of the repository. */
const exampleAddress = /https:\/\/beak\.example/g

/** Returns a Markdown file of the repository with the address of this service. */
async function fileText(path: string): Promise<string> {
  const text = await readFile(join(process.cwd(), path), 'utf8')
  return text.replace(exampleAddress, () => config().baseUrl)
}
