/**
 * The judge of rules: whether a request lies within a rule. The service and everybody who checks a receipt use the same code, so a receipt
 * of an automatic answer can be checked offline. It reads nothing but the rule and the request. See docs/rules.md.
 */
import { canonicalText } from '../canonical'
import { hasExactNumbers } from '../exact-numbers'
import { looksLikeAccount } from './accounts'
import { compareWithBound, isMoneyBound } from './bounds'
import { contradicts, type ExactMoney, looksLikeMoney, moneyOfParam, readMoney } from './money'
import { namesReached } from './names'
import { hostIn, isAddress, isBelow } from './places'
import type { Constraint, Rule } from './rule'

/** What the judge reads of a request. */
export interface JudgedRequest {
  requester: { duckling_id: string; agent_id: string | null }
  action: string
  scope: 'limited' | 'timed' | 'standing'
  params: Readonly<Record<string, unknown>>
}

/**
 * Why a request does not lie within a rule. `asker`: it is for other agents. `action`, `scope`: it allows others. `unnamed`: the request has a
 * param that the rule does not name. `missing`: the request lacks a param. `value`: a param is another one. `money`: an amount cannot be counted.
 */
export interface Miss {
  why: 'asker' | 'action' | 'scope' | 'unnamed' | 'missing' | 'value' | 'money'
  param?: string
}

/** `cost`: what the request costs, or null for no money. */
export type Judged = { fits: true; cost: ExactMoney | null } | { fits: false; misses: Miss[] }

