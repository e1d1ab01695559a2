/**
 * The built scripts, styles and typefaces below `/_next/static`: compressed once, at the build (`scripts/prepare.mjs`), and as
 * small as Brotli makes them, where Next would gzip each answer anew. Their names hold their hash, so they are kept for good.
 */
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'

const prefix = '/_next/static/'

/** Whether a request target is for an asset. */
export function isAsset(target: string): boolean {
  return target.startsWith(prefix)
}

/** Answers requests for assets of the build in that folder; 404 for what is not in it. */
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
