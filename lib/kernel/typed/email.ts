/** Reads email addresses as people write them. */
import { z } from 'zod'
import { m } from '@/lib/kernel/messages'
import { hostName } from '@/lib/kernel/request/host-name'
import { asciiWidth, trimmed } from './digits'

const addressMax = 254
/** The part before the `@` without quotation marks (RFC 5321, section 4.1.2), and a host name with a dot. */
const form =
  /^(?=[^@]{1,64}@)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/
const isAscii = /^\p{ASCII}*$/u

/**
 * Returns the address in the one form that is stored: in small letters, and the domain as in DNS ("bücher.example" is
 * "xn--bcher-kva.example"). Or returns why the text is no address.
 *
 * Two mailboxes must never become one. So only the width of letters is changed before the `@`, as every profile for user names does (RFC 8265,
 * section 3.3.2), and other letters are refused there, not folded. Domains are read as browsers and mail programs read them (UTS 46).
 */
function readEmail(typed: string): { address: string } | { fault: string } {
  const text = asciiWidth(trimmed(typed))
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1) return { fault: m.field_email_format() }
  // Before capitals become small: the Kelvin sign has "k" as its small letter.
  if (!isAscii.test(local)) return { fault: m.field_must_have_ascii_before_at() }
  const host = isAscii.test(domain) ? domain : hostName(domain)
  if (host === null) return { fault: m.field_must_have_domain_after_at() }
  const address = `${local}@${host}`.toLowerCase()
  if (address.length > addressMax) return { fault: m.field_must_have_at_most_254_characters() }
  return form.test(address) ? { address } : { fault: m.field_email_format() }
}

/** An email address in the one form that is stored (contract A, Spellings). */
export const email = z
  .string()
  .max(300, { error: m.field_must_have_at_most_254_characters, abort: true })
  .transform((typed, context) => {
    const read = readEmail(typed)
    if ('address' in read) return read.address
    context.addIssue({ code: 'custom', message: read.fault })
    return z.NEVER
  })
  .meta({ type: 'string', format: 'email', maxLength: 254 })
