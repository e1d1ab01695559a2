/**
 * The check of a receipt whose request a rule answered: the passkey signed the rule and not the request, so the request must lie within the
 * rule. See docs/receipts/format.md, "A rule", and docs/rules.md.
 */
import { canonicalText } from '../canonical'
import { budgetAmount, costOfAnswer, type JudgedRequest, judge, judgePart, type Miss } from '../rules/judge'
import { periodOf } from '../rules/period'
import { type Period, periods, type Rule, RuleStatement } from '../rules/rule'
import { checkAssertion } from './assertion'
import { type DecisionStatement3, digestOf, ruleIdIn } from './decision-statement'
import { checkEndorsements, type SigningPasskey } from './endorsement'
import { checkEnrolment, type EnrolmentFacts, type LogTrust } from './enrolment'
import { canBeReceipt } from './limits'
import type { OutcomeClaims, OutcomeFile, RuleProof } from './outcome-schema'
import { jsonOf, Refusal, read } from './refusal'
import type { DisclosedValues } from './values'

/** A rule that answered a request, and its budget. The budget is the word of the service: nobody else counts what the rule has allowed. */
export interface RuleFacts {
  ruleId: string
  /** The rule in words, as the page showed it to the person who signed it. */
  sentence: string
  statement: RuleStatement
  /** The passkey that signed the rule. */
  passkey: Omit<SigningPasskey, 'statementVersion'>
  /** What the transparency log and its witnesses say about the enrolment of that passkey, at the time of the rule. */
  enrolment: EnrolmentFacts
  budget: RuleProof['budget']
  /**
   * - `proven`: the request lies within the rule.
   * - `values_hidden`: the receipt does not disclose all params. What it discloses lies within the rule.
   */
  withinRule: 'proven' | 'values_hidden'
}

/** A rule may be used a bit before the time that it states, because clocks of servers differ. */
const toleranceMs = 600_000

const refuse = (message: string) => new Refusal('rule', message)

/** Checks the rule that decided. Returns null without one, and when the receipt leaves the rule out. Throws `Refusal`. */
export async function checkRule(
  receipt: OutcomeFile,
  claims: OutcomeClaims,
  values: DisclosedValues,
  log: LogTrust,
): Promise<RuleFacts | null> {
  const { statement } = receipt
  const proof = receipt.version === 3 ? receipt.rule : undefined
  const signed = claims.version === 3 ? claims.rule : undefined
  const ruleId = ruleIdIn(statement)
  if (statement.version !== 3 || ruleId === null) {
    if (proof !== undefined || signed !== undefined)
      throw refuse('The receipt has a rule, but no rule decided.')
    return null
  }
  if (signed === undefined || signed !== (proof === undefined ? null : digestOf(proof)))
    throw refuse('The rule is not the rule that the service signed.')
  checkDecision(receipt, statement, claims)
  if (proof === undefined) return null
  const rule = readStatement(proof.statement_text)
  checkFit(rule, statement, claims)
  const passkey = await asRule(() => checkSignature(proof, rule))
  const { log: tree, duckling_id: ducklingId } = rule
  const enrolled = { passkey: proof.passkey, enrolment: proof.enrolment, log: tree, ducklingId }
  const enrolment = await asRule(() => checkEnrolment(enrolled, rule.created_at, log))
  const withinRule = checkRequest(rule, statement, values, proof.budget)
  checkBudget(rule, proof.budget, claims.decided_at ?? '')
  return {
    ruleId,
    sentence: rule.sentence,
    statement: rule,
    passkey,
    enrolment,
    budget: proof.budget,
    withinRule,
  }
}

/** Gives a refusal of a shared check the part of the receipt that it is about. */
async function asRule<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal('rule', error.message, error.fork)
  }
}

/** A rule answers only requests that demand nothing of the person, and no passkey signed the answer. */
function checkDecision(
  { passkey, enrolment }: OutcomeFile,
  statement: DecisionStatement3,
  { decided_at, grant_expires_at: end }: OutcomeClaims,
): void {
  if (passkey !== null || enrolment !== null)
    throw refuse('A rule decided, but the receipt has a signature of the person over the decision.')
  const { scope, challenge, code, approver, grant_seconds: seconds } = statement
  if (scope !== 'limited') throw refuse('A rule answers only requests for one use.')
  if (challenge !== null || code !== null || approver !== null)
    throw refuse('A rule answered a request that demands a signature of the person.')
  if (statement.decision !== 'approve' || seconds === null) return
  if (end === null || Date.parse(end) > Date.parse(decided_at ?? '') + seconds * 1000)
    throw refuse('The permission is longer than the request asked for.')
}

function readStatement(text: string): RuleStatement {
  const value = jsonOf(text)
  if (!canBeReceipt(value)) throw refuse('The statement of the rule cannot be read.')
  const rule = read(RuleStatement, value, 'rule', 'statement of the rule')
  if (canonicalText(rule) !== text) throw refuse('The text of the rule is not canonical.')
  return rule
}

