/** Sign-outs of people at sites (OpenID Connect RP-Initiated Logout). */
import type { Client } from 'oidc-provider'
import { db } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { endSiteSignIns } from '@/lib/domain/sessions/end-site-sign-ins'
import { config } from '@/lib/kernel/config'
import { askedToSignOut, signedOutPath } from '@/lib/kernel/request/oauth-paths'
import { readClock } from '@/lib/kernel/runtime/clock'
import { loadServer } from './interaction'
import { errors } from './library'
import { isSiteId } from './site-client'

/** Ends a sign-in at a site by its name there. */
const endSignIn = (siteId: string, sid: string) =>
  transaction((tx) => endSiteSignIns(tx, sql`"sid" = ${sid} AND "siteId" = ${siteId}`, readClock()))

interface Hint {
  aud: string
  sid?: string
}

/** Reads the ID token of a site. Throws `InvalidRequest` unless this service made it for the site. An old one is good. */
async function readHint(text: string, clientId: string | null): Promise<Hint> {
  const server = await loadServer()
  const [, body = ''] = text.split('.')
  try {
    const { aud } = JSON.parse(Buffer.from(body, 'base64url').toString()) as Hint
    const client = isSiteId(aud) ? await server.Client.find(aud) : undefined
    if (client === undefined || (clientId !== null && clientId !== aud)) throw new Error('not of this client')
    const ids = server.IdToken as unknown as {
      validate(token: string, client: Client): Promise<{ payload: Hint }>
    }
    return (await ids.validate(text, client)).payload
  } catch {
    throw new errors.InvalidRequest('id_token_hint is no ID token of this client')
  }
}

/**
 * Signs a person out at a site: ends the sign-in that the ID token names. Returns where the browser goes. The person stays signed in to Beak. Without an
 * ID token, anybody could have made the link, so nothing ends, and a page of this service asks the person. Throws `InvalidRequest` for an address that
 * the site has not registered.
 */
export async function signOutOfSite(parameters: URLSearchParams): Promise<string> {
  const hint = parameters.get('id_token_hint')
  const named = parameters.get('client_id')
  const token = hint === null ? null : await readHint(hint, named)
  if (token === null) return `${config().baseUrl}${signedOutPath}?${askedToSignOut}`
  const back = parameters.get('post_logout_redirect_uri')
  if (back !== null) {
    const site = await db().site.findUnique({ where: { id: token.aud } })
    if (!site?.logoutUris.includes(back))
      throw new errors.InvalidRequest('post_logout_redirect_uri is not registered for this client')
  }
  if (token.sid !== undefined) await endSignIn(token.aud, token.sid)
  if (back === null) return `${config().baseUrl}${signedOutPath}`
  const next = new URL(back)
  const state = parameters.get('state')
  if (state !== null) next.searchParams.set('state', state)
  return next.href
}
