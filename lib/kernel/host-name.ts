import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { z } from 'zod'

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const form = new RegExp(`^(${label}\\.)+${label}$`)

/** What the URL parser would strip, decode or read as another part of an address, instead of refusing it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among what it refuses
const foreign = /[\u0000-\u0020\u007f/\\:@?#%[\]<>^|]/

/**
 * A public host name as the DNS knows it: IDNA (punycode), lower-cased, without the trailing dot. Null for anything else:
 * scheme, port, path, userinfo, IP address in any spelling, `localhost`, a name without a dot.
 */
export function hostName(text: string): string | null {
  if (text.length > 255 || foreign.test(text)) return null
  // U+3002 and its like are dots to IDNA, so the trailing one is removed after the conversion.
  const name = domainToASCII(text).replace(/\.$/, '')
  if (name.length > 253 || !form.test(name) || isIP(name) !== 0) return null
  return /(^|\.)(localhost|\d+)$/.test(name) ? null : name
}

/** The field: a host name, made into the form the DNS knows. */
export const hostNameField = z
  .string()
  .max(255, 'must have at most 255 characters')
  .transform((text, context) => {
    const name = hostName(text)
    if (name !== null) return name
    context.addIssue({
      code: 'custom',
      message: 'must be a host name like shop.example.com, without scheme, port, path or IP address',
    })
    return z.NEVER
  })
  .meta({ type: 'string', format: 'hostname', maxLength: 255 })
