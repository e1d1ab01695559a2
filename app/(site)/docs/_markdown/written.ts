import { config } from '@/lib/kernel/config'
import type { DocsPage } from '../_content/pages'
import { link } from './blocks'

/** Code that only the tests run. */
const hiddenCode = /^```\w+ hidden\b[^\n]*\n[\s\S]*?\n```\n+/gm
/** What the tests do with code, after its language. */
const flags = /^(```\w+) [\w ]+$/gm
const drawing = /^!\[([^\]]+)\]\(drawing:[\w-]+\)$/gm
const pageLink = /\[([^\]]+)\]\((\/[^)]*)\)/g

/** Returns a page of `content/docs` for programs: drawings as their text, and links to the Markdown versions of other pages. */
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
