/** The address and the version of the service in the documentation. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { config } from '@/lib/kernel/config'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { insecureReason, mayInstall } from '@/lib/kernel/service/client-packages'
import { version } from '@/lib/kernel/service/version'
import { readPublished } from './published'
import { tables } from './tables'

/** The address of the service in the files. Pages show the address of this service. */
const writtenUrl = 'https://beak.example'

/** A line that installs or runs a package of this service. */
const command = /^.*\b(?:npm|pnpm|npx|pip|uv)\b.*https:\/\/beak\.example\/clients\/.*$/gm

/**
 * Returns a text with the address and the version of this service instead of `https://beak.example` and `{{version}}`. A command that
 * installs a package from here is left out when this service has no https.
 */
export function fillAddresses(text: string): string {
  const { baseUrl } = config()
  const shown = mayInstall(baseUrl) ? text : text.replace(command, `# ${insecureReason}`)
  return shown.replaceAll('{{version}}', version).replaceAll(writtenUrl, baseUrl)
}

/** The pages of the documentation: Markdown files below `docs/pages`, one folder for each section, and published documents. */

export interface DocsPage {
  /** Its path below `/docs`, such as `agents/typescript`. */
  slug: string
  title: string
  /** What the page is about, in a sentence. */
  lead: string
  /** Markdown without title and lead. */
  body: string
}

export interface Section {
  name: string
  title: string
  pages: DocsPage[]
}

/** The sections in the order of the navigation. The pages of `reference` have no folder in their address. */
const sectionTitles = {
  people: 'People',
  agents: 'Agent developers',
  recipes: 'Recipes',
  sites: 'Verifying sites',
  hosts: 'Hosts',
  concepts: 'Concepts',
  reference: 'Reference',
}

const root = () => join(/* turbopackIgnore: true */ process.cwd(), 'docs', 'pages')

/** Returns the fields between the lines `---` at the start of a file, and the text after them. */
function splitFile(text: string): { fields: Map<string, string>; body: string } {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? []
  const lines = head.split('\n').map((line): [string, string] => {
    const colon = line.indexOf(':')
    // A value with a colon stands in quotation marks, as in YAML.
    return [
      line.slice(0, colon),
      line
        .slice(colon + 1)
        .trim()
        .replace(/^"(.*)"$/, '$1'),
    ]
  })
  return { fields: new Map(lines), body }
}

/** Replaces `{{name}}` by a table that is made from the code, and the address of the examples by the address of this service. */
function fill(body: string): string {
  const filled = body.replace(/^\{\{(\w+)\}\}$/gm, (_, name: string) => {
    const table = tables[name]
    if (table === undefined) throw new Error(`There is no table ${name} for the documentation.`)
    return table()
  })
  return fillAddresses(filled)
}

async function readSection(name: string, title: string): Promise<Section> {
  const folder = join(root(), name)
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md'))
  const pages = await Promise.all(
    files.map(async (file) => {
      const { fields, body } = splitFile(await readFile(join(folder, file), 'utf8'))
      const page = file.slice(0, -'.md'.length)
      return {
        slug: name === 'reference' ? page : `${name}/${page}`,
        title: fields.get('title') ?? '',
        lead: fields.get('lead') ?? '',
        body: fill(body),
        order: Number(fields.get('order')),
      }
    }),
  )
  const ordered = pages.sort((left, right) => left.order - right.order)
  return { name, title, pages: ordered.map(({ order: _, ...page }) => page) }
}

/** Returns the documents of the repository that are pages too. */
async function readDocuments(): Promise<Section> {
  const pages = await readPublished()
  return {
    name: 'formats',
    title: 'Formats and rules',
    pages: pages.map((page) => ({ ...page, body: fillAddresses(page.body) })),
  }
}

const readAll = () =>
  Promise.all([
    ...Object.entries(sectionTitles).map(([name, title]) => readSection(name, title)),
    readDocuments(),
  ])

/** Returns all sections with their pages. Reads the files once: a change of a file needs a new start. */
export function readSections(): Promise<Section[]> {
  return singleton('docs-sections', readAll)
}

/** Returns a page by its path below `/docs`, or null. */
export async function findPage(slug: string): Promise<DocsPage | null> {
  const sections = await readSections()
  return sections.flatMap(({ pages }) => pages).find((page) => page.slug === slug) ?? null
}
