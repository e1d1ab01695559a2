/** Answers requests that are not valid HTTP with a problem document. No endpoint or page sees these requests. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type FailureName, failureTable } from '@/lib/kernel/failures'

const titles = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
} as const

function bodyOf(status: keyof typeof titles): string {
  const { code, detail, action } = failureTable.malformed_http
  return JSON.stringify({
    type: 'about:blank',
    title: titles[status],
    status,
    code,
    reason: 'malformed_http' satisfies FailureName,
    success: false,
    detail,
    message: detail,
    action,
  })
}

/** Answers a request that Node could not parse, and closes the connection. */
export function answerParseError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
  const body = bodyOf(status)
  socket.end(
    `HTTP/1.1 ${status} ${titles[status]}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** Whether the request has more than one Host header. Node uses the first one, a proxy may use another (RFC 9112, section 3.2). */
export function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === 'host') hosts++
  return hosts > 1
}

/** Answers a request that Node could parse but that is not valid, and closes the connection. */
export function refuseMalformed(response: ServerResponse): void {
  const body = bodyOf(400)
  response
    .writeHead(400, {
      'Content-Type': 'application/problem+json',
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    })
    .end(body)
}
