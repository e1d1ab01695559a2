/** What the authorization server answers for sites beside its library: sign-outs and pictures. */
import type { KoaContextWithOIDC } from 'oidc-provider'
import { duckSvg } from '@/components/duck-art'
import { errors } from '@/lib/domain/oauth/library'
import { signOutOfSite } from '@/lib/domain/oauth/site-logout'
import { oauthRoutes, picturePath } from '@/lib/kernel/request/oauth-paths'
import { readLimited } from '@/lib/kernel/runtime/read-limited'

const formBytesMax = 64 * 1024
const subject = /^[\w-]{22}$/

/** Signs somebody out at a site. Both methods are allowed (OpenID Connect RP-Initiated Logout, 2). */
async function answerLogout(context: KoaContextWithOIDC): Promise<void> {
  const form = context.method === 'POST' ? await readLimited(context.req, formBytesMax) : null
  try {
    const next = await signOutOfSite(new URLSearchParams(form?.toString() ?? context.querystring))
    context.redirect(next)
    context.status = 303
  } catch (error) {
    if (!(error instanceof errors.OIDCProviderError)) throw error
    context.status = error.statusCode
    context.body = { error: error.error, error_description: error.error_description }
  }
}

/** Draws the picture of a subject. It says nothing that the subject does not say, so it needs no lookup. */
function answerPicture(context: KoaContextWithOIDC): void {
  if (context.method !== 'GET' && context.method !== 'HEAD') {
    context.set('Allow', 'GET, HEAD')
    context.body = { error: 'invalid_request', error_description: 'A picture can only be read.' }
    context.status = 405
    return
  }
  const id = context.path.slice(picturePath.length)
  if (!subject.test(id)) return
  context.set('Cache-Control', 'public, max-age=86400')
  context.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'")
  context.set('Cross-Origin-Resource-Policy', 'cross-origin')
  context.type = 'image/svg+xml'
  context.body = duckSvg(id, false)
}

/** Answers a request that is for sites. Returns false for the others. */
export async function answerForSites(context: KoaContextWithOIDC): Promise<boolean> {
  const { path } = context
  if (path === oauthRoutes.end_session) await answerLogout(context)
  else if (path.startsWith(picturePath)) answerPicture(context)
  // The library would keep what it asks there in a session of its own.
  else if (!path.startsWith(`${oauthRoutes.end_session}/`)) return false
  return true
}
