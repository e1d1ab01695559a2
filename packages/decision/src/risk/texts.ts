/** Values inside of texts: JSON, and the query of a URL, with the URL or alone. */

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Returns what a text contains when it is JSON, a URL with a query, or the query alone, else null. */
export function readTexts(text: string): object | null {
  const trimmed = text.trim()
  if (/^[[{]/.test(trimmed)) {
    try {
      const value: unknown = JSON.parse(trimmed)
      return isObject(value) ? value : null
    } catch {
      return null
    }
  }
  const [, query] =
    /^[a-z][a-z0-9+.-]{0,20}:\/\/[^\s?]*\?([^\s#]+)/i.exec(trimmed) ??
    /^\??([\w.[\]-]{1,64}=[^&\s]*(?:&[\w.[\]-]{1,64}=[^&\s]*)+)$/.exec(trimmed) ??
    []
  return query === undefined ? null : Object.fromEntries(new URLSearchParams(query))
}
