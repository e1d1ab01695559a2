/** What the owner reads of rules: the list, one rule with what it answered, and the feed "Answered for you". */

import { summarize } from '@beak/decision/display/display'
import { exactMoneyText } from '@beak/proofs/rules/money'
import { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import type { Rule as RuleRow } from '@/lib/db/generated/client'
import { type Sql, sql } from '@/lib/db/sql'
import { type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import { grantStatusOf } from '@/lib/domain/pecks/state'
import { ruleSentence } from '@/lib/domain/rules/sentence'
import { grantStatus } from '@/lib/infrastructure/events/kinds/peck-data'
import type { AgentCaller, Context, DucklingContext } from '@/lib/kernel/request/context'
import { instant } from '@/lib/kernel/request/fields'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/request/page'
import { listAgentBudgets } from './agent-budget'
import { findRule } from './rows'
import { budgetLeft, PresentedRule, type PresentedRuleInput, presentRule, RuleLeft, readRule } from './schema'

/** An answer of a rule, as the owner sees it. */
export const RuleAnswer = z
  .object({
    peck_id: z.string(),
    rule_id: z.string(),
    action: z.string(),
    summary: z.string().meta({ description: 'What was asked, as one sentence of the service.' }),
    asker: z.string().meta({ description: 'The id of the agent.' }),
    asker_name: z.string().nullable(),
    answer: z.enum(['approved', 'rejected', 'watched']),
    grant_status: grantStatus.nullable(),
    cost: z.string().nullable(),
    returned: z
      .boolean()
      .meta({ description: 'Whether the permission ended unused and the budget got its cost back.' }),
    at: instant,
  })
  .meta({ id: 'RuleAnswer' })
type RuleAnswerInput = z.input<typeof RuleAnswer>

/** A rule and the newest requests that it answered. */
export const RuleView = PresentedRule.extend({ answers: z.array(RuleAnswer) }).meta({ id: 'RuleView' })

const answersShown = 20

/** Returns a page of the caller's rules, newest first. */
export async function listRules(
  { caller, now }: DucklingContext,
  page: PageRequest,
): Promise<Page<PresentedRuleInput>> {
  const rows = await db().rule.findMany({
    where: { ducklingId: caller.id, ...(page.after === null ? {} : { id: { lt: page.after } }) },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  })
  return pageOf(
    rows,
    page,
    ({ id }) => id,
    (row) => presentRule(row, now),
  )
}

/** Returns a rule of the caller and what it answered. Throws `rule_not_found`. */
export async function viewRule(
  context: DucklingContext<'rule_not_found'>,
  id: string,
): Promise<z.input<typeof RuleView>> {
  const row = await findRule(context, id)
  const answers = await readAnswers(sql`"ruleId" = ${id}`, answersShown, context.now)
  return { ...presentRule(row, context.now), answers }
}

/** Returns a page of what rules answered for the caller, newest first. What rules only watched is not among it. */
export async function listAnswers(
  { caller, now }: DucklingContext,
  page: PageRequest,
): Promise<Page<RuleAnswerInput>> {
  const after = page.after === null ? sql`` : sql`AND "peckId" < ${page.after}`
  const rows = await readAnswers(
    sql`"ducklingId" = ${caller.id} AND "state" <> 'watched' ${after}`,
    page.limit + 1,
    now,
  )
  return pageOf(
    rows,
    page,
    ({ peck_id }) => peck_id,
    (row) => row,
  )
}

interface UseRow {
  peckId: string
  ruleId: string
  state: 'reserved' | 'spent' | 'returned' | 'watched'
  cost: bigint | string
  currency: string | null
}

async function readAnswers(where: Sql, limit: number, now: Date): Promise<RuleAnswerInput[]> {
  const uses = await db().rows<UseRow>`
    SELECT "peckId", "ruleId", "state", "cost", "currency" FROM "RuleUse" WHERE ${where} ORDER BY "peckId" DESC LIMIT ${limit}`
  const ids = uses.map(({ peckId }) => peckId)
  const pecks = await readPecks(db(), sql`SELECT * FROM "Peck" WHERE "id" = ANY(${ids}::text[])`)
  const byId = new Map(pecks.map((peck) => [peck.id, peck]))
  return uses.flatMap((use) => {
    const peck = byId.get(use.peckId)
    return peck === undefined ? [] : [presentAnswer(use, peck, now)]
  })
}

function presentAnswer({ ruleId, state, cost, currency }: UseRow, peck: PeckRow, now: Date): RuleAnswerInput {
  const minor = Number(cost)
  return {
    peck_id: peck.id,
    rule_id: ruleId,
    action: peck.action,
    summary: summarize(peck),
    asker: peck.askerId,
    asker_name: peck.agentName,
    answer: state === 'watched' ? 'watched' : peck.status === 'rejected' ? 'rejected' : 'approved',
    grant_status: state === 'watched' ? null : grantStatusOf(peck, now),
    cost: minor === 0 || currency === null ? null : exactMoneyText({ minor, currency }),
    returned: state === 'returned',
    at: peck.createdAt,
  }
}

/** Returns everything about the caller's rules for the export of the account, oldest first: with signatures, answers and budgets. */
export async function exportRules(tx: Tx, context: DucklingContext) {
  const { caller, now } = context
  const ofCaller = { ducklingId: caller.id }
  const rows = await tx.rule.findMany({ where: ofCaller, orderBy: { id: 'asc' } })
  const statements = await tx.ruleStatement.findMany({
    where: { ruleId: { in: rows.map(({ id }) => id) } },
    orderBy: { createdAt: 'asc' },
  })
  const uses = await tx.ruleUse.findMany({
    where: ofCaller,
    orderBy: [{ peckId: 'asc' }, { ruleId: 'asc' }],
  })
  return {
    rules: rows.map((row) => ({
      ...presentRule(row, now),
      statements: statements
        .filter(({ ruleId }) => ruleId === row.id)
        .map(({ statement, proof, createdAt }) => ({ statement, proof, created_at: createdAt })),
    })),
    rule_answers: uses.map((use) => ({
      peck_id: use.peckId,
      rule_id: use.ruleId,
      agent_id: use.agentId,
      state: use.state,
      cost: Number(use.cost),
      currency: use.currency,
      before: use.before,
      after: use.after,
      limits: use.limits,
      created_at: use.createdAt,
    })),
    agent_budgets: (await listAgentBudgets(context, tx)).items,
  }
}

/** What an agent may know of rules that answer its requests, so that it can plan. */

export const AgentRules = z
  .object({
    rules: z.array(
      z.object({
        rule_id: z.string(),
        target_duckling_id: z.string().meta({ description: 'Whose requests the rule answers.' }),
        sentence: z.string().meta({ description: 'The rule in words.' }),
        actions: z.array(z.string()),
        answer: z.enum(['approve', 'reject', 'ask']),
        left: RuleLeft,
        expires_at: instant,
      }),
    ),
    budgets: z
      .array(z.object({ target_duckling_id: z.string(), left: RuleLeft }))
      .meta({ description: 'What all rules of a person together may still allow the agent.' }),
  })
  .meta({ id: 'AgentRules' })

const rulesMax = 100

/**
 * Returns the rules that apply to the calling agent: those of its operator, and those of others that have answered it before. Until then, nobody
 * learns what somebody else allows.
 */
export async function listAgentRules({
  caller,
  now,
}: Context<AgentCaller>): Promise<z.input<typeof AgentRules>> {
  const { id: operatorId, agentId } = caller
  const rules = await db().rows<RuleRow>`
    SELECT r.* FROM "Rule" r JOIN "Duckling" d ON d."id" = r."ducklingId" AND d."rulesPausedAt" IS NULL
    WHERE r."subjectId" IN (${agentId}, ${operatorId}) AND r."status" = 'on' AND NOT r."watches" AND r."expiresAt" > ${now}::timestamptz
      AND (r."ducklingId" = ${operatorId} OR EXISTS (
        SELECT 1 FROM "RuleUse" u WHERE u."ruleId" = r."id" AND u."agentId" = ${agentId} AND u."state" <> 'watched'))
    ORDER BY r."id" LIMIT ${rulesMax}`
  const targets = [...new Set([operatorId, ...rules.map(({ ducklingId }) => ducklingId)])]
  const budgets = await db().agentBudget.findMany({
    where: { agentId, ducklingId: { in: targets } },
    orderBy: { ducklingId: 'asc' },
  })
  return {
    rules: rules.map((row) => presentForAgent(row, now)),
    budgets: budgets.map((row) => ({ target_duckling_id: row.ducklingId, left: budgetLeft(row, now) })),
  }
}

function presentForAgent(row: RuleRow, now: Date): z.input<typeof AgentRules>['rules'][number] {
  const { actions, answer } = row
  return {
    rule_id: row.id,
    target_duckling_id: row.ducklingId,
    sentence: ruleSentence(readRule(row), row.expiresAt),
    actions,
    answer,
    left: budgetLeft(row, now),
    expires_at: row.expiresAt,
  }
}
