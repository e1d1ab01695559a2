/**
 * Addresses that reach the browser as they are. Next's `Link`, `redirect` and router put the path of `BASE_URL` before an
 * address; `<a>`, `<img>`, `<form action>`, `fetch`, `EventSource` and `location` do not.
 */

// The build writes the value in (`env` in next.config.mjs), so it also exists in the browser.
const basePath = process.env.BEAK_BASE_PATH ?? ''

/** Returns a path of this service as a browser has to ask for it. */
export function withBasePath(path: string): string {
  return `${basePath}${path}`
}
