import { config } from '@/lib/kernel/config'

/** Returns a fenced code block. `language` may be empty. */
export function codeBlock(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``
}

/** Returns a link to the Markdown version of a page below /docs, with its anchor. */
export function link(text: string, href: string): string {
  const [path = '', anchor] = href.split('#')
  const target = path.endsWith('.md') ? path : `${path}.md`
  return `[${text}](${config().baseUrl}${target}${anchor === undefined ? '' : `#${anchor}`})`
}