/** Checks that the rule is of this service, this person and this time, and that it gives this answer. */
function checkFit(
  { issuer, rule_id, duckling_id, created_at, expires_at, rule }: RuleStatement,
  statement: DecisionStatement3,
  { iss, decided_at }: OutcomeClaims,
): void {
  if (issuer !== iss) throw refuse('The rule is of another service.')
  if (rule_id !== ruleIdIn(statement)) throw refuse('Another rule decided.')
  if (duckling_id !== statement.target_duckling_id) throw refuse('The rule is of another person.')
  if (rule.answer !== statement.decision) throw refuse('The rule gives another answer.')
  if (rule.mode !== 'on') throw refuse('The rule only watches.')
  const [start, end] = [Date.parse(created_at), Date.parse(expires_at)]
  // A rule that is signed again, to resume it, keeps its end.
  if (end > start + rule.expires_in * 1000) throw refuse('The rule contradicts itself about its end.')
  const time = Date.parse(decided_at ?? '')
  if (!(time >= start - toleranceMs && time <= end)) throw refuse('The rule was not valid at that time.')
}

async function checkSignature(
  { passkey, statement_text: text }: RuleProof,
  { issuer, duckling_id: ducklingId }: RuleStatement,
): Promise<RuleFacts['passkey']> {
  await checkAssertion(passkey, text, issuer)
  const chain = await checkEndorsements(passkey, { issuer, ducklingId }, issuer)
  return { credentialId: passkey.credential_id, verifiedUser: true, chain }
}

/** Checks that the request lies within the rule, and that it costs what the budget says. */
function checkRequest(
  { rule }: RuleStatement,
  { requester, action, scope }: DecisionStatement3,
  { params, hiddenParams }: DisclosedValues,
  budget: RuleProof['budget'],
): RuleFacts['withinRule'] {
  const { cost, currency } = budget
  const disclosed = Object.fromEntries(params.map(({ name, value }) => [name, value]))
  const request: JudgedRequest = { requester, action, scope, params: disclosed }
  const judged = hiddenParams === 0 ? judge(rule, request) : judgePart(rule, request, hiddenParams)
  if (!judged.fits) {
    const [miss] = judged.misses
    throw refuse(`The request does not lie within the rule (${missText(miss)}).`)
  }
  const found = costOfAnswer(rule, judged.cost)
  const isCost =
    hiddenParams === 0
      ? cost === found.cost && currency === found.currency
      : cost >= found.cost && mayBeCurrency(rule, budget, found.currency)
  if (!isCost) throw refuse('The request costs something else than the budget says.')
  return hiddenParams === 0 ? 'proven' : 'values_hidden'
}

const missText = (miss?: Miss): string =>
  miss?.param === undefined ? `${miss?.why}` : `${miss.why}: ${JSON.stringify(miss.param.slice(0, 64))}`

/** Tells whether a request of which only some params are disclosed may cost something in this currency. */
function mayBeCurrency(rule: Rule, { cost, currency }: RuleProof['budget'], found: string | null): boolean {
  if (rule.answer !== 'approve' || cost === 0) return cost === 0 && currency === null
  const expected = found ?? budgetAmount(rule)?.currency ?? currency
  return currency !== null && currency === expected
}

/** Checks that the budget was charged once, and that neither it nor the signed budget is exceeded. */
function checkBudget(
  { rule, time_zone }: RuleStatement,
  { cost, period, before, after, limits }: RuleProof['budget'],
  decidedAt: string,
): void {
  if (!isPeriod(period, rule.budget ?? {}, { timeZone: time_zone, time: decidedAt }))
    throw refuse('The budget is of another period.')
  const isCharged =
    after.uses === before.uses + 1 &&
    after.period_uses === before.period_uses + 1 &&
    after.amount === before.amount + cost
  if (!isCharged) throw refuse('The budget was not charged for exactly this request.')
  const signed = {
    uses: rule.budget?.uses ?? null,
    uses_each: rule.budget?.uses_each ?? null,
    amount: budgetAmount(rule)?.minor ?? null,
  }
  const isNarrower =
    isWithin(limits.uses, signed.uses) &&
    isWithin(limits.uses_each, signed.uses_each) &&
    isWithin(limits.amount, signed.amount)
  if (!isNarrower) throw refuse('The limits are wider than the person signed.')
  const isKept =
    isWithin(after.uses, limits.uses) &&
    isWithin(after.period_uses, limits.uses_each) &&
    isWithin(after.amount, limits.amount)
  if (!isKept) throw refuse('The budget of the rule was spent.')
}

/** Tells whether a number is within a limit. No number is within a limit only when there is no limit. */
function isWithin(value: number | null, limit: number | null): boolean {
  return limit === null || (value !== null && value <= limit)
}

/**
 * Tells whether a text is the name of the period. `per`: the signed one. A rule without periods and without an amount may have got periods
 * later, which make it narrower.
 */
function isPeriod(
  period: string | null,
  { per, amount }: { per?: Period | undefined; amount?: string | undefined },
  { timeZone, time }: { timeZone: string; time: string },
): boolean {
  const names = (per === undefined ? periods : [per]).map((one) => periodIn(one, timeZone, time))
  if (per === undefined && (period === null || amount !== undefined)) return period === null
  return period !== null && names.includes(period)
}

/** Returns the name of the period, or null when the time zone is unknown. */
function periodIn(per: Period, timeZone: string, time: string): string | null {
  try {
    return periodOf(per, timeZone, new Date(time))
  } catch {
    return null
  }
}
