/** The plain text of a mail: paragraphs with an empty line in between. */
import type { Part } from './parts'

/** Returns an item as one paragraph. The address of a link is a paragraph of its own. */
function itemText(parts: Part[]): string {
  const [texts, links]: [string[], string[]] = [[], []]
  for (const part of parts)
    if (typeof part !== 'string' && 'url' in part) {
      texts.push(`${part.label}:`)
      links.push(part.url)
    } else if (typeof part !== 'string' && 'facts' in part)
      texts.push(...part.facts.map(([name, value]) => `${name}: ${value}.`))
    else texts.push(...paragraphs(part))
  return [texts.join(' ').replaceAll(/\n+/g, ' '), ...links].join('\n\n')
}

function paragraphs(part: Part): string[] {
  if (typeof part === 'string') return [part]
  if ('warning' in part) return [part.warning]
  if ('code' in part) return [`    ${part.code}`]
  if ('facts' in part) return [part.facts.map(([name, value]) => `${name}: ${value}`).join('\n')]
  if ('url' in part) return [`${part.label}:`, part.url]
  if ('items' in part) return part.items.map((item, index) => `${index + 1}. ${itemText(item)}`)
  if ('list' in part) return [`${part.lead}\n${part.list.map((line) => `- ${line}`).join('\n')}`]
  if ('quote' in part) return [part.quote.replaceAll(/^/gm, '> ')]
  return part.small.flatMap(paragraphs)
}

/** Returns the plain text of the parts. */
export function textOf(parts: Part[]): string {
  return `${parts.flatMap(paragraphs).join('\n\n')}\n`
}
