/**
 * Serves the packages of the clients below `/clients/`, without Next: `/clients/<file>` and, for programs, their list. Only what the list
 * names is served, after its digest was checked. The page for people is `app/(site)/clients/page.tsx`.
 */

import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { describeError, log } from '@/lib/kernel/runtime/log'
import {
  type ClientPackage,
  type ClientPackages,
  clientPackages,
  type PackageKind,
} from '@/lib/kernel/service/client-packages'
import { baseHeaders } from './answer'
import { type Answer, type Call, requestIdOf } from './call'
import { wantsJson } from './language'

const folder = '/clients/'
const listPath = `${folder}index.json`

/** Whether a request is for a package or the list. The page has the same address as the list: a browser asks for HTML. */
export function isClientFile(target: string, accept: string, hasPages: boolean): boolean {
  const [path = ''] = target.split('?', 1)
  if (path === folder || path === '/clients') return !hasPages || wantsJson(accept)
  return path.startsWith(folder)
}

const mediaTypes: Record<PackageKind, string> = {
  typescript: 'application/gzip',
  python: 'application/zip',
  dev: 'application/gzip',
}

/** Returns a function that answers requests for packages and their list. It never throws. */
export function serveClients(packages: () => ClientPackages | Promise<ClientPackages> = clientPackages) {
  return async (call: Call): Promise<Answer> => {
    const headers = baseHeaders(requestIdOf(call.headers))
    try {
      return await answer(await packages(), call, headers)
    } catch (error) {
      log().error(
        { path: call.path, error: describeError(error) },
        'a package of the clients cannot be served',
      )
      return text(
        500,
        'This package is broken. Its host can build it again with `npm run clients:pack`.',
        headers,
      )
    }
  }
}

async function answer(packages: ClientPackages, call: Call, headers: Answer['headers']): Promise<Answer> {
  if (call.method !== 'GET' && call.method !== 'HEAD')
    return text(405, 'Only GET and HEAD are allowed here.', { ...headers, Allow: 'GET, HEAD' })
  if ([folder, '/clients', listPath].includes(call.path)) {
    const body = JSON.stringify(packages.list)
    return {
      status: 200,
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        'Cache-Control': 'no-cache',
        Vary: 'Accept',
      },
      body,
    }
  }
  // Compared as it came: no name in the list needs an escape, so no escaped path names a file.
  const file = packages.list.files.find(({ name }) => call.path === `${folder}${name}`)
  return file === undefined ? unknown(packages, headers) : sendFile(packages, file, call, headers)
}

async function sendFile(
  packages: ClientPackages,
  file: ClientPackage,
  call: Call,
  headers: Answer['headers'],
): Promise<Answer> {
  const etag = `"${file.sha256}"`
  const body = await packages.read(file)
  Object.assign(headers, { 'Cache-Control': 'public, max-age=31536000, immutable', ETag: etag })
  const known = (call.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (known.includes(etag)) return { status: 304, headers, body: null }
  return {
    status: 200,
    headers: Object.assign(headers, {
      'Content-Type': mediaTypes[file.kind],
      'Content-Disposition': `attachment; filename="${file.name}"`,
      // RFC 9530.
      'Repr-Digest': `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`,
      // A part of a package is of no use, and each file is small.
      'Accept-Ranges': 'none',
    }),
    body,
  }
}

/** Answers 404 with the files that exist, for those who ask for the version before. */
function unknown({ list }: ClientPackages, headers: Answer['headers']): Answer {
  const names = list.files.map(({ name }) => `${folder}${name}`)
  const now =
    names.length === 0
      ? 'This service has no packages.'
      : `This service has version ${list.version}:\n${names.join('\n')}`
  return text(404, `There is no such file. ${now}`, headers)
}

function text(status: number, body: string, headers: Answer['headers']): Answer {
  return { status, headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }, body: `${body}\n` }
}

/**
 * The built scripts, styles and fonts below `/_next/static`. The build compresses them once with Brotli (`scripts/prepare.mjs`),
 * while Next would gzip every answer again. Their names contain a hash, so browsers may cache them forever.
 */

const prefix = '/_next/static/'

/** Whether a request target is for an asset. */
export function isAsset(target: string): boolean {
  return target.startsWith(prefix)
}

/** Returns a function that answers requests for assets in `folder`, and 404 for unknown assets. */
export function serveAssets(folder: string): (request: Request) => Response | Promise<Response> {
  const app = new Hono()
  app.use(async (context, next) => {
    await next()
    context.header('X-Content-Type-Options', 'nosniff')
    if (context.res.ok) context.header('Cache-Control', 'public, max-age=31536000, immutable')
  })
  app.get(
    `${prefix}*`,
    serveStatic({
      root: folder,
      precompressed: true,
      rewriteRequestPath: (path) => path.slice('/_next'.length),
    }),
  )
  return (request) => app.fetch(request)
}
