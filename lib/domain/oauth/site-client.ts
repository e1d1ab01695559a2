/** Sites as the authorization server sees them: clients with a secret, which get no refresh token. */
import type { AdapterPayload } from 'oidc-provider'
import { db } from '@/lib/db/client'
import type { Site } from '@/lib/db/generated/client'
import { idPattern } from '@/lib/kernel/secrets/ids'
import { equalDigests, sha256 } from '@/lib/kernel/secrets/secrets'
import type { IdTokenAlg } from './site-schema'

const siteId = new RegExp(`^${idPattern('site')}$`)

/** Whether the client with this id is a site. The ids of programs have another form. */
export function isSiteId(clientId: unknown): clientId is string {
  return typeof clientId === 'string' && siteId.test(clientId)
}

/** Returns a site as a client (OpenID Connect Dynamic Client Registration), or undefined, also while its owner is suspended. */
export async function findSiteClient(id: string): Promise<AdapterPayload | undefined> {
  const [site] = await db().rows<Site>`
    SELECT s.* FROM "Site" s LEFT JOIN "Duckling" d ON d."id" = s."ducklingId" WHERE s."id" = ${id} AND d."suspendedAt" IS NULL`
  if (site === undefined) return undefined
  const notice =
    site.logoutNoticeUri === null
      ? {}
      : { backchannel_logout_uri: site.logoutNoticeUri, backchannel_logout_session_required: true }
  return {
    client_id: id,
    client_name: site.name,
    // The library wants one. No secret has this digest.
    client_secret: Buffer.from(site.secretHash).toString('base64url') || 'ended',
    redirect_uris: site.redirectUris,
    post_logout_redirect_uris: site.logoutUris,
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    application_type: 'web',
    subject_type: 'pairwise',
    id_token_signed_response_alg: site.idTokenAlg as IdTokenAlg,
    ...notice,
  }
}

/** Whether a site sent its secret. Only the digest is stored, and the library has it as the secret. */
export function isSecretOf({ clientSecret = '' }: { clientSecret?: string }, sent: string): boolean {
  return equalDigests(Buffer.from(clientSecret, 'base64url'), sha256(sent))
}
