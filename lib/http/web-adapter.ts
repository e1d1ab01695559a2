/** Translates between the web's `Request` and `Response` (Next's route handlers, tests) and calls and answers. */
import { verifiedPeer } from './address'
import type { Answer, Call } from './call'

/** Returns the call of a request. `peer` is the address of the socket, by default the one in the header that our own server adds. */
export function callOf(request: Request, peer?: string): Call {
  const url = new URL(request.url)
  const headers = Object.fromEntries(request.headers)
  return {
    method: request.method,
    path: url.pathname,
    query: url.searchParams,
    headers,
    body: () => chunksOf(request.body),
    peer: peer ?? verifiedPeer(headers)?.address ?? null,
    signal: request.signal,
  }
}

export function responseOf({ status, headers, body }: Answer): Response {
  return new Response(body as BodyInit | null, { status, headers })
}

export async function answerRequest(
  request: Request,
  answer: (call: Call) => Promise<Answer>,
  peer?: string,
): Promise<Response> {
  return responseOf(await answer(callOf(request, peer)))
}

async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncIterable<Uint8Array> {
  if (body === null) return
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}
