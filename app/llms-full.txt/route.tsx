import { readMarkdownPages } from '@/app/(site)/docs/_markdown/pages'
import { config } from '@/lib/kernel/config'
import { singleton } from '@/lib/kernel/runtime/singleton'

// The text has the address of the service, which is known when it runs.
export const dynamic = 'force-dynamic'

/** Long documents that say more than a program needs. /llms.txt lists them. */
const leftOut = [
  '/docs/contract',
  '/docs/threat-model',
  '/docs/incidents',
  '/docs/release-0-3',
  '/docs/changelog',
]

/** Answers all pages of the documentation as one text, for language models. The API reference is a file of its own. */
export async function GET(): Promise<Response> {
  const text = await singleton('llms-full', fullText)
  return new Response(text, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}

async function fullText(): Promise<string> {
  const { baseUrl } = config()
  const pages = (await readMarkdownPages()).filter(
    ({ path }) => !path.startsWith('/docs/api') && !leftOut.includes(path),
  )
  const texts = await Promise.all(
    pages.map(async ({ path, text }) => `<!-- ${baseUrl}${path} -->\n\n${(await text()).trim()}`),
  )
  return `${introduction(baseUrl)}\n\n${texts.join('\n\n---\n\n')}\n`
}

const introduction = (baseUrl: string) =>
  `The documentation of Beak as one text. Each page begins with its address. Not here: the operations (${baseUrl}/docs/api.md and ${baseUrl}/beak/openapi.json), and ${leftOut
    .map((path) => `${baseUrl}${path}.md`)
    .join(', ')}.`
