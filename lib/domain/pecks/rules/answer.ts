/** Lets a rule of the target answer a new request, in the transaction of the request. */

import { type Risk, riskVersion } from '@beak/decision/risk/rules'
import { englishText } from '@beak/decision/wording'
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import type { JoinedSettings } from '@/lib/domain/notifications/settings'
import { addApproved } from '@/lib/domain/pecks/asker-history'
import { addGrantToken } from '@/lib/domain/pecks/grant/tokens'
import { mailedPeck } from '@/lib/domain/pecks/mail/announce'
import { recordPeck } from '@/lib/domain/pecks/record'
import { insertPeck, type PeckRow, type PreparedPeck } from '@/lib/domain/pecks/rows'
import { displayedOf, logDecision } from '@/lib/domain/pecks/statements/decision-statement'
import { type AgentBudgetTerms, charge, rulePeriod, storeWatched } from '@/lib/domain/rules/charge'
import { type CandidateRule, forbidding, type Verdict } from '@/lib/domain/rules/end-rules'
import { ruleReason } from '@/lib/domain/rules/sentence'
import type { RuleEventInput } from '@/lib/infrastructure/events/kinds/rules'
import { enqueueNotice } from '@/lib/infrastructure/events/outbox'
import { type Actor, enqueueWebhooks, record } from '@/lib/infrastructure/events/record'
import { titleOf } from '@/lib/infrastructure/mail/peck-message'
import { type Reader, writeFor } from '@/lib/infrastructure/mail/reader'
import type { CallerContext } from '@/lib/kernel/request/context'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { type AskedFacts, stoppedByRisk, verdictsOf } from './verdict'

/** What a new request reads about rules, together with its other facts. */
export interface RuleFacts extends Pick<Reader, 'readerLanguage'> {
  rules: CandidateRule[]
  agentBudget: AgentBudgetTerms | null
}

/** The columns `rules` and `agentBudget` of a request of an agent: what may answer it, read with the request. */
export function ruleColumns(
  {
    requesterDucklingId,
    requesterAgentId,
    targetDucklingId,
    action,
  }: Pick<PeckRow, 'requesterDucklingId' | 'requesterAgentId' | 'targetDucklingId' | 'action'>,
  now: Date,
): Sql {
  if (requesterAgentId === null) return sql`'[]'::json AS "rules", NULL AS "agentBudget"`
  // With the condition of the index "Rule_living_idx".
  return sql`(SELECT coalesce(json_agg(json_build_object('id', r."id", 'answers', r."status" = 'on' AND r."expiresAt" > ${now}::timestamptz, 'rule', r."rule", 'watches', r."watches", 'timeZone', r."timeZone",
        'statementId', r."statementId", 'expiresAt', r."expiresAt",
        'riskVersion', r."riskVersion", 'reportedRisk', r."reportedRisk") ORDER BY r."id"), '[]') FROM "Rule" r
      WHERE r."ducklingId" = ${targetDucklingId} AND r."subjectId" IN (${requesterAgentId}, ${requesterDucklingId})
        AND r."status" <> 'ended' AND ${action} = ANY(r."actions")
        AND (r."expiresAt" > ${now}::timestamptz OR ${forbidding}) AND (r."status" = 'on' OR NOT r."watches")) AS "rules",
    (SELECT json_build_object('per', b."per", 'timeZone', b."timeZone", 'currency', b."currency") FROM "AgentBudget" b
      WHERE b."ducklingId" = ${targetDucklingId} AND b."agentId" = ${requesterAgentId}) AS "agentBudget"`
}

/** The rule acts in the name of the person who signed it. */
const actorOf = (ruleId: string): Actor => ({ type: 'system', id: ruleId })

/** A peck that a rule has answered, and what records the answer after the request was recorded. */
interface Answered {
  peck: PeckRow
  /** Of an approval: the asker may read it with the peck. */
  grantToken: string | undefined
  recordAnswer(): void
}

/**
 * Answers a prepared peck when a rule of its target does, and inserts it. Returns null when the person has to answer. Also stores what rules
 * that only watch would have answered.
 */
export async function answerByRule(
  tx: Tx,
  context: CallerContext,
  prepared: PreparedPeck,
  facts: RuleFacts & MailedFacts & Omit<AskedFacts, 'request' | 'risk'> & { risk: Risk },
): Promise<Answered | null> {
  const { now } = context
  const { peck } = prepared
  const agentId = peck.requesterAgentId
  if (facts.rules.length === 0 || agentId === null) return null
  const asked = { ...facts, request: judgedOf(peck) }
  const stopped = stoppedByRisk(facts.rules, asked)
  if (stopped !== null) await reportStopped(tx, context, peck, stopped, facts)
  const { verdict, watched } = verdictsOf(facts.rules, asked)
  const use = { peckId: peck.id, ducklingId: peck.targetDucklingId, agentId, now }
  for (const one of watched) storeWatched(tx, one, use)
  if (verdict === null) return null
  const wished = secondsAfter(now, peck.grantSeconds ?? 0)
  const charged = await charge(tx, { ...use, verdict, agentBudget: facts.agentBudget, wished })
  if (charged === null) {
    await reportSpent(tx, context, peck, verdict, facts)
    return null
  }
  return apply(tx, context, prepared, { ...verdict, until: charged.until })
}