/** Returns the value of an own member, so that names such as `constructor` and `__proto__` are names like any other. */
const own = (params: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(params, name) ? params[name] : undefined

/** Returns the canonical JSON of a value, or null for one that has none, such as an infinite number. */
function textOf(value: unknown): string | null {
  try {
    return canonicalText(value)
  } catch {
    return null
  }
}

function isSame(value: unknown, wanted: unknown): boolean {
  const text = textOf(value)
  return typeof value === typeof wanted && text !== null && text === textOf(wanted)
}

/**
 * Tells whether a value is what a constraint demands. `beside`: the param `currency`, for an amount without one. `isPaid`: the request is a
 * payment, so that `any` stands for no number.
 */
export function satisfies(
  value: unknown,
  constraint: Constraint,
  beside: unknown,
  isPaid = beside !== undefined,
): boolean {
  // Such a number stands for several ones that somebody sent (contract A, Numbers).
  if (!hasExactNumbers(value)) return false
  const compare = (bound: string | number) => compareWithBound(value, beside, bound)
  if ('equals' in constraint) return isSame(value, constraint.equals)
  if ('one_of' in constraint) return constraint.one_of.some((one) => isSame(value, one))
  if ('unchanged' in constraint) return isSame(value, constraint.unchanged)
  if ('at_most' in constraint) return (compare(constraint.at_most) ?? 1) <= 0
  if ('at_least' in constraint) return (compare(constraint.at_least) ?? -1) >= 0
  if ('between' in constraint) {
    const [low, high] = constraint.between
    return (compare(low) ?? -1) >= 0 && (compare(high) ?? 1) <= 0
  }
  if ('domain' in constraint) {
    const host = hostIn(value)
    return host !== null && (host === constraint.domain || host.endsWith(`.${constraint.domain}`))
  }
  if ('path_below' in constraint) return isBelow(value, constraint.path_below)
  return isHarmless(value, beside !== undefined, isPaid)
}

/**
 * Tells whether `any` may stand for a value: a boolean, null, a number that stands beside no payment, or a text that is no amount, no address
 * and no account.
 */
function isHarmless(value: unknown, isBeside: boolean, isPaid: boolean): boolean {
  if (typeof value === 'number') return !isBeside && !isPaid
  if (typeof value === 'string')
    return !looksLikeMoney(value, isBeside) && !isAddress(value) && !looksLikeAccount(value, isPaid)
  return value === null || typeof value === 'boolean'
}

const payingVerbs = new Set(
  'buy charge deposit donate pay payout purchase refund remit tip topup transfer wire withdraw'.split(' '),
)
const paidThings = new Set(
  'cash fund funds money payment payments payout payouts transfer transfers'.split(' '),
)

/** Tells whether a request is a payment: by its action, by a param `amount` or `currency`, or because one of its values is an amount. */
export function isPayment({ action, params }: Pick<JudgedRequest, 'action' | 'params'>): boolean {
  const [verb = '', ...objects] = action.split(/[:_./*-]/)
  const isNamed = payingVerbs.has(verb) || objects.some((word) => paidThings.has(word))
  return (
    isNamed ||
    Object.hasOwn(params, 'amount') ||
    Object.hasOwn(params, 'currency') ||
    Object.values(params).some((value) => moneyOfParam(value, undefined) !== null)
  )
}

/** Tells whether a param is what its constraint demands. `any` stands for no name of what an action reaches. */
function fitsConstraint(
  name: string,
  constraint: Constraint,
  value: unknown,
  beside: unknown,
  isPaid: boolean,
): boolean {
  const isOpen = 'any' in constraint && namesReached(name)
  return !isOpen && satisfies(value, constraint, beside, isPaid)
}

/** Tells whether a constraint compares with money. */
const isMoneyConstraint = (constraint: Constraint | undefined): boolean => {
  if (constraint === undefined) return false
  if ('at_most' in constraint) return isMoneyBound(constraint.at_most)
  if ('at_least' in constraint) return isMoneyBound(constraint.at_least)
  return 'between' in constraint && constraint.between.some(isMoneyBound)
}

/** Tells whether a value that could not be read as an amount may be one. */
function isUnreadable(name: string, value: unknown): boolean {
  if (typeof value === 'number') return name === 'amount'
  if (typeof value !== 'object' || value === null) return looksLikeMoney(value, name === 'amount')
  return name === 'amount' || Object.hasOwn(value, 'amount') || Object.hasOwn(value, 'currency')
}

/**
 * Returns what params cost: the sum of all amounts, which must be in one currency. A number without a currency is an amount only as `amount`
 * beside `currency`, and where the rule compares it with money. `unclear`: it cannot be counted. `isPart`: the currency beside it may be among
 * the params that are not there, so only amounts with a currency of their own count.
 */
export function costOf(
  rule: Rule,
  params: JudgedRequest['params'],
  isPart = false,
): ExactMoney | null | 'unclear' {
  const amounts: ExactMoney[] = []
  for (const [name, value] of Object.entries(params)) {
    // Whatever the constraint is, so that a narrower constraint never fits more.
    if (contradicts(value, own(params, 'currency'))) return 'unclear'
    const isMoney = name === 'amount' || isMoneyConstraint(ownConstraint(rule, name))
    const amount = moneyOfParam(value, isMoney ? own(params, 'currency') : undefined)
    if (amount !== null) amounts.push(amount)
    // A budget that counts one amount of two would allow more than the person signed.
    else if (!isPart && rule.budget?.amount !== undefined && isUnreadable(name, value)) return 'unclear'
  }
  const [first] = amounts
  if (first === undefined) return null
  const minor = amounts.reduce((sum, amount) => sum + amount.minor, 0)
  const isOfOne = amounts.every(({ currency }) => currency === first.currency)
  return isOfOne && Number.isSafeInteger(minor) ? { minor, currency: first.currency } : 'unclear'
}

const ownConstraint = ({ params }: Rule, name: string): Constraint | undefined =>
  Object.hasOwn(params, name) ? params[name] : undefined

const isOfAsker = ({ agent_id, operator_id }: Rule, { requester }: JudgedRequest): boolean =>
  agent_id === undefined
    ? requester.agent_id !== null && requester.duckling_id === operator_id
    : requester.agent_id === agent_id

/** Returns the amount of money in the budget of a rule, or null. */
export function budgetAmount({ budget }: Pick<Rule, 'budget'>): ExactMoney | null {
  return budget?.amount === undefined ? null : readMoney(budget.amount)
}

/** Returns what an answer costs: an approval all amounts of the request, a rejection nothing. `currency` is null without money. */
export function costOfAnswer(
  { answer }: Pick<Rule, 'answer'>,
  cost: ExactMoney | null,
): { cost: number; currency: string | null } {
  const isFree = answer !== 'approve' || cost === null || cost.minor === 0
  return isFree ? { cost: 0, currency: null } : { cost: cost.minor, currency: cost.currency }
}

/** Returns why a request does not fit whatever its params are. */
function missesOfCall(rule: Rule, request: JudgedRequest): Miss[] {
  const misses: Miss[] = []
  if (!isOfAsker(rule, request)) misses.push({ why: 'asker' })
  if (!rule.actions.includes(request.action)) misses.push({ why: 'action' })
  // Only of these, one charge is one use.
  if (request.scope !== 'limited') misses.push({ why: 'scope' })
  return misses
}

const unnamedIn = (rule: Rule, params: JudgedRequest['params']): Miss[] =>
  Object.keys(params)
    .filter((name) => !Object.hasOwn(rule.params, name))
    .map((param) => ({ why: 'unnamed', param }))

/** Judges a request by a rule, without the budget that is left, the time and the risk. Names every reason why it does not fit. */
export function judge(rule: Rule, request: JudgedRequest): Judged {
  const { params } = request
  const misses = [...missesOfCall(rule, request), ...unnamedIn(rule, params)]
  const [beside, isPaid] = [own(params, 'currency'), isPayment(request)]
  for (const [name, constraint] of Object.entries(rule.params)) {
    const isGiven = Object.hasOwn(params, name)
    if (!isGiven && !('any' in constraint)) misses.push({ why: 'missing', param: name })
    if (isGiven && !fitsConstraint(name, constraint, params[name], beside, isPaid))
      misses.push({ why: 'value', param: name })
  }
  const cost = costOf(rule, params)
  const budget = budgetAmount(rule)
  const isCounted = cost !== 'unclear' && (budget === null || cost?.currency === budget.currency)
  if (!isCounted) misses.push({ why: 'money' })
  return misses.length > 0 || cost === 'unclear' ? { fits: false, misses } : { fits: true, cost }
}

/** Returns a currency with which a constraint may accept a number: the currency of its bound. */
function likelyCurrency(constraint: Constraint): string | undefined {
  const bounds =
    'at_most' in constraint ? [constraint.at_most] : 'between' in constraint ? constraint.between : []
  const [bound] = 'at_least' in constraint ? [constraint.at_least] : bounds
  return typeof bound === 'string' ? readMoney(bound)?.currency : undefined
}

/**
 * Judges a request of which `hidden` params are not disclosed. Names only misses that stay, whatever the hidden params are. `cost`: the least that the request
 * costs, or null when no disclosed param is an amount.
 */
export function judgePart(rule: Rule, request: JudgedRequest, hidden: number): Judged {
  const { params } = request
  const misses = [...missesOfCall(rule, request), ...unnamedIn(rule, params)]
  // Only a param that the rule names can be among the hidden ones.
  const isCurrencyHidden = !Object.hasOwn(params, 'currency') && Object.hasOwn(rule.params, 'currency')
  const isPaid = isPayment(request)
  let missing = 0
  for (const [name, constraint] of Object.entries(rule.params)) {
    const beside = isCurrencyHidden ? likelyCurrency(constraint) : own(params, 'currency')
    if (!Object.hasOwn(params, name)) missing += 'any' in constraint ? 0 : 1
    else if (!fitsConstraint(name, constraint, params[name], beside, isPaid))
      misses.push({ why: 'value', param: name })
  }
  if (missing > hidden) misses.push({ why: 'missing' })
  if (Object.keys(params).length + hidden > Object.keys(rule.params).length) misses.push({ why: 'unnamed' })
  const cost = costOf(rule, params, isCurrencyHidden)
  const budget = budgetAmount(rule)
  const isOther = budget !== null && cost !== null && cost !== 'unclear' && cost.currency !== budget.currency
  if (cost === 'unclear' || isOther) return { fits: false, misses: [...misses, { why: 'money' }] }
  return misses.length > 0 ? { fits: false, misses } : { fits: true, cost }
}
