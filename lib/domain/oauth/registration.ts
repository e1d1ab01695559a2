/** What a program may say about itself when it registers (RFC 7591). Anybody may register, so this keeps only what the service uses. */
import { parseUrl } from '@beak/decision/parse-url'
import type { ClientMetadata } from 'oidc-provider'
import { hasInvisible, mixesAlphabets } from '@/lib/kernel/text/names'
import { errors } from './library'

/** The rest is dropped: the library would fetch some of the addresses in it. */
const kept = new Set([
  'application_type',
  'client_id',
  'client_id_issued_at',
  'client_name',
  'grant_types',
  'redirect_uris',
])

const grantTypes = ['authorization_code', 'refresh_token']

const nameMax = 100
const redirectsMax = 20
const redirectLengthMax = 2000

/** Whether a name can be shown in a sentence. It may say anything: the page says that nobody has checked it. */
function isShowable(name: unknown): boolean {
  return (
    typeof name === 'string' && [...name].length <= nameMax && !hasInvisible(name) && !mixesAlphabets(name)
  )
}

function isShort(redirects: string[]): boolean {
  return redirects.length <= redirectsMax && redirects.every(({ length }) => length <= redirectLengthMax)
}

/** Whether an address has a user name before its host, which readers take for the host. */
function hasUser(redirect: string): boolean {
  const { username = '', password = '' } = parseUrl(redirect) ?? {}
  return username !== '' || password !== ''
}

/**
 * Checks and changes the metadata of a program, before the library checks it. Throws `InvalidClientMetadata`.
 *
 * Many programs on a computer do not say that they are native. The library allows `http:` addresses of other hosts to all others, so a program
 * with any address that is not `https:` is native here.
 */
export function tidyProgram(metadata: ClientMetadata): void {
  for (const name of Object.keys(metadata)) if (!kept.has(name)) delete metadata[name]
  metadata.token_endpoint_auth_method = 'none'
  const { client_name: name, redirect_uris: redirects, grant_types: types } = metadata
  if (name !== undefined && !isShowable(name))
    throw new errors.InvalidClientMetadata(
      `client_name must be one line of at most ${nameMax} characters that everybody sees`,
    )
  if (Array.isArray(types)) metadata.grant_types = types.filter((type) => grantTypes.includes(type))
  if (!Array.isArray(redirects) || redirects.some((redirect) => typeof redirect !== 'string')) return
  if (!isShort(redirects))
    throw new errors.InvalidClientMetadata(
      `redirect_uris must be at most ${redirectsMax}, of at most ${redirectLengthMax} characters`,
    )
  if (redirects.some(hasUser))
    throw new errors.InvalidClientMetadata('redirect_uris must not have a user name or a password')
  if (redirects.some((redirect) => parseUrl(redirect)?.protocol !== 'https:'))
    metadata.application_type = 'native'
}
