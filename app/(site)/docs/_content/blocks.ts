/** Reads the Markdown of a page into blocks: prose, code and drawings. */
import { Marked, type Token, type Tokens } from 'marked'
import { withBasePath } from '@/components/base-path'
import { type Heading, headingOf, plainText, readTokens } from './headings'
import { escapeHtml, highlight, isLanguage, type Language } from './highlight'

export interface Code {
  language: Language
  text: string
  /** The words after the language, such as `shown`. */
  flags: string[]
}

export type Block =
  | { kind: 'prose'; html: string }
  /** Blocks in several languages that say the same, or a single one. */
  | { kind: 'code'; codes: (Code & { html: string })[] }
  | { kind: 'drawing'; name: string; text: string }

const markdown = new Marked({
  renderer: {
    heading(token) {
      const { tokens, depth } = token
      const id = headingOf(token)?.id
      return `<h${depth}${id === undefined ? '' : ` id="${id}"`}>${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link({ href, tokens }) {
      const address = href.startsWith('/') ? withBasePath(href) : href
      return `<a href="${escapeHtml(address)}">${this.parser.parseInline(tokens)}</a>`
    },
    table(token) {
      const cells = (row: Tokens.TableCell[], name: string) =>
        row.map((cell) => `<${name}>${this.parser.parseInline(cell.tokens)}</${name}>`).join('')
      const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')
      // People with a keyboard have to reach a table that scrolls.
      return `<div tabindex="0" role="group" aria-label="Table"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${rows}</tbody></table></div>`
    },
  },
})

/** Returns the code of a token, without blocks that only the tests run. */
function codeOf(token: Token): Code | null {
  if (token.type !== 'code') return null
  const [language = '', ...flags] = String(token.lang ?? '').split(' ')
  if (!isLanguage(language)) throw new Error(`The documentation has code in an unknown language: ${language}`)
  return { language, text: String(token.text), flags }
}

/** Returns the name and the text of a drawing: a paragraph that is only an image with an address such as `drawing:tiers`. */
function drawingOf(token: Token): { name: string; text: string } | null {
  const [image, ...others] = token.type === 'paragraph' ? (token.tokens ?? []) : []
  if (image?.type !== 'image' || others.length > 0) return null
  return { name: String(image.href).replace(/^drawing:/, ''), text: String(image.text) }
}

/** The languages of which a reader chooses one. Other code is shown to everybody. */
export const choices = ['ts', 'python', 'sh'] as const satisfies Language[]
export type Choice = (typeof choices)[number]

const isChoice = (code: Code) => choices.some((choice) => choice === code.language)

/** Whether a block of code stands beside the one before it, as the same in another language. */
function belongs(before: Block | undefined, code: Code): before is Block & { kind: 'code' } {
  return (
    before?.kind === 'code' &&
    isChoice(code) &&
    before.codes.every((other) => isChoice(other) && other.language !== code.language)
  )
}

/** Returns the blocks of a page. */
export async function blocksOf(body: string): Promise<Block[]> {
  const blocks: Block[] = []
  let prose: Token[] = []
  const endProse = () => {
    if (prose.length > 0) blocks.push({ kind: 'prose', html: markdown.parser(prose) })
    prose = []
  }
  for (const token of readTokens(body)) {
    const code = codeOf(token)
    const drawing = drawingOf(token)
    if (token.type === 'space') continue
    if (code === null && drawing === null) {
      prose.push(token)
      continue
    }
    endProse()
    if (drawing) blocks.push({ kind: 'drawing', ...drawing })
    if (code === null || code.flags.includes('hidden')) continue
    const shown = { ...code, html: await highlight(code.text, code.language) }
    const before = blocks.at(-1)
    if (belongs(before, code)) before.codes.push(shown)
    else blocks.push({ kind: 'code', codes: [shown] })
  }
  endProse()
  return blocks
}

/**
 * Returns all code of a page in its order, with blocks that only the tests run.
 *
 * @internal
 */
export function codesOf(body: string): Code[] {
  return readTokens(body).flatMap((token) => codeOf(token) ?? [])
}

export interface Part {
  /** Null for the part before the first heading. */
  heading: Heading | null
  text: string
  code: string
}

/** Returns the parts of a page for the search. */
export function partsOf(body: string): Part[] {
  const parts: Part[] = [{ heading: null, text: '', code: '' }]
  for (const token of readTokens(body)) {
    const heading = headingOf(token)
    if (heading) parts.push({ heading, text: '', code: '' })
    else {
      const part = parts.at(-1)
      const code = codeOf(token)
      if (part && code === null) part.text += ` ${textOf(token)}`
      else if (part && !code?.flags.includes('hidden')) part.code += ` ${code?.text}`
    }
  }
  return parts
}

function textOf(token: Token): string {
  if (token.type === 'list')
    return token.items.map((item: Tokens.ListItem) => plainText(item.tokens)).join(' ')
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].flatMap((row) => row.map((cell) => plainText(cell.tokens))).join(' ')
  }
  return plainText([token])
}
