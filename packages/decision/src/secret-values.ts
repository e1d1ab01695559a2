/**
 * Secrets in what other people send: by the name of a value, and by its form. The one list for risk, display, receipts and exports. Logs have
 * no params, and mails no secret (docs/risk.md).
 */

import { withoutAccents } from './accents'
import { Recent } from './recent'
import { remembered } from './remembered'

const secretWords =
  'access_?code access_?key api_?keys? apikey auth authentication authorisation authorization backup_?codes? bearer card_?number cookies? credentials? credit_?card csc cvc cvv cvv2 cvn encryption_?key iban_?pin id_?token jwt keyring kennwort login_?code master_?key mnemonic mot_?de_?passe one_?time_?(?:code|password) otp pass_?code pass_?phrase passcode passphrase passwd password passwort pin pincode private_?keys? privkey psk pwd recovery_?(?:codes?|phrase) refresh_?token secrets? seed_?phrase senha session_?(?:cookie|id|token) signing_?key ssh_?keys? tan token totp wachtwoord contrasena x_?api_?key'
const secretName = new RegExp(String.raw`(?:^|_)(?:${secretWords.replaceAll(' ', '|')})s?\d*(?:_|$)`)
/** What a name says about a secret instead of holding it. */
const aboutSecret =
  /_(?:algorithm|changed|count|created|enabled|expires?|expiry|hint|id|ids|kind|last_?four|last4|length|limit|method|name|policy|required|reset|rotated|status|strength|type|updated|url|used|at|address|mode|provider|scheme|symbol)$/
/** Names that end like one about a secret and hold one. */
const secretId = /(?:^|_)(?:session|access_key|secret)_ids?$/

/** Requests have the same names again and again, and each is asked for several times. Long names are rare. */
const snakeCases = new Recent<string>(4000)
const keptLength = 64

/** Returns a name in snake case: `newPassword` and `New-Password` are `new_password`, and `Gebühr` is `gebuhr`. */
export function snakeCase(name: string): string {
  if (name.length > keptLength) return makeSnakeCase(name)
  return snakeCases.find(name) ?? snakeCases.keep(name, makeSnakeCase(name))
}

function makeSnakeCase(name: string): string {
  return withoutAccents(name)
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3_$2')
    .replace(/[^a-z0-9]+/gi, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase()
}

/** Whether the name says that the value is a secret. */
export const isSecretName = remembered((name) => {
  const words = snakeCase(name)
  return secretName.test(words) && (!aboutSecret.test(words) || secretId.test(words))
})

/** Keys of known providers, tokens and private keys. The documentation of each provider has these names. */
const secretForms = [
  '-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----[\\s\\S]*?(?:-----END [A-Z ]{0,40}-----|$)',
  'eyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.[\\w-]{8,}',
  '(?:sk|rk|pk)_(?:live|test)_[0-9A-Za-z]{10,}',
  'sk-(?:[a-z]+-)*[\\w-]{20,}',
  'gh[pousr]_[0-9A-Za-z]{20,}',
  'github_pat_\\w{20,}',
  'glpat-[\\w-]{16,}',
  'xox[abeoprs]-[\\w-]{10,}',
  'xapp-[\\w-]{10,}',
  '(?:AKIA|ASIA)[0-9A-Z]{16}',
  'AIza[\\w-]{30,}',
  'ya29\\.[\\w-]{20,}',
  'npm_[0-9A-Za-z]{30,}',
  'pypi-[\\w-]{30,}',
  'hf_[0-9A-Za-z]{30,}',
  'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
  'whsec_[\\w+/=-]{16,}',
  'dop_v1_[0-9a-f]{32,}',
  'AGE-SECRET-KEY-1[0-9A-Z]{20,}',
  '[Bb]earer\\s+[\\w.~+/-]{16,}=*',
  '[Bb]asic\\s+[A-Za-z0-9+/]{12,}={0,2}(?![\\w])',
  '[A-Z0-9_]{0,40}(?:SECRET|PASSWORD|PASSWD|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY)[A-Z0-9_]{0,20}\\s?[=:]\\s?\\S{6,}',
  '(?:[Pp]assword|[Pp]asswort|[Pp]assphrase|[Pp]asscode|[Kk]ennwort|PIN|[Mm]ot de passe|[Cc]ontraseña|[Ss]enha|[Ww]achtwoord|API key|[Tt]oken)\\s?(?:is|ist|lautet|est|es|è|é|=|:)\\s?:?\\s?(?=\\S{0,40}[\\d#!@$%^&*])\\S{4,}',
  '[a-z][a-z0-9+.-]{1,20}://[^\\s/:@]{1,64}:[^\\s/@]{1,64}@',
]
const secretForm = new RegExp(`(?<![\\w])(?:${secretForms.join('|')})`, 'g')

/** The numbers of payment cards: 13 to 19 digits, in groups or not, whose check digit is right (ISO/IEC 7812, Luhn). */
const cardForm = /(?<![\d.,])\d(?:[ -]?\d){12,18}(?!\d)/g

function hasLuhnDigit(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place])
    const doubled = place % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** The numbers of all networks begin with 2 to 6. */
