/** What the rules of risk look for in the raw params, at any depth. */
import { comparableAmount, currencyCode, type Money, moneyIn } from '../display/money'
import { hasHiddenCharacters, isMoneyName, isSecretName, lookAlikes } from '../display/value'
import type { Params } from '../request/params'

export interface Content {
  /** The largest amount of money. */
  largest: Money | null
  isProduction: boolean
  /** The name of a param that removes a safeguard, such as `cascade: true`. */
  force: string | null
  hasSecret: boolean
  /** Whether a text has invisible characters, or an address has letters that look like others. */
  isHidden: boolean
  /** The email addresses and the hosts of URLs. */
  addresses: string[]
}

const productionWord = /(^|[^a-z0-9])(prod|production|live|main|master)([^a-z0-9]|$)/i
const forceName =
  /^(cascade|force|forced|recursive|permanent|permanently|skip_?checks?|no_?backup|no_?verify|override|overwrite|all|everything)$/i
const forceText =
  /(^|\s)(--force|--no-verify|--hard|-rf|-fr|rm\s+-r|drop\s+(table|database|schema)|truncate\s+table)(\s|$)/i
const address = /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/([^/?#\s]+)|([^\s@]{1,64}@[^\s@]{1,255}))/i
const depthMax = 64

interface Found extends Content {
  addresses: string[]
}

/** Reads the params, and the words of the action. */
export function contentOf(params: Params, action = ''): Content {
  const found: Found = {
    largest: null,
    isProduction: productionWord.test(action),
    force: null,
    hasSecret: false,
    isHidden: false,
    addresses: [],
  }
  for (const [name, value] of Object.entries(params))
    look(found, name, value, { depth: 0, currency: currencyCode(params.currency) })
  return found
}

interface Place {
  depth: number
  /** The code beside the value. */
  currency: string | null
}

function look(found: Found, name: string, value: unknown, { depth, currency }: Place): void {
  lookAtMoney(found, moneyIn(value, isMoneyName(name), currency))
  if (hasHiddenCharacters(name)) found.isHidden = true
  if (productionWord.test(name) && value !== false) found.isProduction = true
  if (value === true && forceName.test(name)) found.force ??= name.slice(0, 40)
  if (typeof value === 'string') lookAtText(found, name, value)
  // Params nest at most as deep as 4 KiB of brackets. Deeper values count as hidden instead of overflowing the stack.
  if (depth > depthMax) found.isHidden = true
  else if (typeof value === 'object' && value !== null) {
    const inside = { depth: depth + 1, currency: 'currency' in value ? currencyCode(value.currency) : null }
    for (const [key, inner] of Object.entries(value))
      look(found, Array.isArray(value) ? name : key, inner, inside)
  }
}

function lookAtMoney(found: Found, money: Money | null): void {
  if (money === null) return
  if (found.largest === null || comparableAmount(money) > comparableAmount(found.largest))
    found.largest = money
}

function lookAtText(found: Found, name: string, text: string): void {
  if (hasHiddenCharacters(text)) found.isHidden = true
  if (productionWord.test(text)) found.isProduction = true
  const [command] = forceText.exec(text) ?? []
  if (command !== undefined) found.force ??= command.trim().slice(0, 40)
  if (isSecretName(name) && text !== '') found.hasSecret = true
  const [, host, mail] = address.exec(text) ?? []
  const place = (host ?? mail)?.toLowerCase()
  if (place === undefined) return
  found.addresses.push(place)
  if (lookAlikes(place).length > 0) found.isHidden = true
}
