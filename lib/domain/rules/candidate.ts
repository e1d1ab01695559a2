/** A rule that may answer a request, and what it answers. */
import type { ExactMoney } from '@beak/client/verify/rules/money'
import type { Rule } from '@beak/client/verify/rules/rule'

/** A living rule as a request reads it. */
export interface CandidateRule {
  id: string
  /** Canonical JSON. */
  rule: string
  watches: boolean
  timeZone: string
  statementId: string
  /** ISO 8601. */
  expiresAt: string
}

/** What a rule answers to a request. */
export interface Verdict {
  candidate: CandidateRule
  rule: Rule
  answer: 'approve' | 'reject'
  /** What the request costs. Null: no money. */
  cost: ExactMoney | null
}
