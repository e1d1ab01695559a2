/**
 * Returns a URL, or null for a text that is none. `URL.canParse` of Node.js 20 answers wrongly for letters beyond ASCII once it has run
 * often, so code that gets texts of other people uses this.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
