/** The commands of the owner of a rule: making, changing, pausing, resuming and ending it (contract C, Rules). */
import type { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import type { Rule as RuleRow } from '@/lib/db/generated/client'
import { transaction } from '@/lib/db/transaction'
import { requireSigner } from '@/lib/domain/pecks/statements/approval-proof'
import { ruleSentence } from '@/lib/domain/rules/sentence'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { lockCaller } from '@/lib/domain/sessions/lock'
import { requirePasskey } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import { secondsAfter } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { isNarrower } from './narrow'
import { type PrepareFailure, prepareRule } from './prepare'
import { startReports } from './report'
import { columnsOf, findRule, lockRule, restartedCounts, type SignedRule, storeStatement } from './rows'
import { type PresentedRuleInput, presentRule, type RuleCreation, type RuleUpdate, readRule } from './schema'
import { verifyRule } from './sign'

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
      },
    })
    startReports(tx, caller.id, now)
    record(tx, context, 'rule.created', { targets: [{ type: 'rule', id: row.id }], data: eventData(row) })
    announceChange(tx, context, 'rule_created')
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
 * Changes a rule. What it allowed so far keeps counting. Without a passkey, it may only become narrower. Throws `rule_not_found`, `rule_ended`,
 * `passkey_assertion_needed`, `passkey_assertion_invalid`, `rule_changed` or the failures of `prepareRule`.
 */
export async function updateRule(
  context: DucklingContext<
    SignatureFailure | PrepareFailure | 'rule_not_found' | 'rule_ended' | 'passkey_assertion_needed'
  >,
  { rule_id: id, rule: sent, passkey }: z.output<typeof RuleUpdate>,
): Promise<PresentedRuleInput> {
  const { now } = context
  await findRule(context, id)
  const rule = await prepareRule(db(), context, sent)
  const signed = passkey === undefined ? null : await verifyRule(context, { rule, ruleId: id }, passkey)
  return transaction(async (tx) => {
    await lockCaller(tx, context)
    await requireSigner(tx, context, signed?.proof ?? null)
    const row = await lockRule(tx, context, id)
    const columns = columnsOf(rule)
    const wished = secondsAfter(now, rule.expires_in)
    const before = readRule(row)
    if (signed === null && (!isNarrower(rule, before) || row.status !== 'on'))
      throw context.fail('passkey_assertion_needed', { required: 'passkey' })
    const changed = await tx.rule.update({
      where: { id },
      data: {
        ...columns,
        ...(signed === null
          ? { expiresAt: new Date(Math.min(wished.getTime(), row.expiresAt.getTime())) }
          : await signedColumns(tx, signed, context)),
        reportedSpent: null,
        ...restartedCounts(row, columns),
      },
    })
    recordRule(tx, context, 'rule.updated', changed)
    if (signed !== null) announceChange(tx, context, 'rule_changed')
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

/** Pauses a rule of the caller at once. A second call changes nothing. Throws `rule_not_found` or `rule_ended`. */
export function pauseRule(
  context: DucklingContext<'rule_not_found' | 'rule_ended'>,
  id: string,
): Promise<PresentedRuleInput> {
  return transaction(async (tx) => {
    const row = await lockRule(tx, context, id)
    if (row.status === 'paused') return presentRule(row, context.now)
    const paused = await tx.rule.update({ where: { id }, data: { status: 'paused', reason: 'owner' } })
    recordRule(tx, context, 'rule.paused', paused)
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
    announceChange(tx, context, 'rule_changed')
    return presentRule(resumed, context.now)
  })
}

/** Ends a rule of the caller for good. Permissions that it gave stay. A second call changes nothing. Throws `rule_not_found`. */
export function endRule(context: DucklingContext<'rule_not_found'>, id: string): Promise<PresentedRuleInput> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const { count } = await tx.rule.updateMany({
      where: { id, ducklingId: caller.id, status: { not: 'ended' } },
      data: { status: 'ended', reason: 'owner', endedAt: now },
    })
    const row = await findRule(context, id, tx)
    if (count > 0)
      record(tx, context, 'rule.ended', { targets: [{ type: 'rule', id }], data: eventData(row) })
    return presentRule(row, now)
  })
}

/** Pauses all rules of the caller with one switch, also later ones. */
export function pauseAllRules(context: DucklingContext<'session_invalid'>): Promise<{ paused: boolean }> {
  return transaction(async (tx) => {
    await lockCaller(tx, context)
    const { count } = await tx.duckling.updateMany({
      where: { id: context.caller.id, rulesPausedAt: null },
      data: { rulesPausedAt: context.now },
    })
    if (count > 0) record(tx, context, 'rule.paused', { metadata: { all: true } })
    return { paused: true }
  })
}

/** Lets the rules of the caller answer again. Throws `fresh_passkey_needed` unless a passkey confirmed the session just before. */
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
      announceChange(tx, context, 'rule_changed')
    }
    return { paused: false }
  })
}
