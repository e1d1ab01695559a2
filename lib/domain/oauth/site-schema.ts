import { parseUrl } from '@beak/decision/parse-url'
import { z } from 'zod'
import { agentName } from '@/lib/domain/agents/schema'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { instant } from '@/lib/kernel/request/fields'
import { idSchema } from '@/lib/kernel/secrets/ids'

export const siteId = idSchema('site')

/** How ID tokens are signed. The first is the one of a site that chooses none. */
export const idTokenAlgs = ['RS256', 'EdDSA'] as const
export type IdTokenAlg = (typeof idTokenAlgs)[number]

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a host name of an address is this computer. */
export const isLoopbackHost = (hostname: string): boolean => loopbackHosts.has(hostname)

/** Whether codes and people may be sent to an address: of another host, over https, or to this computer while a site is built. */
function isSiteAddress(text: string): boolean {
  const url = parseUrl(text)
  if (url === null || url.username !== '' || url.password !== '' || text.includes('#')) return false
  if (url.host === new URL(config().baseUrl).host) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))
}

const address = z
  .string()
  .trim()
  .max(2000)
  .refine(isSiteAddress, { error: m.field_site_address })
  .meta({ type: 'string', format: 'uri' })

const hostsOf = (texts: readonly string[]) => new Set(texts.map((text) => parseUrl(text)?.host))

const fields = {
  name: agentName.meta({ description: 'What people read beside the host, which they see too.' }),
  redirect_uris: z.array(address).min(1).max(10).meta({
    description: 'Where the browser goes back to after a sign-in. The same one is sent, to the letter.',
  }),
  post_logout_redirect_uris: z
    .array(address)
    .max(10)
    .default([])
    .meta({ description: 'Where the browser may go after a sign-out.' }),
  backchannel_logout_uri: address.nullable().default(null).meta({
    description: 'Gets a logout token when a sign-in ends (OpenID Connect Back-Channel Logout 1.0).',
  }),
  id_token_signed_response_alg: z.enum(idTokenAlgs).default(idTokenAlgs[0]).meta({
    description: 'How ID tokens and logout tokens are signed. Most libraries expect `RS256`.',
  }),
}

interface Addresses {
  redirect_uris: string[]
  post_logout_redirect_uris: string[]
  backchannel_logout_uri: string | null
}

const isOfOneHost = (site: Addresses) =>
  hostsOf([
    ...site.redirect_uris,
    ...site.post_logout_redirect_uris,
    ...(site.backchannel_logout_uri === null ? [] : [site.backchannel_logout_uri]),
  ]).size === 1

const oneHost = { path: ['redirect_uris'], error: m.field_site_one_host }

/** A site to register. People allow its host, so all its addresses are there. */
export const NewSite = z.strictObject(fields).refine(isOfOneHost, oneHost)

export const SiteChange = z
  .strictObject({
    client_id: siteId,
    ...fields,
    new_secret: z
      .boolean()
      .default(false)
      .meta({ description: 'Replaces the secret. The old one ends at once.' }),
  })
  .refine(isOfOneHost, oneHost)

export const Site = z
  .object({
    client_id: z.string(),
    name: z.string(),
    host: z.string(),
    redirect_uris: z.array(z.string()),
    post_logout_redirect_uris: z.array(z.string()),
    backchannel_logout_uri: z.string().nullable(),
    id_token_signed_response_alg: z.enum(idTokenAlgs),
    secret_ended: z.boolean().meta({
      description: 'Its secret ended because the service was restored from a backup: replace it.',
    }),
    created_at: instant,
  })
  .meta({ id: 'Site', description: 'A site whose visitors sign in with Beak.' })

/** A site with its secret, as only registering it and replacing the secret return it. */
export const SiteWithSecret = Site.extend({ client_secret: z.string() }).meta({ id: 'SiteWithSecret' })

export const ChangedSite = Site.extend({
  client_secret: z.string().nullable().meta({ description: 'Null: it has not changed.' }),
}).meta({ id: 'ChangedSite' })
