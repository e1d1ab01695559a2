/**
 * The built scripts, styles and fonts below `/_next/static`. The build compresses them once with Brotli (`scripts/prepare.mjs`),
 * while Next would gzip every answer again. Their names contain a hash, so browsers may cache them forever.
 */
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'

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
