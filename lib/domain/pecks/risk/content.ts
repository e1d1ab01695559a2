/** What the rules of risk look for in the raw params, at any depth. */
import { addressesIn, lookAlikes } from '@/lib/kernel/text/addresses'
import { currencyCode } from '../display/currencies'
import { comparableAmount, findMoney, type Money, type MoneyFound } from '../display/money'
import { isSecretName, moneyNameOf } from '../display/names'
import { hasHiddenCharacters } from '../display/value'
import type { Params } from '../params'

export interface Content {
  /** The largest amount of money. */
  largest: Money | null
  /** Whether a value names an amount that cannot be read exactly. */
  hasUnclearAmount: boolean
  isProduction: boolean
  /** The name of a param that removes a safeguard, such as `cascade: true`. */
  force: string | null
  hasSecret: boolean
  /** Whether a text has invisible characters, or an address has letters that look like others. */
  isHidden: boolean
  /** The email addresses and the hosts of URLs, anywhere in a text. */
  addresses: string[]
}

const productionWord = /(^|[^a-z0-9])(prod|production|live|main|master)([^a-z0-9]|$)/i
const forceName =
  /^(cascade|force|forced|recursive|permanent|permanently|skip_?checks?|no_?backup|no_?verify|override|overwrite|all|everything)$/i
const forceText =
  /(?<![\w-])(--force|--no-verify|--hard|-rf|-fr|rm\s+-r|drop\s+(table|database|schema)|truncate\s+table)(?![\w-])/i
/** `true` as JSON, and as the numbers and texts that many programs read as true. */
const isTrue = (value: unknown) => value === true || /^\s*(true|yes|1)\s*$/i.test(String(value))
const depthMax = 64

interface Found extends Content {
  addresses: string[]
}

/** Reads the params, and the words of the action. */
export function contentOf(params: Params, action = ''): Content {
  const found: Found = {
    largest: null,
    hasUnclearAmount: false,
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
  lookAtMoney(found, findMoney(value, moneyNameOf(name), currency))
  if (hasHiddenCharacters(name)) found.isHidden = true
  lookAtAddresses(found, name)
  if (productionWord.test(name) && value !== false) found.isProduction = true
  if (forceName.test(name) && isTrue(value)) found.force ??= name.slice(0, 40)
  if (typeof value === 'string') lookAtText(found, name, value)
  // Params nest at most as deep as 4 KiB of brackets. Deeper values count as hidden instead of overflowing the stack.
  if (depth > depthMax) found.isHidden = true
  else if (typeof value === 'object' && value !== null) {
    const inside = { depth: depth + 1, currency: 'currency' in value ? currencyCode(value.currency) : null }
    for (const [key, inner] of Object.entries(value))
      look(found, Array.isArray(value) ? name : key, inner, inside)
  }
}

function lookAtMoney(found: Found, { amounts, isUnclear }: MoneyFound): void {
  if (isUnclear) found.hasUnclearAmount = true
  for (const money of amounts)
    if (found.largest === null || comparableAmount(money) > comparableAmount(found.largest))
      found.largest = money
}

function lookAtText(found: Found, name: string, text: string): void {
  if (hasHiddenCharacters(text)) found.isHidden = true
  if (productionWord.test(text)) found.isProduction = true
  const [command] = forceText.exec(text) ?? []
  if (command !== undefined) found.force ??= command.trim().slice(0, 40)
  if (isSecretName(name) && text !== '') found.hasSecret = true
  lookAtAddresses(found, text)
}

function lookAtAddresses(found: Found, text: string): void {
  for (const { text: address, place } of addressesIn(text)) {
    found.addresses.push(place)
    if (lookAlikes(address).length > 0) found.isHidden = true
  }
}
