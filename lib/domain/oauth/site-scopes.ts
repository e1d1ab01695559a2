/** What a site may learn of a person, as scopes of OpenID Connect. The consent shows each as a sentence. */

/** The claims of each scope (OpenID Connect Core, 5.4). */
export const scopeClaims = {
  profile: ['name', 'picture'],
  email: ['email', 'email_verified'],
  tier: ['tier', 'tier_since'],
  handle: ['preferred_username'],
  certificate: ['certificate_id'],
} satisfies Record<string, string[]>

export type SiteScope = keyof typeof scopeClaims

export const siteScopes = Object.keys(scopeClaims) as SiteScope[]

/** Returns the scopes of a list or a text of OAuth, in the order of the list. Leaves out unknown ones. */
export function readSiteScopes(names: string | readonly string[]): SiteScope[] {
  const named = new Set(typeof names === 'string' ? names.split(' ') : names)
  return siteScopes.filter((scope) => named.has(scope))
}

/** A passkey signed the person in (OpenID Connect Extended Authentication Profile, ACR values: phishing-resistant). */
export const passkeyAcr = 'phr'

/** Whether a request demands a passkey (`acr_values`). */
export const wantsPasskey = (values: unknown): boolean =>
  String(values ?? '')
    .split(' ')
    .includes(passkeyAcr)
