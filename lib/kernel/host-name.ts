import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { m } from '@/lib/kernel/messages'

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const form = new RegExp(`^(${label}\\.)+${label}$`)

/** Characters that the URL parser would remove, decode or read as another part of a URL instead of rejecting them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters
const foreign = /[\u0000-\u0020\u007f/\\:@?#%[\]<>^|]/

/**
 * Returns a public host name as in DNS: punycode, lower-cased, without the trailing dot. Returns null for anything else: a scheme,
 * port, path or userinfo, an IP address in any spelling, `localhost`, or a name without a dot.
 */
export function hostName(text: string): string | null {
  if (text.length > 255 || foreign.test(text)) return null
  // IDNA converts U+3002 and similar characters to dots, so the trailing dot is removed after the conversion.
  const name = domainToASCII(text).replace(/\.$/, '')
  if (name.length > 253 || !form.test(name) || isIP(name) !== 0) return null
  return /(^|\.)(localhost|\d+)$/.test(name) ? null : name
}

/** A field with a host name, converted to its form in DNS. */
export const hostNameField = z
  .string()
  .max(255, { error: m.field_must_have_at_most_255_characters })
  .transform((text, context) => {
    const name = hostName(text)
    if (name !== null) return name
    context.addIssue({
      code: 'custom',
      message: m.field_must_be_host_name_like_shop(),
    })
    return z.NEVER
  })
  .meta({ type: 'string', format: 'hostname', maxLength: 255 })
