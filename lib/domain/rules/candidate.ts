/** A rule that may answer a request, and what it answers. */
import type { ExactMoney } from '@beak/client/verify/rules/money'
import type { Rule } from '@beak/client/verify/rules/rule'
import { type Sql, sql } from '@/lib/db/sql'

/** Selects rules that reject or ask. What such a rule says is asked until its owner ends it with a proof, also after its time. */
export const forbidding: Sql = sql`("answer" <> 'approve' AND NOT "watches")`

/** Tells whether a rule rejects or asks. */
export const forbids = ({ answer, watches }: { answer: string; watches: boolean }): boolean =>
  answer !== 'approve' && !watches

/** A rule as a request reads it. */
export interface CandidateRule {
  id: string
  /** False: it is paused, or one that forbids has expired. It answers nothing, and the person is asked what it would have answered. */
  answers: boolean
  /** Canonical JSON. */
  rule: string
  watches: boolean
  timeZone: string
  statementId: string
  /** ISO 8601. */
  expiresAt: string
  /** The version of the rules of risk when the passkey signed. */
  riskVersion: number
  /** The version of the rules of risk whose new high reasons were mailed. */
  reportedRisk: number | null
}

/** What a rule answers to a request. */
export interface Verdict {
  candidate: CandidateRule
  rule: Rule
  answer: 'approve' | 'reject'
  /** What the request costs. Null: no money. */
  cost: ExactMoney | null
}
