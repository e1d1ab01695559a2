/**
 * Sites that register themselves (RFC 7591), where the host allows it. Nobody answers for such a site, so people see its host and no name, and may be
 * sent there only after somebody has allowed it. There is no management of registrations (RFC 7592): a site that changes registers again.
 */
import { randomBytes } from 'node:crypto'
import type { AdapterPayload, ClientMetadata, KoaContextWithOIDC, errors as OAuthErrors } from 'oidc-provider'
import { db } from '@/lib/db/client'
import { config } from '@/lib/kernel/config'
import { readClock } from '@/lib/kernel/runtime/clock'
import { log } from '@/lib/kernel/runtime/log'
import { newId } from '@/lib/kernel/secrets/ids'
import { randomSecret, sha256 } from '@/lib/kernel/secrets/secrets'
import { fetchLimits } from './documents'
import { errors } from './library'
import { isSiteId } from './site-client'
import { isLoopbackHost, NewSite } from './site-schema'
import { siteScopes } from './site-scopes'
import { columnsOf } from './sites'

/** A registration costs as much as so many pages: an address may register ten sites in a minute. */
const registrationCost = 60
/** Self-registered sites that nobody has signed in to. Whoever floods the service stops at this number. */
const unusedMax = 1000

/** What the library would fetch, or what such a site cannot have. The rest is dropped. */
const refused = ['jwks', 'jwks_uri', 'sector_identifier_uri', 'request_uris', 'initiate_login_uri'] as const

const kept = new Set([
  'client_id',
  'client_id_issued_at',
  'client_name',
  'client_secret',
  'client_secret_expires_at',
  'id_token_signed_response_alg',
  'post_logout_redirect_uris',
  'redirect_uris',
])

const siteMethods: unknown[] = [undefined, 'client_secret_basic', 'client_secret_post']
const scopesOfSites = new Set(['openid', ...siteScopes])

/** Whether a registration is one of a site: it has a secret, and signs people in instead of asking them. All others are programs. */
function isOfSite({ scope, token_endpoint_auth_method: method }: Partial<ClientMetadata>): boolean {
  const scopes = typeof scope === 'string' ? scope.split(' ') : []
  return (
    siteMethods.includes(method) && scopes.includes('openid') && scopes.every((one) => scopesOfSites.has(one))
  )
}

/** Options of the library for registrations. */
export const registrationOptions = {
  issueRegistrationAccessToken: false,
  idFactory({ oidc: { body } }: KoaContextWithOIDC): string {
    return config().siteRegistration && isOfSite(body ?? {})
      ? newId('site', readClock())
      : randomBytes(32).toString('base64url')
  },
  async secretFactory({ req }: KoaContextWithOIDC): Promise<string> {
    const mayRegister = (await fetchLimits.get(req)?.(registrationCost)) ?? false
    if (!mayRegister) throw refusal('too many registrations from your network. Try again in a minute')
    return randomSecret()
  },
} as const

function refusal(description: string): OAuthErrors.OIDCProviderError {
  const error = new errors.CustomOIDCProviderError('temporarily_unavailable', description)
  error.status = error.statusCode = 429
  return error
}

/** Whether a host is that of this service, or below it. */
function isOurs(hostname: string): boolean {
  const own = new URL(config().baseUrl).hostname
  return !isLoopbackHost(hostname) && (hostname === own || hostname.endsWith(`.${own}`))
}

/** Checks and changes the metadata of a site that registers itself, before the library checks it. Throws an error of RFC 7591. */
export function tidySite(metadata: ClientMetadata): void {
  const named = refused.find((name) => metadata[name] !== undefined)
  if (named !== undefined) throw new errors.InvalidClientMetadata(`${named} is not possible here`)
  if (metadata.response_types?.some((type) => type !== 'code'))
    throw new errors.InvalidClientMetadata('response_types must be ["code"]')
  for (const name of Object.keys(metadata)) if (!kept.has(name)) delete metadata[name]
  const { redirect_uris, post_logout_redirect_uris, id_token_signed_response_alg } = metadata
  const site = NewSite.safeParse({
    name: 'site',
    redirect_uris,
    post_logout_redirect_uris,
    id_token_signed_response_alg,
  })
  const [issue] = site.error?.issues ?? []
  if (issue?.path[0] === 'redirect_uris')
    throw new errors.InvalidRedirectUri(`redirect_uris ${issue.message}`)
  if (!site.success) throw new errors.InvalidClientMetadata(`${issue?.path.join('.')} ${issue?.message}`)
  const { host, hostname } = new URL(site.data.redirect_uris[0] ?? '')
  if (isOurs(hostname))
    throw new errors.InvalidRedirectUri('redirect_uris must not be at the host of this service')
  Object.assign(metadata, {
    // Whatever it calls itself, people would read it as checked.
    client_name: host,
    redirect_uris: site.data.redirect_uris,
    post_logout_redirect_uris: site.data.post_logout_redirect_uris,
    id_token_signed_response_alg: site.data.id_token_signed_response_alg,
    application_type: 'web',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    subject_type: 'pairwise',
    token_endpoint_auth_method: 'client_secret_basic',
  })
}

/** Stores a site that registers itself. Throws an error of RFC 7591 when the host has a site that somebody answers for. */
export async function storeSelfRegistered(id: string, payload: AdapterPayload): Promise<void> {
  const { client_name: host = '', client_secret: secret = '' } = payload
  if ((await db().site.count({ where: { host, selfRegistered: false } })) > 0)
    throw new errors.InvalidRedirectUri('the host has a site already: ask who registered it')
  if ((await db().site.count({ where: { selfRegistered: true, consents: { none: {} } } })) >= unusedMax)
    throw refusal('too many sites have registered that nobody uses. Try again tomorrow')
  const site = NewSite.parse({
    name: 'site',
    redirect_uris: payload.redirect_uris,
    post_logout_redirect_uris: payload.post_logout_redirect_uris,
    id_token_signed_response_alg: payload.id_token_signed_response_alg,
  })
  const now = readClock()
  await db().site.create({
    data: {
      id,
      ...columnsOf(site),
      name: host,
      selfRegistered: true,
      secretHash: new Uint8Array(sha256(secret)),
      createdAt: now,
      changedAt: now,
    },
  })
  log().info({ site: id, host }, 'a site registered itself')
}

/** Whether somebody answers for a site, or has allowed it. Otherwise a link to this service could lead anywhere. */
export async function isKnownSite(id: unknown): Promise<boolean> {
  if (!isSiteId(id)) return false
  const known = { OR: [{ selfRegistered: false }, { consents: { some: {} } }] }
  return (await db().site.count({ where: { id, ...known } })) > 0
}
