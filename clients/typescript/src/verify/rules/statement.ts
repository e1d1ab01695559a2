/** The statement of a rule: the text that the passkey of the person signs. See docs/rules.md. */
import * as z from 'zod'
import { Instant } from '../receipts/decision-statement'
import { Rule } from './rule'

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
