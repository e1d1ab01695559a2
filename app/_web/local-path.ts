/**
 * Where to go next, as an address of our own pages, from a value anybody may have put into a link: whatever a browser would
 * take to another site is not one. Null where it leads nowhere of ours.
 */
export function localPath(value: unknown): string | null {
  if (typeof value !== 'string' || !value.startsWith('/') || value.length > 2048) return null
  // Any origin does: what counts is whether the value can leave it, read as browsers read it (WHATWG URL: `\` is `/`, tabs vanish).
  const base = 'http://here.invalid'
  if (!URL.canParse(value, base)) return null
  const url = new URL(value, base)
  if (url.origin !== base || url.pathname.startsWith('//') || url.pathname.startsWith('/api/')) return null
  return `${url.pathname}${url.search}${url.hash}`
}

/** The page named by a `next` parameter, or one's home. */
export function nextPath(value: unknown): string {
  return localPath(value) ?? '/home'
}
