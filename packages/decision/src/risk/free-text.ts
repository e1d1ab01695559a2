/**
 * The reasons of a request in free text. It is never below medium: a sentence can ask for anything, and no list of words is complete. Those who
 * trick people ask for codes and for money that nobody gets back, so both are high in any sentence.
 */
import { freeTextParam } from '../free-text'
import type { Params } from '../params'
import { say } from '../wording'
import type { RiskReason } from './levels'
import { reason } from './version-2'
import { folded } from './words'

/** In English, German, French, Spanish, Italian, Portuguese and Dutch. */
const codes =
  /\b(?:otps?|pins?|pin-?(?:code|nummer)|tans?|2fa|mfa|(?:one.time|login|sign.in|security|access|recovery|verification|sms|six.digit)[ -]?(?:codes?|phrase)|codes?|passcodes?|passw(?:or)?ds?|passwor[dt]er?|passkeys?|kennw\w+|zugangs\w+|sicherheits-?code|seed ?phrase|mot de passe|contrase[nñ]a|clave|senha|wachtwoord|codigos?|codici?)\b/
const lostMoney =
  /\b(?:gift ?cards?|geschenkkarten?|gutschein(?:e|karten?)?|voucher|bitcoins?|btc|crypto\w*|krypto\w*|ethereum|usdt|western union|moneygram|wire|uberweis\w*|ueberweis\w*|bank transfer|virement|transferencia|bonifico|overboeking)\b/

/** Returns the reasons of a request in free text. `found`: what the other rules say. */
export function reasonsOfFreeText(found: RiskReason[], params: Params): RiskReason[] {
  const text = folded(String(params[freeTextParam] ?? ''))
  const isHigh = (rule: RiskReason['rule']) => found.some((one) => one.rule === rule && one.level === 'high')
  const added = [
    ...(codes.test(text) && !isHigh('secret') ? [reason('secret', 'high', say('looks_for_codes'))] : []),
    ...(lostMoney.test(text) && !isHigh('money') ? [reason('money', 'high', say('moves_money'))] : []),
  ]
  const kept = found.filter((one) => one.rule !== 'unlisted' && !added.some(({ rule }) => rule === one.rule))
  return [...kept, ...added, reason('unlisted', 'medium', say('free_text'))]
}
