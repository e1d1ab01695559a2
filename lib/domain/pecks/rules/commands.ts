/** The commands of the owner of a rule: making, changing, pausing, resuming and ending it. */

import { riskVersion } from '@beak/decision/risk/rules'
import type { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import type { Rule as RuleRow } from '@/lib/db/generated/client'
import { transaction } from '@/lib/db/transaction'
import { requireSigner } from '@/lib/domain/pecks/statements/approval-proof'
import { ruleSentence } from '@/lib/domain/rules/sentence'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { lockCaller, type ProofFailure, requirePasskey } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { requireProofToLoosen } from './exceptions'
import { isNarrower } from './narrow'
import { type PrepareFailure, prepareRule } from './prepare'
import { recountRule } from './recount'
import { startReports } from './report'
import { announceRule, columnsOf, findRule, lockRule, type SignedRule, storeStatement } from './rows'
import {
  type EndedRule,
  type PresentedRuleInput,
  presentRule,
  type RuleCreation,
  type RuleUpdate,
  readRule,
} from './schema'
import { verifyRule } from './sign'
import { lockUnused, revokeUnused, shortenUnused, usesOfRule } from './unused'

/** An account has at most so many living rules, and so many rows with those that have ended. */
const livingMax = 100
const keptMax = 500

type SignatureFailure = 'passkey_assertion_invalid' | 'rule_changed' | 'session_invalid'

/** Records what happened to a rule. */
function recordRule(
  tx: Tx,
  context: DucklingContext,
  kind: 'rule.updated' | 'rule.paused' | 'rule.resumed',
  row: RuleRow,
): void {
  record(tx, context, kind, { targets: [{ type: 'rule', id: row.id }] })
}

const eventData = (row: RuleRow) => ({
  rule_id: row.id,
  sentence: ruleSentence(readRule(row), row.expiresAt),
  peck_id: null,
  action: null,
  reason: row.reason,
})

/**
 * Makes a rule that a passkey of the caller has signed. Throws `passkey_assertion_invalid`, `rule_changed`, `too_many_rules` or the failures of
 * `prepareRule`.
 */
export async function createRule(
  context: DucklingContext<SignatureFailure | PrepareFailure | 'too_many_rules'>,
  { rule: sent, passkey }: z.output<typeof RuleCreation>,
): Promise<PresentedRuleInput> {
  const { caller, now } = context
  const rule = await prepareRule(db(), context, sent)
  const signed = await verifyRule(context, { rule, ruleId: null }, passkey)
  return transaction(async (tx) => {
    await lockCaller(tx, context)
    await requireSigner(tx, context, signed.proof)
    await checkNumber(tx, context)
    const { statement } = signed
    await requireNew(tx, context, statement.rule_id)
    const row = await tx.rule.create({
      data: {
        id: statement.rule_id,
        ducklingId: caller.id,
        ...columnsOf(rule),
        status: 'on',
        timeZone: statement.time_zone,
        statementId: await storeStatement(tx, signed, now),
        createdAt: now,
        expiresAt: new Date(statement.expires_at),
        sessionId: caller.sessionId,
        riskVersion,
      },
    })
    startReports(tx, caller.id, now)
    record(tx, context, 'rule.created', { targets: [{ type: 'rule', id: row.id }], data: eventData(row) })
    await announceRule(tx, context, 'rule_created', row)
    return presentRule(row, now)
  })
}

/** The passkey may have signed the change of a rule that exists. */
async function requireNew(tx: Tx, { fail }: DucklingContext<'rule_changed'>, id: string): Promise<void> {
  const found = await tx.rule.findUnique({ where: { id }, select: { id: true } })
  if (found !== null) throw fail('rule_changed')
}

async function checkNumber(tx: Tx, { caller, now, fail }: DucklingContext<'too_many_rules'>): Promise<void> {
  const [{ kept, living } = { kept: 0, living: 0 }] = await tx.rows<{ kept: number; living: number }>`
    SELECT count(*)::int AS "kept",
      (count(*) FILTER (WHERE "status" <> 'ended' AND "expiresAt" > ${now}::timestamptz))::int AS "living"
    FROM "Rule" WHERE "ducklingId" = ${caller.id}`
  if (living >= livingMax || kept >= keptMax) throw fail('too_many_rules')
}

/**
 * Changes a rule. What it allowed so far keeps counting. Without a passkey, it may only become narrower, and the rules together must not allow
 * more. Throws `rule_not_found`, `rule_ended`, `passkey_assertion_needed`, `passkey_assertion_invalid`, `rule_changed`, the failures of
 * `requireProofToLoosen` or those of `prepareRule`.
 */
export async function updateRule(
  context: DucklingContext<
    | SignatureFailure
    | PrepareFailure
    | ProofFailure
    | 'rule_not_found'
    | 'rule_ended'
    | 'passkey_assertion_needed'
  >,
  { rule_id: id, rule: sent, passkey }: z.output<typeof RuleUpdate>,
): Promise<PresentedRuleInput> {
  const { now } = context
  await findRule(context, id)
  const rule = await prepareRule(db(), context, sent)
  const signed = passkey === undefined ? null : await verifyRule(context, { rule, ruleId: id }, passkey)
  return transaction(async (tx) => {
    await lockCaller(tx, context)
    await lockUnused(tx, usesOfRule(id), now)
    await requireSigner(tx, context, signed?.proof ?? null)
    const row = await lockRule(tx, context, id, { renews: signed !== null })
    const columns = columnsOf(rule)
    const wished = secondsAfter(now, rule.expires_in)
    if (signed === null) {
      if (!isNarrower(rule, readRule(row)) || row.status !== 'on')
        throw context.fail('passkey_assertion_needed', { required: 'passkey' })
      await requireProofToLoosen(tx, context, row, rule)
    }
    const changed = await tx.rule.update({
      where: { id },
      data: {
        ...columns,
        ...(signed === null
          ? { expiresAt: new Date(Math.min(wished.getTime(), row.expiresAt.getTime())) }
          : { ...(await signedColumns(tx, signed, context)), riskVersion }),
        reportedSpent: null,
        ...(await recountRule(tx, row, columns, now)),
      },
    })
    await shortenUnused(tx, usesOfRule(id), changed.expiresAt, now)
    recordRule(tx, context, 'rule.updated', changed)
    await announceRule(tx, context, 'rule_changed', changed)
    return presentRule(changed, now)
  })
}

async function signedColumns(tx: Tx, signed: SignedRule, { caller, now }: DucklingContext) {
  const { statement } = signed
  return {
    status: 'on' as const,
    reason: null,
    statementId: await storeStatement(tx, signed, now),
    expiresAt: new Date(statement.expires_at),
    sessionId: caller.sessionId,
  }
}

/**
 * Pauses a rule of the caller at once. A second call changes nothing. Throws `rule_not_found`, `rule_ended`, `session_invalid` or the failures of
 * `requireProofToLoosen`.
 */
export function pauseRule(
  context: DucklingContext<ProofFailure | 'rule_not_found' | 'rule_ended' | 'session_invalid'>,
  id: string,
): Promise<PresentedRuleInput> {
  return transaction(async (tx) => {
    await lockCaller(tx, context)
    const row = await lockRule(tx, context, id)
    if (row.status === 'paused') return presentRule(row, context.now)
    await requireProofToLoosen(tx, context, row, null)
    const paused = await tx.rule.update({ where: { id }, data: { status: 'paused', reason: 'owner' } })
    recordRule(tx, context, 'rule.paused', paused)
    await announceRule(tx, context, 'rule_paused', paused)
    return presentRule(paused, context.now)
  })
}

/**
 * Resumes a paused rule with a signature over it. Throws `rule_not_found`, `rule_ended`, `passkey_assertion_invalid` or `rule_changed`.
 */
export async function resumeRule(
  context: DucklingContext<SignatureFailure | 'rule_not_found' | 'rule_ended'>,
  { id, passkey }: { id: string; passkey: z.output<typeof RuleCreation>['passkey'] },
): Promise<PresentedRuleInput> {
  const stored = await findRule(context, id)
  const signed = await verifyRule(context, { rule: readRule(stored), ruleId: id }, passkey)
  return transaction(async (tx) => {
    await lockCaller(tx, context)
    await requireSigner(tx, context, signed.proof)
    const row = await lockRule(tx, context, id)
    if (row.rule !== stored.rule) throw context.fail('rule_changed')
    const resumed = await tx.rule.update({
      where: { id },
      data: await signedColumns(tx, signed, context),
    })
    recordRule(tx, context, 'rule.resumed', resumed)
    await announceRule(tx, context, 'rule_changed', resumed)
    return presentRule(resumed, context.now)
  })
}

/**
 * Ends a rule of the caller for good, and revokes the permissions that it gave and nobody has used. A second call changes nothing. Throws
 * `rule_not_found`, `session_invalid` or the failures of `requireProofToLoosen`.
 */
export function endRule(
  context: DucklingContext<ProofFailure | 'rule_not_found' | 'session_invalid'>,
  id: string,
): Promise<z.input<typeof EndedRule>> {
  const { caller, now } = context
  return transaction(async (tx) => {
    // Nobody locks requests by the rule of somebody else.
    await findRule(context, id, tx)
    await lockCaller(tx, context)
    await lockUnused(tx, usesOfRule(id), now)
    const living = await findRule(context, id, tx)
    if (living.status !== 'ended') await requireProofToLoosen(tx, context, living, null)
    const { count } = await tx.rule.updateMany({
      where: { id, ducklingId: caller.id, status: { not: 'ended' } },
      data: { status: 'ended', reason: 'owner', endedAt: now },
    })
    const row = await findRule(context, id, tx)
    if (count === 0) return { ...presentRule(row, now), revoked_grants: [] }
    // No request is charged any more, so these are all.
    const revoked = await revokeUnused(tx, context, { ruleId: id, cause: 'rule_ended' })
    record(tx, context, 'rule.ended', {
      targets: [{ type: 'rule', id }],
      metadata: { revoked_grants: revoked },
      data: eventData(row),
    })
    await announceRule(tx, context, 'rule_ended', row)
    return { ...presentRule(row, now), revoked_grants: revoked }
  })
}

/** Pauses everything that may happen without asking the caller (agents/pause.ts), also later rules and permissions. */
export function pauseAllRules(context: DucklingContext<'session_invalid'>): Promise<{ paused: boolean }> {
  return transaction(async (tx) => {
    await lockCaller(tx, context)
    const { count } = await tx.duckling.updateMany({
      where: { id: context.caller.id, rulesPausedAt: null },
      data: { rulesPausedAt: context.now },
    })
    if (count > 0) {
      record(tx, context, 'rule.paused', { metadata: { all: true } })
      announceChange(tx, context, 'everything_paused')
    }
    return { paused: true }
  })
}

/** Ends the pause of everything. Throws `fresh_passkey_needed` unless a passkey confirmed the session just before. */
export function resumeAllRules(
  context: DucklingContext<'session_invalid' | 'fresh_passkey_needed'>,
): Promise<{ paused: boolean }> {
  return transaction(async (tx) => {
    await lockCaller(tx, context)
    requirePasskey(context)
    const { count } = await tx.duckling.updateMany({
      where: { id: context.caller.id, NOT: { rulesPausedAt: null } },
      data: { rulesPausedAt: null },
    })
    if (count > 0) {
      record(tx, context, 'rule.resumed', { metadata: { all: true } })
      announceChange(tx, context, 'everything_resumed')
    }
    return { paused: false }
  })
}
