/** The form of a rule: what a person signs once, and what then answers requests. See docs/rules.md. */

import * as z from 'zod'
import { canonicalText } from '../canonical'
import { hasExactNumbers, isExactNumber } from '../exact-numbers'
import { Instant } from '../receipts/decision-statement'
import { isBound, isSameKind } from './bounds'
import { readMoney } from './money'
import { isHost, isPath } from './places'

const nameMax = 128
const textMax = 500

const number = z.number().refine(isExactNumber, 'must be a number that JSON keeps')
const scalar = z.union([z.string().max(textMax), number, z.boolean()])
/** An amount of money ("€50.00"), a number, or a date. */
const bound = z
  .union([z.string().max(64), z.number()])
  .refine(isBound, 'must be a number, an amount with its currency such as "€50.00", or a date')
const json = z.unknown().refine((value): boolean => value !== undefined, 'is missing')

/** A function declaration, because the schema below needs it. */
function isShortJson(value: unknown): boolean {
  try {
    return hasExactNumbers(value) && canonicalText(value).length <= 4096
  } catch {
    return false
  }
}

/** What a param of a request must be. Each constraint has exactly one member. */
export const Constraint = z.union([
  /** The same text, number or boolean. */
  z.strictObject({ equals: scalar }),
  /** One of these. */
  z.strictObject({ one_of: z.array(scalar).min(1).max(50) }),
  z.strictObject({ at_most: bound }),
  z.strictObject({ at_least: bound }),
  /** Both bounds count. */
  z.strictObject({
    between: z.tuple([bound, bound]).refine(isSameKind, 'must be two of one kind, the smaller first'),
  }),
  /** An email address or a web address (https) at this host name or below it, or such a host name. */
  z.strictObject({ domain: z.string().max(253).refine(isHost, 'must be a host name in small letters') }),
  /** An absolute path below this one. */
  z.strictObject({ path_below: z.string().max(textMax).refine(isPath, 'must be an absolute path') }),
  /** The same JSON value, for values of any form. */
  z.strictObject({
    unchanged: json.refine(isShortJson, 'must be JSON of at most 4,096 characters'),
  }),
  /** Any value, but no amount, address or secret. */
  z.strictObject({ any: z.literal(true) }),
])
export type Constraint = z.infer<typeof Constraint>

export const periods = ['day', 'week', 'month'] as const
export type Period = (typeof periods)[number]

/** How much a rule may allow. Every member can be left out. */
export const RuleBudget = z
  .strictObject({
    /** The most money, in each `per`, or in all without one. */
    amount: z
      .string()
      .max(64)
      .refine((text) => readMoney(text) !== null, 'must be an amount with its currency such as "€100.00"')
      .optional(),
    /** In the time zone of the person. A week begins on Monday. */
    per: z.enum(periods).optional(),
    /** The most uses in all. */
    uses: z.int().min(1).max(100_000).optional(),
    /** The most uses in each `per`. */
    uses_each: z.int().min(1).max(100_000).optional(),
  })
  .refine(({ per, uses_each }) => uses_each === undefined || per !== undefined, {
    path: ['uses_each'],
    message: 'needs `per`',
  })
export type RuleBudget = z.infer<typeof RuleBudget>

const ruleAnswers = ['approve', 'reject', 'ask'] as const
const ruleModes = ['on', 'watch'] as const
const ruleSeconds = { usual: 2_592_000, max: 31_536_000 } as const

const facts = {
  agent_id: z.string().max(64).optional(),
  /** All agents of this person. */
  operator_id: z.string().max(64).optional(),
  actions: z.array(z.string().min(3).max(100)).min(1).max(20),
  /** A constraint for each param. A request with another param does not match. */
  params: z
    .record(z.string().max(nameMax), Constraint)
    .refine((params) => Object.keys(params).length <= 64, 'must name at most 64 params'),
  budget: RuleBudget.optional(),
  /** The rules of risk (docs/risk.md) whose reasons the person accepts. */
  reasons: z.array(z.string().max(40)).max(20),
  /** Seconds after the signature. */
  expires_in: z.int().min(60).max(ruleSeconds.max),
  answer: z.enum(ruleAnswers),
  mode: z.enum(ruleModes),
}

const isOfOne = ({
  agent_id,
  operator_id,
}: {
  agent_id?: string | undefined
  operator_id?: string | undefined
}) => (agent_id === undefined) !== (operator_id === undefined)

/** A whole rule, as a passkey signs it. */
export const Rule = z
  .strictObject(facts)
  .refine(isOfOne, { path: ['agent_id'], message: 'name either `agent_id` or `operator_id`' })
export type Rule = z.infer<typeof Rule>

/** A rule as a caller sends it: what is left out has its usual value. Without `reasons`, the service takes those of the rule's own values. */
export const RuleRequest = z
  .strictObject({
    ...facts,
    params: facts.params.default({}),
    reasons: facts.reasons.optional(),
    expires_in: facts.expires_in.default(ruleSeconds.usual),
    mode: facts.mode.default('on'),
  })
  .refine(isOfOne, { path: ['agent_id'], message: 'name either `agent_id` or `operator_id`' })
export type RuleRequest = z.infer<typeof RuleRequest>

/** The statement of a rule: the text that the passkey of the person signs. See docs/rules.md. */

export const RuleStatement = z.strictObject({
  type: z.literal('beak.rule'),
  version: z.literal(1),
  issuer: z.string().max(300),
  nonce: z.string().max(64),
  rule_id: z.string().max(64),
  /** The person, whose requests the rule answers. */
  duckling_id: z.string().max(64),
  rule: Rule,
  /** IANA name. Days, weeks and months of the budget are those of this zone. */
  time_zone: z.string().max(64),
  /** The rule in words, as the page showed it. */
  sentence: z.string().max(8192),
  created_at: Instant,
  expires_at: Instant,
  /** A state of the transparency log before the passkey was asked to sign. */
  log: z
    .strictObject({ origin: z.string().max(300), size: z.int().min(0), root: z.string().max(44) })
    .nullable(),
})
export type RuleStatement = z.infer<typeof RuleStatement>

/** What a rule has allowed: uses in all and in the period, and money in the period (or in all without periods), in the minor unit. */
export const RuleSpent = z.strictObject({
  uses: z.int().min(0),
  period_uses: z.int().min(0),
  amount: z.int().min(0),
})
export type RuleSpent = z.infer<typeof RuleSpent>
