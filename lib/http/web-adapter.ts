/** Answers a web `Request` (Next's route handlers, tests) by a function that answers calls. */
import { provenPeer } from './address'
import type { Answer, Call } from './call'

/** `peer` is the address of the socket. Without it, only the header that our own server adds counts. */
export function callOf(request: Request, peer?: string): Call {
  const url = new URL(request.url)
  const headers = Object.fromEntries(request.headers)
  return {
    method: request.method,
    path: url.pathname,
    query: url.searchParams,
    headers,
    body: () => chunksOf(request.body),
    peer: peer ?? provenPeer(headers)?.address ?? null,
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
