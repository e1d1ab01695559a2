import { config } from '@/lib/kernel/config'
import { type ErrorCode, errorCodes } from '@/lib/kernel/request/failures'
import { inEnglish } from '@/lib/kernel/text/language'
import { generatedPages } from '../_content/nav'
import { type DocsPage, readSections, type Section } from '../_content/pages'
import { callsOf } from '../api/calls'
import { answerOf } from '../api/example'
import {
  type Group,
  groupHeads,
  type ListedOperation,
  type OpenapiDocument,
  type Parameter,
  readReference,
} from '../api/reference'
import { rules } from '../api/rules'
import { type Components, type Field, fieldsOf, notesOf, type Schema, shapesOf, typeOf } from '../api/schema'
import { callers, failuresOf, methodLines, responseOf } from '../api/words'
import { outcomesOf } from '../errors/outcomes'

/** Returns a fenced code block. `language` may be empty. */
function codeBlock(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``
}

/** Returns a link to the Markdown version of a page below /docs, with its anchor. */
function link(text: string, href: string): string {
  const [path = '', anchor] = href.split('#')
  const target = path.endsWith('.md') ? path : `${path}.md`
  return `[${text}](${config().baseUrl}${target}${anchor === undefined ? '' : `#${anchor}`})`
}

/** Writes the API reference as Markdown, from the same document as its pages. */

/** Returns the rules of all operations, and a list of them. Throws `PageProblem`. */
async function referenceText(): Promise<string> {
  const { document, groups } = await readReference()
  const { baseUrl } = config()
  return [
    '# API reference',
    `JSON over HTTP, version ${document.info.version}. For tools, there is an [OpenAPI 3.1 document](${baseUrl}/beak/openapi.json).`,
    rules(baseUrl)
      .map(
        ({ name, text, link: to }) =>
          `- ${name}: ${text}${to === undefined ? '' : ` ${link(to.text, to.href)}.`}`,
      )
      .join('\n'),
    ...groups.flatMap((group) => [
      `## ${link(group.title, `/docs/api/${group.name}`)}`,
      group.lead,
      group.operations
        .map(({ method, path, operation }) => `- \`${method} ${path}\`: ${operation.summary}`)
        .join('\n'),
    ]),
  ].join('\n\n')
}

/** Returns the operations of a group. Throws `PageProblem`. */
async function groupText(name: string): Promise<string> {
  const { document, groups } = await readReference()
  const group = groups.find((each) => each.name === name) as Group
  return [
    `# ${group.title}, API reference`,
    group.lead,
    ...group.operations.flatMap((listed) => operationBlocks(listed, document.components)),
  ].join('\n\n')
}