/** Returns what the judge reads of a peck. */
export const judgedOf = (
  peck: Pick<
    PeckRow,
    | 'requesterDucklingId'
    | 'requesterAgentId'
    | 'action'
    | 'scope'
    | 'params'
    | 'requireSigned'
    | 'targetDucklingId'
  >,
): AskedFacts['request'] => ({
  requester: { duckling_id: peck.requesterDucklingId, agent_id: peck.requesterAgentId },
  action: peck.action,
  scope: peck.scope,
  params: JSON.parse(peck.params) as Record<string, unknown>,
  requireSigned: peck.requireSigned,
  targetDucklingId: peck.targetDucklingId,
})

/** An answer that was charged. `until`: when the permission ends. */
interface Ruling extends Verdict {
  until: Date
}

/** Inserts the peck as it is after the answer. */
function apply(tx: Tx, context: CallerContext, prepared: PreparedPeck, verdict: Ruling): Answered {
  const { now } = context
  const { answer, candidate } = verdict
  const isApproval = answer === 'approve'
  const ruled: PeckRow = { ...prepared.peck, ruleId: candidate.id }
  const { peck, grantToken, logged } = insertAnswered(tx, prepared, ruled, verdict)
  if (isApproval) addApproved(tx, peck, now, { byRule: true })
  const metadata = { ...logged.metadata, rule_id: candidate.id }
  return {
    peck,
    grantToken,
    recordAnswer() {
      recordPeck(tx, context, isApproval ? 'peck.approved' : 'peck.rejected', peck, {
        actor: actorOf(candidate.id),
        metadata,
      })
      // The event above is in the log with the rule. Here only webhooks are sent.
      enqueueWebhooks(tx, now, 'rule.spent', [peck.targetDucklingId], eventOf(candidate, peck))
    },
  }
}

/** What webhooks tell about a rule and a request. */
const eventOf = (candidate: CandidateRule, { id, action }: PeckRow): RuleEventInput => ({
  rule_id: candidate.id,
  sentence: ruleReason(candidate),
  peck_id: id,
  action,
  reason: null,
})

/** Inserts a peck with its answer, the token of an approval and the entry of the log. */
function insertAnswered(
  tx: Tx,
  prepared: PreparedPeck,
  ruled: PeckRow,
  { answer, candidate, until }: Ruling,
) {
  const { createdAt: now } = ruled
  const isApproval = answer === 'approve'
  const { shown, text: displayed } = displayedOf(ruled)
  const logged = logDecision(tx, ruled, { decision: answer, approval: null, shown, decidedAt: now })
  const peck = insertPeck(tx, prepared, {
    ...logged.columns,
    ruleId: candidate.id,
    status: isApproval ? 'approved' : 'rejected',
    reason: ruleReason(candidate),
    decidedAt: now,
    displayed,
    pendingKey: null,
    ...(isApproval ? { grantExpiresAt: until, maxUses: 1 } : {}),
  })
  return { peck, logged, grantToken: isApproval ? addGrantToken(tx, peck, now) : undefined }
}

/** Mails once for each rule and version of the rules of risk that a new high reason keeps the rule from answering. */
async function reportStopped(
  tx: Tx,
  { now }: CallerContext,
  peck: PeckRow,
  candidate: CandidateRule,
  facts: MailedFacts & { risk: Risk },
): Promise<void> {
  const reported = await tx.run`
    UPDATE "Rule" SET "reportedRisk" = ${riskVersion}
    WHERE "id" = ${candidate.id} AND "status" = 'on' AND "reportedRisk" IS DISTINCT FROM ${riskVersion}`
  if (reported !== 1) return
  const [reason] = facts.risk.reasons
  enqueueNotice(tx, now, peck.targetDucklingId, 'rule_stopped', {
    rule: candidate.id,
    sentence: ruleReason(candidate),
    agent: peck.agentName ?? '',
    peck: peck.id,
    request: requestText(peck, facts),
    reason: reason === undefined || facts.mailDetails === false ? '' : englishText(reason.wording),
    at: now.toISOString(),
  })
}

/** Records and mails the first request of a period for which nothing was left. Further ones of the period are no events. */
async function reportSpent(
  tx: Tx,
  context: CallerContext,
  peck: PeckRow,
  { candidate, rule }: Verdict,
  facts: MailedFacts,
): Promise<void> {
  const period = rulePeriod(rule, candidate.timeZone, context.now) ?? ''
  const reported = await tx.run`
    UPDATE "Rule" SET "reportedSpent" = ${period}
    WHERE "id" = ${candidate.id} AND "status" = 'on' AND "reportedSpent" IS DISTINCT FROM ${period}`
  if (reported !== 1) return
  record(tx, context, 'rule.exhausted', {
    concerning: [peck.targetDucklingId],
    actor: actorOf(candidate.id),
    targets: [
      { type: 'rule', id: candidate.id },
      { type: 'peck', id: peck.id },
    ],
    metadata: { action: peck.action, asker: peck.askerId },
    data: eventOf(candidate, peck),
  })
  enqueueNotice(tx, context.now, peck.targetDucklingId, 'rule_exhausted', {
    rule: candidate.id,
    sentence: ruleReason(candidate),
    agent: peck.agentName ?? '',
    peck: peck.id,
    request: requestText(peck, facts),
    at: context.now.toISOString(),
  })
}

/** How the target reads mails. */
type MailedFacts = Pick<RuleFacts, 'readerLanguage'> & Pick<JoinedSettings, 'mailDetails'>

/** Returns who wants what, prepared for mails, in the language of the target. As in every other mail, the default is that values are shown. */
function requestText(peck: PeckRow, { readerLanguage, mailDetails }: MailedFacts): string {
  const withValue = mailDetails !== false
  return writeFor({ readerLanguage }, () =>
    titleOf(mailedPeck(peck, { isReminder: false, withValue, read: undefined })),
  )
}
