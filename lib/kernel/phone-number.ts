/** Decides which phone numbers get text messages (contract F, SMS). */
import { isSupportedCountry, type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { config } from './config'

/** Types of mobile phones. Premium, satellite and personal numbers are expensive, or pay their owners for messages. */
const types: NumberType[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE']

/** Returns the number in E.164 form, so that one number has one spelling, or the reason why it gets no text messages. */
export function readPhoneNumber(text: string): { number: string } | { fault: string } {
  const parsed = parsePhoneNumberFromString(text)
  if (parsed?.country === undefined || !isSupportedCountry(parsed.country))
    return { fault: 'must be a valid number with the code of a country' }
  if (!types.includes(parsed.getType())) return { fault: 'must be the number of a mobile phone' }
  const { smsCountries } = config()
  if (smsCountries !== null && !smsCountries.has(parsed.country))
    return { fault: 'must belong to a country that we send text messages to' }
  return { number: parsed.number }
}
