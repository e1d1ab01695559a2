/**
 * The authorization server: OAuth 2.1 by oidc-provider (contract A, Programs that connect by OAuth). Programs connect with an authorization
 * code and PKCE, and get opaque tokens.
 * The library is loaded with the first request to it.
 */

import type { JsonWebKey } from 'node:crypto'
import { parseUrl } from '@beak/decision/parse-url'
import { decodeProtectedHeader } from 'jose'
import type {
  Client,
  Configuration,
  JWK,
  KoaContextWithOIDC,
  default as Library,
  errors as OAuthErrors,
  RefreshToken,
} from 'oidc-provider'
import { db } from '@/lib/db/client'
import type { OAuthKey } from '@/lib/db/generated/client'
import { scopes } from '@/lib/domain/agents/scopes'
import { config } from '@/lib/kernel/config'
import {
  browserCookie,
  consentPath,
  mcpUrl,
  narrowedResources,
  oauthRoutes,
  resourceAt,
  resourceUrl,
  responseMode,
} from '@/lib/kernel/request/oauth-paths'
import { day, minute, readClock } from '@/lib/kernel/runtime/clock'
import { log } from '@/lib/kernel/runtime/log'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { keyedHash } from '@/lib/kernel/secrets/secrets'
import { browserSecretOf } from './browser'
import { findGrant, recogniseBrowsers } from './browser-session'
import { connectionSeconds } from './connection'
import { documentOptions } from './documents'
import { openOAuthKey, readOAuthKeys } from './keys'
import { errors, interactionPolicy, Provider } from './library'
import { recordsOf } from './records'
import { tidyProgram } from './registration'
import { registrationOptions, tidySite } from './self-registered'
import { findPerson, subjectAt } from './site-claims'
import { isSecretOf, isSiteId } from './site-client'
import { idTokenAlgs } from './site-schema'
import { passkeyAcr, scopeClaims, siteScopes, wantsPasskey } from './site-scopes'

/** An access token lives 15 minutes, and a refresh token 30 days from its last use. */
const accessSeconds = 15 * minute
const refreshSeconds = 30 * day
/** How long a person may take to sign up and to allow. */
export const consentSeconds = 60 * minute

/** Returns a text of 256 bits that only this service can make. */
const derived = (text: string) => keyedHash('oauth', text).toString('base64url')

/**
 * Returns the id of a refresh token: the same for the same grant and rotation. So two windows of one program that use the same token get the
 * same successor, and so does a repeat after a lost answer.
 */
function refreshTokenId({ grantId, rotations = 0 }: RefreshToken): string {
  return derived(`refresh ${grantId} ${rotations}`)
}

const hostOf = ({ redirectUris = [] }: Client) => new URL(redirectUris[0] ?? 'http://none.invalid').host

/** Every program is asked about each time. A site is asked about once, unless it wants to know more, or who sits there now. */
function policy() {
  const prompts = interactionPolicy.base()
  const { Check } = interactionPolicy
  prompts
    .get('consent')
    ?.checks.add(
      new Check('not_allowed', 'the person must allow it', 'consent_required', ({ oidc }) =>
        oidc.result?.consent || isSiteId(oidc.client?.clientId)
          ? Check.NO_NEED_TO_PROMPT
          : Check.REQUEST_PROMPT,
      ),
    )
  prompts
    .get('login')
    ?.checks.add(
      new Check('passkey_needed', 'a passkey must sign the person in', 'login_required', ({ oidc }) =>
        isSiteId(oidc.client?.clientId) && wantsPasskey(oidc.params?.acr_values) && oidc.acr !== passkeyAcr
          ? Check.REQUEST_PROMPT
          : Check.NO_NEED_TO_PROMPT,
      ),
    )
  return prompts
}

/**
 * What the listener does with the address of a request, for one that was pushed (RFC 9126) and has none: programs that name no scope may ask, at the
 * MCP server, and codes go back in the query.
 */
const pushedParams: Configuration['extraParams'] = {
  response_mode({ oidc }, mode) {
    if (mode === undefined || mode === responseMode) return
    if (oidc.params) oidc.params.response_mode = undefined
    throw new errors.UnsupportedResponseMode()
  },
  scope({ oidc: { route, params } }, _scope, { clientId }) {
    if (route !== 'pushed_authorization_request' || params === undefined || isSiteId(clientId)) return
    params.scope ??= 'ask'
    params.resource ??= mcpUrl()
  },
}

