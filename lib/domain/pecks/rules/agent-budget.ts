/** The budget of one agent over all rules of a person. It only takes away: without a rule, it allows nothing. */
import { exactMoneyText } from '@beak/proofs/rules/money'
import { RuleBudget } from '@beak/proofs/rules/rule'
import { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import type { AgentBudget as BudgetRow } from '@/lib/db/generated/client'
import { transaction } from '@/lib/db/transaction'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { lockCaller, requirePasskey } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { idSchema } from '@/lib/kernel/secrets/ids'
import { recountAgent } from './recount'
import { limitsOf } from './rows'
import { budgetLeft, budgetUsed, RuleLeft, RuleUsed } from './schema'
import { timeZoneOf } from './sign'
import { lockUnused, usesOfAgent } from './unused'

export const AgentBudgetRequest = z.strictObject({
  agent_id: idSchema('agent'),
  budget: RuleBudget.nullable().meta({
    description: 'What all rules together may allow the agent. Null: only the budgets of the rules count.',
  }),
})

export const AgentBudget = z
  .object({
    agent_id: z.string(),
    budget: RuleBudget.nullable(),
    time_zone: z.string(),
    used: RuleUsed,
    left: RuleLeft,
  })
  .meta({ id: 'AgentBudget' })
type AgentBudgetInput = z.input<typeof AgentBudget>

const isAtMost = (value: number | null, limit: number | null) =>
  limit === null || (value !== null && value <= limit)

/** Tells whether the new limits allow nothing that the ones before did not allow. Without limits before, every limit is smaller. */
function isNarrower(after: ReturnType<typeof limitsOf>, before: BudgetRow | null): boolean {
  if (before === null) return true
  const isSame = after.per === before.per && (before.currency === null || after.currency === before.currency)
  const amounts = [after.maxAmount, before.maxAmount].map((amount) =>
    amount === null ? null : Number(amount),
  )
  return (
    isSame &&
    isAtMost(after.maxUses, before.maxUses) &&
    isAtMost(after.maxPeriodUses, before.maxPeriodUses) &&
    isAtMost(amounts[0] ?? null, amounts[1] ?? null)
  )
}

/**
 * Sets or removes the budget of an agent. Throws `agent_not_registered`, or `fresh_passkey_needed` when it allows more than before and no
 * passkey confirmed the session just before.
 */
export function setAgentBudget(
  context: DucklingContext<'agent_not_registered' | 'fresh_passkey_needed' | 'session_invalid'>,
  { agent_id: agentId, budget }: z.output<typeof AgentBudgetRequest>,
): Promise<AgentBudgetInput> {
  const { caller, now } = context
  const ducklingId = caller.id
  return transaction(async (tx) => {
    await lockCaller(tx, context)
    const agent = await tx.agent.findFirst({ where: { id: agentId, status: { not: 'deregistered' } } })
    if (agent === null) throw context.fail('agent_not_registered')
    const key = { ducklingId_agentId: { ducklingId, agentId } }
    await lockUnused(tx, usesOfAgent(ducklingId, agentId), now)
    await tx.run`SELECT 1 FROM "AgentBudget" WHERE "ducklingId" = ${ducklingId} AND "agentId" = ${agentId} FOR NO KEY UPDATE`
    const before = await tx.agentBudget.findUnique({ where: key })
    const columns = limitsOf(budget ?? undefined)
    const isWider = !isNarrower(columns, before)
    if (isWider) requirePasskey(context)
    // Another zone could begin the next day, and with it the next budget, earlier.
    const timeZone = before?.timeZone ?? (await timeZoneOf(tx, ducklingId))
    const data = {
      ...columns,
      timeZone,
      sessionId: caller.sessionId,
      ...(budget === null
        ? {}
        : await recountAgent(tx, { ducklingId, agentId, timeZone }, { before, after: columns, now })),
    }
    const row =
      budget === null
        ? { ...(before ?? emptyRow(ducklingId, agentId, timeZone)), ...columns }
        : await tx.agentBudget.upsert({ where: key, create: { ducklingId, agentId, ...data }, update: data })
    if (budget === null) await tx.agentBudget.deleteMany({ where: { ducklingId, agentId } })
    record(tx, context, 'rule.updated', {
      targets: [{ type: 'agent', id: agentId }],
      metadata: { budget: true },
    })
    announceChange(tx, context, 'rule_changed', agent.name)
    return present(row, budget === null, now)
  })
}

const emptyRow = (ducklingId: string, agentId: string, timeZone: string): BudgetRow => ({
  ducklingId,
  agentId,
  timeZone,
  ...limitsOf(undefined),
  uses: 0,
  period: null,
  periodUses: 0,
  amount: 0n,
  epoch: 0,
  nextPeriod: null,
  nextUses: 0,
  nextAmount: 0n,
  sessionId: null,
})

/** Returns the budgets of the caller's agents. */
export async function listAgentBudgets(
  { caller, now }: DucklingContext,
  tx: Tx = db(),
): Promise<{ items: AgentBudgetInput[] }> {
  const rows = await tx.agentBudget.findMany({
    where: { ducklingId: caller.id },
    orderBy: { agentId: 'asc' },
  })
  return { items: rows.map((row) => present(row, false, now)) }
}

function present(row: BudgetRow, isRemoved: boolean, now: Date): AgentBudgetInput {
  const { maxUses, maxPeriodUses, maxAmount, currency, per } = row
  const budget = {
    ...(maxAmount === null || currency === null
      ? {}
      : { amount: exactMoneyText({ minor: Number(maxAmount), currency }) }),
    ...(per === null ? {} : { per: per as NonNullable<RuleBudget['per']> }),
    ...(maxUses === null ? {} : { uses: maxUses }),
    ...(maxPeriodUses === null ? {} : { uses_each: maxPeriodUses }),
  }
  return {
    agent_id: row.agentId,
    budget: isRemoved ? null : budget,
    time_zone: row.timeZone,
    used: budgetUsed(row, now),
    left: budgetLeft(row, now),
  }
}
