/** Decides which phone numbers get text messages (contract F, SMS). */
import { isSupportedCountry, type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'

/** Types of mobile phones. Premium, satellite and personal numbers are expensive, or pay their owners for messages. */
const types: NumberType[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE']

/** Returns the number in E.164 form, so that one number has one spelling, or the reason why it gets no text messages. */
export function readPhoneNumber(text: string): { number: string } | { fault: string } {
  const parsed = parsePhoneNumberFromString(text)
  if (parsed?.country === undefined || !isSupportedCountry(parsed.country))
    return { fault: m.field_phone_format() }
  if (!types.includes(parsed.getType())) return { fault: m.field_must_be_number_mobile_phone() }
  const { smsCountries } = config()
  if (smsCountries !== null && !smsCountries.has(parsed.country))
    return { fault: m.field_phone_country_unsupported() }
  return { number: parsed.number }
}