function configuration(keys: JsonWebKey[]): Configuration {
  const cookie = { httpOnly: true, sameSite: 'lax', secure: config().origin.startsWith('https:') } as const
  return {
    acrValues: [passkeyAcr],
    // OAuth 2.1 and OpenID Connect want it named, so that a second address changes nothing for the first.
    allowOmittingSingleRegisteredRedirectUri: false,
    adapter: recordsOf,
    fetch: documentOptions.fetch,
    claims: { openid: ['sub', 'acr', 'amr', 'auth_time'], sid: null, ...scopeClaims },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    // Several libraries read the ID token only.
    conformIdTokenClaims: false,
    // A person who signed in for one program has not signed in for the next.
    cookies: {
      keys: [derived('cookies')],
      long: { ...cookie, signed: true },
      short: { ...cookie, signed: true },
    },
    // Called once for each program, with all that it says.
    extraClientMetadata: {
      properties: ['client_name'],
      validator: (_context, _name, _value, metadata) => {
        if (!isSiteId(metadata.client_id)) tidyProgram(metadata)
        else if (Provider.ctx?.oidc.route === 'registration') tidySite(metadata)
      },
    },
    features: {
      clientIdMetadataDocument: { ...documentOptions.feature, enabled: config().programDocuments },
      backchannelLogout: { enabled: true },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: true },
      registration: { enabled: true, ...registrationOptions },
      revocation: {
        enabled: true,
        allowedPolicy: (_context, { clientId }, token) => token.clientId === clientId,
      },
      introspection: {
        enabled: true,
        allowedPolicy: (_context, { clientId }, token) =>
          isSiteId(clientId) && 'clientId' in token && token.clientId === clientId,
      },
      rpInitiatedLogout: { enabled: true },
      userinfo: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_context, { clientId }) => (isSiteId(clientId) ? [] : mcpUrl()),
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, asked, { clientId }) => {
          const name = resourceAt(asked)
          if (name === null || isSiteId(clientId)) throw new errors.InvalidTarget()
          return {
            scope: scopes.join(' '),
            audience: resourceUrl(name),
            accessTokenFormat: 'opaque',
            accessTokenTTL: accessSeconds,
          }
        },
      },
    },
    extraParams: pushedParams,
    // A connection outlives the session that allowed it, as a beak key does.
    expiresWithSession: () => false,
    findAccount: ({ oidc: { client } }, accountId) =>
      client !== undefined && isSiteId(client.clientId)
        ? findPerson(accountId, hostOf(client))
        : { accountId, claims: () => ({ sub: accountId }) },
    interactions: {
      policy: policy(),
      url: (context, { uid, params }) => {
        // Whoever gets the link of the page elsewhere has no such cookie, so nobody connects his program to the account of somebody else.
        const path = `${config().basePath}${consentPath}/${uid}`
        context.cookies.set(browserCookie, browserSecretOf(uid), {
          ...cookie,
          path,
          maxAge: consentSeconds * 1000,
          signed: false,
        })
        const { login_hint: hint } = params
        return typeof hint === 'string' ? `${path}?${new URLSearchParams({ login_hint: hint })}` : path
      },
    },
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    jwks: { keys: keys as JWK[] },
    loadExistingGrant: findGrant,
    pairwiseIdentifier: (_context, accountId, client) => subjectAt(db(), accountId, hostOf(client)),
    pkce: { required: () => true },
    renderError: (context, out) => {
      context.type = 'json'
      context.body = out
    },
    responseTypes: ['code'],
    // A program without tokens must not look connected.
    revokeGrantPolicy: () => true,
    rotateRefreshToken: true,
    routes: oauthRoutes,
    // The others belong to the resource.
    scopes: ['openid', ...siteScopes],
    subjectTypes: ['public', 'pairwise'],
    ttl: {
      AccessToken: accessSeconds,
      AuthorizationCode: minute,
      Grant: (_context, { clientId }) => (isSiteId(clientId) ? day : connectionSeconds),
      IdToken: accessSeconds,
      Interaction: consentSeconds,
      RefreshToken: (_context, token) =>
        Math.max(1, Math.min(refreshSeconds, connectionSeconds - token.totalLifetime())),
      Session: consentSeconds,
    },
  }
}

/** Makes an ID token of a site a good hint also after the site has chosen another algorithm. */
function acceptEachAlgorithm({ IdToken }: Library): void {
  const tokens = IdToken as unknown as {
    validate(token: string, client: Pick<Client, 'clientId' | 'idTokenSignedResponseAlg'>): Promise<unknown>
  }
  const validate = tokens.validate.bind(tokens)
  tokens.validate = async (token, { clientId }) => {
    const { alg: named } = decodeProtectedHeader(token)
    const alg = idTokenAlgs.find((name) => name === named)
    if (alg === undefined) throw new errors.InvalidRequest('the ID token has an unknown algorithm')
    return validate(token, { clientId, idTokenSignedResponseAlg: alg })
  }
}

function makeServer(keys: OAuthKey[]): Library {
  // The library calls it, and the oldest Node.js that runs this service may lack it.
  URL.parse ??= (text, base) => parseUrl(String(text), base?.toString())
  const provider = new Provider(config().baseUrl, configuration(keys.map(openOAuthKey)))
  // The listener sets the headers of a proxy to the address of this service.
  provider.proxy = true
  // Members of every token of the library, which its types do not declare.
  Object.defineProperties(provider.RefreshToken.prototype, {
    generateTokenId: {
      value(this: RefreshToken) {
        return refreshTokenId(this)
      },
    },
    resourceIndicators: {
      get(this: RefreshToken) {
        return new Set(narrowedResources([this.resource ?? []].flat()))
      },
    },
  })
  Object.assign(provider.Client.prototype, {
    compareClientSecret(this: Client, sent: string) {
      return isSecretOf(this, sent)
    },
    // By the name of a sign-in, a site says which one ends.
    includeSid(this: Client) {
      return isSiteId(this.clientId)
    },
  })
  acceptEachAlgorithm(provider)
  recogniseBrowsers(provider)
  provider.on(
    'grant.error',
    (_context: KoaContextWithOIDC, { error, error_detail: detail }: OAuthErrors.OIDCProviderError) =>
      log().info({ error, detail }, 'token refused'),
  )
  return provider
}

/** Returns the authorization server of this process. The library takes its keys only when it is made, so other keys make another one. */
export async function authorizationServer(): Promise<Library> {
  const keys = await readOAuthKeys(readClock())
  const kids = keys.map(({ kid }) => kid).join()
  const known = singleton('oauth.server', () => ({ kids, server: makeServer(keys) }))
  if (known.kids !== kids) Object.assign(known, { kids, server: makeServer(keys) })
  return known.server
}
