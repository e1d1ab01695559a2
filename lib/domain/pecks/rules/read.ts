/** What the owner reads of rules: the list, one rule with what it answered, and the feed "Answered for you". */
import { exactMoneyText } from '@beak/client/verify/rules/money'
import { z } from 'zod'
import { db } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { summarize } from '@/lib/domain/pecks/display/summary'
import { type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import { grantStatusOf } from '@/lib/domain/pecks/state'
import { grantStatus } from '@/lib/infrastructure/events/kinds/peck-data'
import type { DucklingContext } from '@/lib/kernel/context'
import { instant } from '@/lib/kernel/fields'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/page'
import { findRule } from './rows'
import { PresentedRule, type PresentedRuleInput, presentRule } from './schema'

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
