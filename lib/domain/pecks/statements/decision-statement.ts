/**
 * The statement of a decision (receipts, versions 2 and 3): what a person approves or rejects, for which service, and what the page displayed.
 * It has only salted hashes of the values, so that a receipt can be shown without them. See docs/receipts/format.md.
 */
import { canonicalText } from '@beak/client/verify/canonical'
import {
  type DecisionStatement,
  type DecisionStatement3,
  displayDigest,
  paramDigest,
} from '@beak/client/verify/receipts/decision-statement'
import type { ReceiptValues, Shown } from '@beak/client/verify/receipts/outcome-schema'
import { type DisplayColumns, displayOf } from '@/lib/domain/pecks/display/display'
import type { Params } from '@/lib/domain/pecks/params'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { config } from '@/lib/kernel/config'
import { isTestService } from '@/lib/kernel/test-service'
import { derive } from './receipt-salts'
import type { StatementColumns } from './statement'

export type DecisionColumns = Omit<StatementColumns, 'paramsHash'> &
  DisplayColumns &
  Pick<PeckRow, 'message' | 'audience' | 'requireSigned' | 'challenge' | 'codeHash' | 'ruleId'>

/** What a statement says besides the facts of the peck. */
export interface Decided {
  decision: DecisionStatement['decision']
  /** The seed of the peck's salts. */
  seed: Uint8Array
  nonce: string
  shown: Shown
  log: DecisionStatement['log']
  /** Default: the oldest one that has all that the peck demands. */
  version?: 2 | 3
  /** The code that the person typed. */
  typed?: string | null
  /** The origin of the approver that is asked to sign. */
  approver?: string | null
}

/** Returns the oldest version of the statement that has all that the peck needs, because verifiers of 0.2.0 read only version 2. */
export const oldestVersion = ({ requireSigned, ruleId }: Pick<PeckRow, 'requireSigned' | 'ruleId'>): 2 | 3 =>
  requireSigned || ruleId !== null ? 3 : 2

/** Returns what the page displays to the person who decides. */
export function shownOf(peck: DisplayColumns & Pick<PeckRow, 'message'>): Shown {
  // Undefined members are left out, so that the value equals the value that is read from JSON.
  return JSON.parse(canonicalText({ ...displayOf(peck), message: peck.message })) as Shown
}

/** Returns the text to store with a decision: what the page displayed. Later versions of the sentences may say the same differently. */
export function displayedText(peck: DisplayColumns & Pick<PeckRow, 'message'>): string {
  return canonicalText(shownOf(peck))
}

/** Returns the statement of a decision. */
export function decisionStatement(
  peck: DecisionColumns,
  {
    decision,
    seed,
    nonce,
    shown,
    log,
    version = oldestVersion(peck),
    typed = null,
    approver = null,
  }: Decided,
): DecisionStatement {
  const { params, display } = receiptValues(peck, seed, shown)
  const facts = {
    type: 'beak.peck.decision' as const,
    decision,
    issuer: config().baseUrl,
    audience: peck.audience,
    nonce,
    peck_id: peck.id,
    action: peck.action,
    scope: peck.scope,
    params: params.map(({ salt, name, value }) => paramDigest(salt, name, value)).sort(),
    requester: { duckling_id: peck.requesterDucklingId, agent_id: peck.requesterAgentId },
    target_duckling_id: peck.targetDucklingId,
    created_at: peck.createdAt.toISOString(),
    expires_at: peck.expiresAt.toISOString(),
    grant_seconds: peck.grantSeconds,
    display: { version: shown.version, hash: displayDigest(display.salt, shown) },
    log,
  }
  if (version === 2) return { ...facts, version }
  const { challenge, codeHash } = peck
  return {
    ...facts,
    version,
    decided_by: decision === null ? null : deciderOf(peck),
    challenge,
    code: codeHash === null ? null : { hash: codeHash, typed },
    approver,
    test: isTestService(),
  }
}

const deciderOf = ({ ruleId }: Pick<PeckRow, 'ruleId'>): DecisionStatement3['decided_by'] =>
  ruleId === null ? { type: 'person' } : { type: 'rule', rule_id: ruleId }

/** Returns the values behind the salted hashes of a statement. */
export function receiptValues(
  { params }: Pick<DecisionColumns, 'params'>,
  seed: Uint8Array,
  shown: Shown,
): Required<ReceiptValues> & { display: NonNullable<ReceiptValues['display']> } {
  return {
    params: Object.entries(JSON.parse(params) as Params).map(([name, value]) => ({
      salt: derive(seed, { kind: 'param', name }),
      name,
      value,
    })),
    display: { salt: derive(seed, { kind: 'display' }), shown },
  }
}
