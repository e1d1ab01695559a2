/** Makes calls that code in this process sends to the route table: for pages, and for the tools of the MCP server. */
import type { Call } from '@/lib/http/call'
import type { BodyOf, Line, QueryOf } from './lines'

export interface PlainInput<L extends Line> {
  body?: BodyOf<L>
  /** Empty and undefined values are left out. */
  query?: QueryOf<L>
}

/** Returns the call of an endpoint. `from` has the headers of the request on whose behalf it is made, and their additions. */
export function plainCall<L extends Line>(
  line: L,
  { body, query }: PlainInput<L>,
  from: Pick<Call, 'headers' | 'peer' | 'signal'>,
): Call {
  const [method = '', path = ''] = line.split(' ')
  return {
    method,
    path,
    query: searchParams(query),
    headers: body === undefined ? from.headers : { 'content-type': 'application/json', ...from.headers },
    body: () => (body === undefined ? [] : [Buffer.from(JSON.stringify(body))]),
    peer: from.peer,
    signal: from.signal,
  }
}

function searchParams(query: unknown): URLSearchParams {
  const entries = Object.entries((query ?? {}) as Record<string, unknown>)
  return new URLSearchParams(
    entries.flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, String(value)] as [string, string]],
    ),
  )
}
