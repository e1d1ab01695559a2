/** Reads Markdown into tokens, in which each heading has an id that no other heading of the page has. */
import { lexer, type Token, type Tokens } from 'marked'

export interface Heading {
  id: string
  text: string
  depth: number
}

/** Returns the anchor of a heading. */
const anchorOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** Returns text without the marks of Markdown. */
export function plainText(tokens: Token[]): string {
  return tokens
    .map((token) => {
      if ('tokens' in token && token.tokens) return plainText(token.tokens)
      return 'text' in token ? String(token.text) : ''
    })
    .join('')
}

const found = new WeakMap<Token, Heading>()

/** Returns the heading that a token of `readTokens` is, or null. */
export const headingOf = (token: Token): Heading | null => found.get(token) ?? null

/** Returns the tokens of a page. `headingOf` knows the headings among them. */
export function readTokens(body: string): Token[] {
  const tokens = lexer(body)
  const counts = new Map<string, number>()
  for (const token of tokens) {
    if (token.type !== 'heading') continue
    const { depth, tokens: inline } = token as Tokens.Heading
    const text = plainText(inline)
    const anchor = anchorOf(text)
    const count = counts.get(anchor) ?? 0
    counts.set(anchor, count + 1)
    found.set(token, { id: count === 0 ? anchor : `${anchor}-${count}`, text, depth })
  }
  return tokens
}

/** Returns the headings of a page. */
export const headingsIn = (body: string): Heading[] =>
  readTokens(body).flatMap((token) => headingOf(token) ?? [])
