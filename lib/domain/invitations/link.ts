/** The address of an invitation: `<BASE_URL>/ask/<token>`. */
import { z } from 'zod'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'

/** 16 random bytes in Crockford's base32. */
const tokenForm = '[0-9A-HJKMNP-TV-Z]{26}'

export const invitationToken = z
  .string()
  .regex(new RegExp(`^${tokenForm}$`), { error: m.field_must_be_token_of_invitation })

/** Returns the address of the page of an invitation. */
export function invitationUrl(token: string): string {
  return `${config().baseUrl}/ask/${token}`
}

/** Returns the token in a link of this service, or null for any other text. Scheme and host are compared as browsers do. */
export function tokenIn(text: string): string | null {
  const url = URL.parse(text.trim())
  const prefix = new URL(invitationUrl(''))
  if (url === null || url.origin !== prefix.origin || url.username !== '' || url.password !== '') return null
  if (url.search !== '' || url.hash !== '' || !url.pathname.startsWith(prefix.pathname)) return null
  const token = url.pathname.slice(prefix.pathname.length).replace(/\/$/, '')
  return invitationToken.safeParse(token).data ?? null
}
