/**
 * Request targets when `BASE_URL` has a path, such as `/prod`.
 *
 * Only targets that begin with that path are served. Probes and well-known files are also served at the root of the host: a load
 * balancer calls this process directly, and RFC 8615 puts well-known files there. Every other target at the root is answered
 * with 404, so each resource has one address, and a request that a proxy sent here by mistake never reaches the API.
 */

import type { ServerResponse } from 'node:http'
import { config } from '@/lib/kernel/config'
import { errorCodes, type FailureName } from '@/lib/kernel/request/failures'
import { wantsJson } from './language'

/** Returns a request target without the path of `BASE_URL`, or null when the target does not begin with that path. */
export function stripBasePath(basePath: string, target: string): string | null {
  if (!target.startsWith(basePath)) return null
  const rest = target.slice(basePath.length)
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : null
}

/** Whether a route may be served at a target without the path of `BASE_URL`. */
export function isServedAtRoot(target: string): boolean {
  const [path = ''] = target.split('?')
  // The API resolves `..` later, so a path with `..` is refused here.
  return (
    /^\/(?:healthz\/?|readyz\/?|\.well-known\/.+)$/.test(path) && !/\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path)
  )
}

/** Answers a request outside the path of `BASE_URL` with 404. The answer names the path, which helps to configure a proxy. */
export function refuseOutsideBasePath(response: ServerResponse): void {
  const { baseUrl, basePath } = config()
  const detail = `This service answers at addresses that begin with ${basePath}/.`
  const body = JSON.stringify({
    type: `${baseUrl}/docs/errors#E4005`,
    title: errorCodes.E4005.title,
    status: 404,
    code: 'E4005',
    reason: 'path_not_found' satisfies FailureName,
    success: false,
    detail,
    message: detail,
    action: `Begin the path with ${basePath}/. A proxy must pass the path on unchanged.`,
  })
  response
    .writeHead(404, {
      'Content-Type': 'application/problem+json',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    })
    .end(body)
}

/**
 * Returns the address of the API that answers a program at the page of an invitation link, or null for any other request. A browser asks for
 * HTML and gets the page.
 */
export function invitationForProgram(target: string, accept: string): string | null {
  const token = /^\/ask\/([0-9A-Za-z]+)\/?$/.exec(target)?.[1]
  return token === undefined || !wantsJson(accept) ? null : `/beak/invitation/view?token=${token}`
}
