/**
 * How pages write: through the API's own handlers, called in process, so that each rule, limit and audit line exists once.
 * The caller's address travels along in the header our server vouches for.
 */
import { headers } from 'next/headers'
import { peerHeader } from '@/lib/http/address'
import type { Endpoint } from '@/lib/http/endpoint'
import { config } from '@/lib/kernel/config'

/** Calls an endpoint with a JSON body, on behalf of whoever asked for the page. */
export async function callApi(endpoint: Endpoint, body: object): Promise<Response> {
  const incoming = await headers()
  const request = new Request(config().baseUrl, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': incoming.get('user-agent') ?? '',
      'X-Forwarded-For': incoming.get('x-forwarded-for') ?? '',
      [peerHeader]: incoming.get(peerHeader) ?? '',
    },
  })
  return endpoint(request)
}
