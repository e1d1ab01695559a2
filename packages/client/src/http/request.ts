/** Builds the request of an operation. */
import type { OperationInfo } from '../generated/operations'
import type { Credential } from '../options'
import { plainJson } from './plain-json'

/** A request before it is sent. */
export interface PlainRequest {
  url: string
  method: string
  headers: Record<string, string>
  body: string | null
}

/**
 * Returns the headers that carry a credential. The key never travels in the address, which servers and proxies log.
 *
 * @throws TypeError for a key or token with characters that none has
 */
export function credentialHeaders(credential: Credential | null): Record<string, string> {
  if (credential === null) return {}
  return 'token' in credential
    ? { Authorization: `Bearer ${tidySecret(credential.token, 'session token')}` }
    : { 'X-Beak-Key': tidySecret(credential.key, 'beak key') }
}

/**
 * Returns a secret without the blanks and line breaks around it, which files and variables of the environment often have. `fetch` would
 * name a secret with other characters in its error.
 */
function tidySecret(secret: string, words: string): string {
  const tidy = secret.trim()
  if (/[^!-~]/.test(tidy))
    throw new TypeError(
      `The ${words} has a blank, a line break or another character inside that no ${words} has. Copy it again.`,
    )
  return tidy
}

/**
 * Returns the request of an operation. Fields that the operation does not have are sent too: the service names them in its refusal.
 *
 * @param base address of the service, without a slash at the end
 * @throws TypeError that names a field whose value JSON would change or lose
 */
export function buildRequest(base: string, operation: OperationInfo, input: object): PlainRequest {
  const rest = new Map(Object.entries(plainJson(input, '') as object))
  const take = (name: string) => {
    const value: unknown = rest.get(name)
    rest.delete(name)
    return value
  }
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodePath(String(take(name) ?? '')))
  const headers: Record<string, string> = { Accept: 'application/json' }
  for (const [field, header] of Object.entries(operation.headers ?? {})) {
    const value = take(field)
    if (value !== undefined) headers[header] = String(value)
  }
  const url = `${base}${path}`
  if (operation.method === 'GET') {
    const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)])).toString()
    return { url: query === '' ? url : `${url}?${query}`, method: 'GET', headers, body: null }
  }
  headers['Content-Type'] = 'application/json'
  return { url, method: operation.method, headers, body: JSON.stringify(Object.fromEntries(rest)) }
}

/** Encodes a path parameter and keeps its slashes: a tile of the transparency log has several segments. */
const encodePath = (value: string) => value.split('/').map(encodeURIComponent).join('/')
