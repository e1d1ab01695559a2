/** Builds the request of an operation. */
import type { OperationInfo } from '../generated/operations'
import type { Credential } from '../options'

/** A request before it is sent. */
export interface PlainRequest {
  url: string
  method: string
  headers: Record<string, string>
  body: string | null
}

/** Returns the headers that carry a credential. The key never travels in the address, which servers and proxies log. */
export function credentialHeaders(credential: Credential | null): Record<string, string> {
  if (credential === null) return {}
  return 'token' in credential
    ? { Authorization: `Bearer ${credential.token}` }
    : { 'X-Beak-Key': credential.key }
}

/**
 * Returns the request of an operation. Fields that the operation does not have are sent too: the service names them in its refusal.
 *
 * @param base address of the service, without a slash at the end
 */
export function buildRequest(base: string, operation: OperationInfo, input: object): PlainRequest {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const take = (name: string) => {
    const value = rest.get(name)
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
