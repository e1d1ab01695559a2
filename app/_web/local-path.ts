import { parseUrl } from '@beak/decision/parse-url'

/**
 * Returns a value from a link as a path of our own pages, or null when a browser would leave this site for it. Anyone can write
 * such a value.
 */
export function localPath(value: unknown): string | null {
  if (typeof value !== 'string' || !value.startsWith('/') || value.length > 2048) return null
  // The origin is arbitrary. It shows whether the value leaves it when parsed as browsers do (WHATWG URL: `\` is `/`, tabs are removed).
  const base = 'http://here.invalid'
  const url = parseUrl(value, base)
  if (
    url === null ||
    url.origin !== base ||
    url.pathname.startsWith('//') ||
    url.pathname.startsWith('/api/')
  )
    return null
  return `${url.pathname}${url.search}${url.hash}`
}

/** Returns the page that a `next` parameter names, or `/home`. */
export function nextPath(value: unknown): string {
  return localPath(value) ?? '/home'
}