function isCard(digits: string): boolean {
  return /^[2-6]/.test(digits) && !/^(\d)\1+$/.test(digits) && hasLuhnDigit(digits)
}

/** Names of a telephone number, or of whom something reaches. */
const isPhoneName = remembered((name) =>
  /(?:^|_)(?:an|callees?|callers?|cell|empfanger|fax|handy|mobile|msisdn|phone|recipient|sms|tel|telefon|telephone|to|whatsapp)s?(?:_?(?:no|nr|number|nummer)s?)?$/.test(
    snakeCase(name),
  ),
)
/** American Express (15 digits) and Diners Club (14). The countries +30, +34, +36, +37… and +38… have no telephone numbers of these lengths. */
const shortCard = /^3(?:[47]\d{13}|(?:0[0-5]|[68]\d)\d{11})$/

/**
 * Whether digits are a telephone number: after `+` or under the name of one, with 15 digits at most (ITU-T E.164). One telephone number of 13
 * digits in ten has the right check digit of a card by chance, and a hidden recipient would be approved unseen. A card of 16 digits and more
 * stays one behind `+`.
 */
const isPhone = (digits: string, name: string, before: string) =>
  digits.length <= 15 && !shortCard.test(digits) && (/\+\s?$/.test(before) || isPhoneName(name))

/** Returns a text with another text for each number of a card. `name`: of the param that has the text. */
const replaceCards = (text: string, name: string, other: string) =>
  text.replace(cardForm, (found, at: number) => {
    const digits = found.replace(/\D/g, '')
    return isCard(digits) && !isPhone(digits, name, text.slice(Math.max(0, at - 2), at)) ? other : found
  })

/** What stands for a secret. */
export const hiddenSecret = '••••••'

/** The shortest form is "PIN=" and four characters. */
const shortestSecret = 8
const plainWord = /^[a-z]{1,15}$/i

/** Returns a text with each part hidden that has the form of a secret. `name`: of the param that has the text. */
export function hideSecrets(text: string, name = ''): string {
  return text.length < shortestSecret || plainWord.test(text)
    ? text
    : replaceCards(text.replace(secretForm, hiddenSecret), name, hiddenSecret)
}

const isEmpty = (value: unknown) => value === null || value === '' || typeof value === 'boolean'

/** Whether a value, which is no object or list, is a secret and nothing else. */
export function isWholeSecret(name: string, value: unknown): boolean {
  if (typeof value === 'object' || isEmpty(value)) return false
  return isSecretName(name) || hideSecrets(String(value).trim(), name) === hiddenSecret
}

/** Returns a value with every secret in it hidden, at any depth. What a name says of an object or a list holds for what is in it. */
export function withoutSecrets(name: string, value: unknown): unknown {
  return hide(name, value, isSecretName(name))
}

function hide(name: string, value: unknown, isNamed: boolean): unknown {
  if (isEmpty(value)) return value
  if (Array.isArray(value)) return value.map((item: unknown) => hide(name, item, isNamed))
  if (typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value as object).map(([key, inner]) => [
        key,
        hide(key, inner, isNamed || isSecretName(key)),
      ]),
    )
  if (isNamed) return hiddenSecret
  const text = String(value)
  const shown = hideSecrets(text, name)
  return shown === text ? value : shown
}

/** What a secret is, in words after "a". */
export type SecretKind = 'secret key' | 'password' | 'card number' | 'secret'

const kindNames: [RegExp, SecretKind][] = [
  [/(^|_)(credit_?card|card_?number|csc|cvc|cvv2?|cvn)(_|$)/, 'card number'],
  [/pass|pwd|pin(code)?$|kennwort|senha|contrasena|wachtwoord/, 'password'],
  [/key|token|jwt|bearer/, 'secret key'],
]

/** Returns what the first secret of a value is, at any depth. Null: it has none. */
export function secretKind(name: string, value: unknown): SecretKind | null {
  if (!hasSecret(name, value)) return null
  if (typeof value === 'object' && value !== null && !isSecretName(name)) {
    const kinds = Object.entries(value).map(([key, inner]) =>
      secretKind(Array.isArray(value) ? name : key, inner),
    )
    return kinds.find((kind) => kind !== null) ?? 'secret'
  }
  if (isSecretName(name)) return kindNames.find(([pattern]) => pattern.test(snakeCase(name)))?.[1] ?? 'secret'
  const text = String(value)
  if (replaceCards(text, name, '') !== text) return 'card number'
  return /pass|kennwort|\bpin\b|senha|contrase|wachtwoord/i.test(text) ? 'password' : 'secret key'
}

/** Whether a value has a secret, at any depth. */
export function hasSecret(name: string, value: unknown): boolean {
  return hides(name, value, isSecretName(name))
}

/** Whether `hide` changes the value. */
function hides(name: string, value: unknown, isNamed: boolean): boolean {
  if (isEmpty(value)) return false
  if (Array.isArray(value)) return value.some((item: unknown) => hides(name, item, isNamed))
  if (typeof value === 'object')
    return Object.entries(value as object).some(([key, inner]) =>
      hides(key, inner, isNamed || isSecretName(key)),
    )
  const text = String(value)
  return isNamed ? value !== hiddenSecret : hideSecrets(text, name) !== text
}
