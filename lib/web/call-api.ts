/**
 * How pages write: through the API's own handlers, called in process, so that each rule, limit and audit line exists once.
 * Typed by the endpoint's own schemas. The caller's address travels along in the header our server vouches for.
 */
import { headers } from 'next/headers'
import { openDatabase } from '@/lib/db/client'
import { peerHeader } from '@/lib/http/address'
import type { Endpoint, Wire } from '@/lib/http/endpoint'
import { config } from '@/lib/kernel/config'
import { prepareKeys } from '@/lib/keys/signing-keys'

export type Result<T> = { ok: true; data: T } | { ok: false; status: number }

/** Calls an endpoint with a JSON body, on behalf of whoever asked for the page. */
export async function callApi<W extends Wire>(
  endpoint: Endpoint<W>,
  method: 'GET' | 'POST',
  body?: W['body'],
): Promise<Result<W['response']>> {
  await openDatabase()
  await prepareKeys()
  const incoming = await headers()
  const passed = ['user-agent', 'x-forwarded-for', peerHeader].flatMap((name) => {
    const value = incoming.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  const request = new Request(config().baseUrl, {
    method,
    headers: { ...Object.fromEntries(passed), 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const response = await endpoint(request)
  if (!response.ok) return { ok: false, status: response.status }
  return { ok: true, data: (await response.json()) as W['response'] }
}