function operationBlocks(
  listed: ListedOperation,
  { schemas: components, responses }: OpenapiDocument['components'],
): string[] {
  const { method, path, operation } = listed
  const body = operation.requestBody?.content?.['application/json']?.schema
  const { media, schema } = responseOf(listed)
  const isJson = media === 'application/json'
  return [
    `## ${operation.summary}`,
    `\`${method} ${path}\``,
    inEnglish(() => methodLines(operation.operationId))
      .map(({ title, text }) => `${title}: \`${text}\``)
      .join(' · '),
    operation.description,
    `Who can call it: ${inEnglish(() => callers(operation.security))}`,
    ...section(
      'Parameters',
      operation.parameters.map((parameter) => parameterLine(parameter, components)),
    ),
    ...section('Body', body === undefined ? [] : fieldLines(body, components, true)),
    ...(isJson
      ? section('Response', fieldLines(schema, components, false))
      : ['### Response', `\`${media}\`, not JSON.`]),
    ...section(
      'Errors',
      failuresOf(operation, responses).map(
        ({ status, code, reason, words }) =>
          `- ${status} \`${code}\`${reason === null ? '' : ` \`${reason}\``} ${words}`,
      ),
    ),
    '### Example',
    ...callsOf(listed, components, config().baseUrl).map(({ language, text }) => codeBlock(language, text)),
    ...(isJson ? [codeBlock('json', JSON.stringify(answerOf(listed, schema, components), null, 2))] : []),
  ]
}

function section(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [`### ${title}`, lines.join('\n')]
}

function parameterLine(
  { name, in: place, required, schema, description }: Parameter,
  components: Components,
): string {
  return fieldLine({
    name,
    type: `${typeOf(schema, components)}, in the ${place}${required ? ', required' : ''}`,
    notes: notesOf(schema),
    description: description ?? schema.description ?? null,
  })
}

function fieldLines(schema: Schema, components: Components, isInput: boolean): string[] {
  return shapesOf(schema, components).flatMap((shape) =>
    fieldsOf(shape, components).map((field) =>
      fieldLine({ ...field, type: `${field.type}${isInput && field.isRequired ? ', required' : ''}` }),
    ),
  )
}

function fieldLine({ name, type, notes, description }: Omit<Field, 'isRequired'>): string {
  const rules = [type, ...notes].join(', ')
  return `- \`${name}\` (${rules})${description === null ? '' : `: ${description}`}`
}

/** Code that only the tests run. */
const hiddenCode = /^```\w+ hidden\b[^\n]*\n[\s\S]*?\n```\n+/gm
/** What the tests do with code, after its language. */
const flags = /^(```\w+) [\w ]+$/gm
const drawing = /^!\[([^\]]+)\]\(drawing:[\w-]+\)$/gm
const pageLink = /\[([^\]]+)\]\((\/[^)]*)\)/g

/** Returns a page of `docs/pages` for programs: drawings as their text, and links to the Markdown versions of other pages. */
export function writtenText({ title, lead, body }: DocsPage): string {
  const text = body
    .replace(hiddenCode, '')
    .replace(flags, '$1')
    .replace(drawing, '*$1*')
    .replace(pageLink, (_, words: string, to: string) =>
      to.startsWith('/docs') ? link(words, to) : `[${words}](${config().baseUrl}${to})`,
    )
  return `# ${title}\n\n${lead}\n\n${text.trim()}`
}

/** Returns the start page: a list of the guides of each section. */
function startText(sections: Section[]): string {
  return [
    '# Docs',
    'An agent asks, a person decides, and a site checks.',
    ...sections.flatMap(({ name, title, pages }) => [
      `## ${title}`,
      [
        ...pages.map(({ slug, title: page, lead }) => `- ${link(page, `/docs/${slug}`)}: ${lead}`),
        ...(name === 'reference' ? generatedPages : []).map(
          ({ slug, title: page }) => `- ${link(page, `/docs/${slug}`)}`,
        ),
      ].join('\n'),
    ]),
  ].join('\n\n')
}

/** Returns every error code with its reasons. */
function errorsText(): string {
  const codes = Object.keys(errorCodes) as ErrorCode[]
  return [
    '# Errors',
    `Every error is a problem document (RFC 9457). Its \`code\` is one of these. Its \`reason\` is one of the names below the code: programs decide by it, because names never change and texts do. \`action\` says what to do next, and \`request_id\` identifies the error in our log. The ${link('API reference', '/docs/api')} lists the errors of each operation.`,
    ...codes.flatMap((code) => [
      `## ${code} ${errorCodes[code].title}`,
      `HTTP status ${errorCodes[code].status}`,
      outcomesOf(code)
        .map(({ reason, detail, action }) => `- \`${reason}\`: ${detail} ${action}`)
        .join('\n'),
    ]),
  ].join('\n\n')
}

/**
 * The Markdown version of every page below /docs, at the address of the page with `.md` at its end: /docs/errors.md. Programs and
 * models read these, and /llms.txt lists them. A page that is made of data has a function here that writes the same data as Markdown. The
 * pages in `docs/pages` are Markdown already. A test fails when a page has no Markdown version.
 */

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
