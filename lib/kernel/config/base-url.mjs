/**
 * Reads `BASE_URL`, in plain JavaScript: `next.config.mjs` and the scripts that install the packages import this file too.
 */

/**
 * A segment begins with a letter or a digit, so the path cannot be `..`, `/_next` or `/.well-known`, and needs no escaping.
 */
const basePathPattern = /^(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)+$/

/**
 * Returns origin, path and the address that is both, without a slash at the end, or a sentence that says what is wrong.
 * @param {string} text
 * @returns {{ origin: string, basePath: string, baseUrl: string } | { fault: string }}
 */
export function readBaseUrl(text) {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return { fault: 'must be a URL with http: or https:' }
  if (url.username + url.password !== '') return { fault: 'must not contain a user name or a password' }
  if (/[?#]/.test(text)) return { fault: 'must not contain a query or a fragment' }
  // The text is read, not `url.pathname`: there `..` has vanished already.
  const basePath = (/^\s*[a-z]+:\/\/[^/\\]+(.*?)\/?\s*$/i.exec(text) ?? [])[1]
  if (basePath === undefined || (basePath !== '' && !basePathPattern.test(basePath)))
    return {
      fault:
        'must be an origin with or without a path like /prod; each part of the path begins with a letter or a digit, and goes on with letters, digits, ".", "_" and "-"',
    }
  return { origin: url.origin, basePath, baseUrl: `${url.origin}${basePath}` }
}

/**
 * Returns the path of `BASE_URL` in an environment, empty when there is none. Throws when `BASE_URL` is wrong.
 * @param {Record<string, string | undefined>} env
 * @returns {string}
 */
export function basePathOf(env) {
  const result = readBaseUrl(env.BASE_URL || 'http://localhost')
  if ('fault' in result) throw new Error(`BASE_URL: ${result.fault}`)
  return result.basePath
}

/**
 * Returns the folder of the pages that are built for a path. Next writes the path into what it builds, so each path has a
 * folder of its own.
 * @param {string} basePath
 * @returns {string}
 */
export function pagesFolder(basePath) {
  return basePath === '' ? '.next' : `build/pages${basePath.replaceAll('/', '+')}`
}
