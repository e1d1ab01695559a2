/**
 * Adds the path of `BASE_URL` to addresses in `<a>`, `<img>`, `<form action>`, `fetch`, `EventSource` and `location`. Next's `Link`,
 * `redirect` and router add the path themselves.
 */

// The build inserts the value (`env` in next.config.mjs), so it exists in the browser, too.
const basePath = process.env.BEAK_BASE_PATH ?? ''

/** Returns a path of this service with the path of `BASE_URL` before it. */
export function withBasePath(path: string): string {
  return `${basePath}${path}`
}

/** Returns a path of this service without the path of `BASE_URL`, as Next's router takes it. */
export function withoutBasePath(path: string): string {
  const isBelow = path === basePath || path.startsWith(`${basePath}/`) || path.startsWith(`${basePath}?`)
  return (isBelow ? path.slice(basePath.length) : path) || '/'
}
