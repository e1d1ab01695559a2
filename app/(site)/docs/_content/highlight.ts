/** Colours code on the server. Browsers get classes; `app/code.css` has their colours for both themes. */
import { createCssVariablesTheme, createHighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { singleton } from '@/lib/kernel/runtime/singleton'

/** The languages of code blocks, with their names for readers. */
export const languages = {
  ts: 'TypeScript',
  python: 'Python',
  sh: 'Shell',
  html: 'HTML',
  json: 'JSON',
  http: 'HTTP',
  nginx: 'nginx',
  text: 'Output',
} as const
export type Language = keyof typeof languages

export const isLanguage = (name: string): name is Language => Object.hasOwn(languages, name)

/** Loads the grammars with the first code block, so a server without readers of the documentation does not hold them. */
const highlighter = () =>
  singleton('highlighter', () =>
    createHighlighterCore({
      themes: [createCssVariablesTheme({ name: 'tokens', variablePrefix: '--' })],
      langs: [
        import('shiki/langs/typescript.mjs'),
        import('shiki/langs/python.mjs'),
        import('shiki/langs/shellscript.mjs'),
        import('shiki/langs/html.mjs'),
        import('shiki/langs/json.mjs'),
        import('shiki/langs/http.mjs'),
        import('shiki/langs/nginx.mjs'),
      ],
      engine: createJavaScriptRegexEngine(),
    }),
  )

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (found) => entities[found] ?? found)

/** Returns the class of a token's colour, such as `token-keyword`, or null for the colour of the text. */
function classOf(color: string | undefined): string | null {
  return /^var\(--(token-[a-z-]+)\)$/.exec(color ?? '')?.[1] ?? null
}

/** Returns code as HTML. The theme gives each token a variable as its colour, which becomes a class. */
export async function highlight(code: string, language: Language): Promise<string> {
  if (language === 'text') return escapeHtml(code)
  const lines = (await highlighter()).codeToTokensBase(code, {
    lang: language,
    theme: 'tokens',
    // Without a limit: a busy machine would leave the rest of a long line without colours.
    tokenizeTimeLimit: 0,
  })
  return lines
    .map((line) =>
      line
        .map(({ content, color }) => {
          const name = classOf(color)
          return name === null ? escapeHtml(content) : `<span class="${name}">${escapeHtml(content)}</span>`
        })
        .join(''),
    )
    .join('\n')
}
