/** Decides several pecks in one transaction. Each gets its own outcome, so that one that was decided meanwhile stops none of the others. */
import { isFreeText } from '@beak/decision/free-text'
import { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { transaction, withCurrentTime } from '@/lib/db/transaction'
import { storedLevel, storedRisk } from '@/lib/domain/pecks/risk/read'
import { type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import { peckId, undoSeconds } from '@/lib/domain/pecks/schema'
import { statusForChange } from '@/lib/domain/pecks/state'
import { requireOpenLog } from '@/lib/infrastructure/events/chain'
import { peckStatus } from '@/lib/infrastructure/events/kinds/peck-data'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { type FailureName, failureTable } from '@/lib/kernel/request/failures'
import { instant, reason } from '@/lib/kernel/request/fields'
import { inSlices } from '@/lib/kernel/runtime/slices'
import { asBeforeOf } from '../as-before'
import { firstContacts } from '../asker-history'
import { alwaysNeedsPasskey, applyApproval, needsDecisionPage } from './approve'
import { applyRejection } from './decline'

const decidedMax = 100

export const Decisions = z
  .strictObject({
    decision: z.enum(['approve', 'reject']),
    peck_ids: z
      .array(peckId)
      .min(1, 'must name at least one peck')
      .max(decidedMax, `must name at most ${decidedMax} pecks`),
    reason: reason.optional().meta({ description: 'Needed to reject. The askers can read it.' }),
    undo_seconds: undoSeconds,
    as_before: z.literal(true).optional().meta({
      description: 'Approve only those that are as before now: `as_before` of the inbox is not null.',
    }),
  })
  .refine(({ decision, reason: given }) => decision === 'approve' || given !== undefined, {
    path: ['reason'],
    message: 'must not be empty',
  })

const outcomes = [
  'decided',
  'not_pending',
  'missing',
  'high_risk',
  'first_contact',
  'passkey_needed',
  'page_needed',
  'free_text',
  'not_as_before',
] as const

export const DecisionOutcomes = z.object({
  items: z.array(
    z
      .object({
        peck_id: z.string(),
        outcome: z.enum(outcomes).meta({
          description:
            '`high_risk`, `first_contact`, `free_text` and `passkey_needed`: approve it on its own. `not_as_before`: you wanted only those that are. `page_needed`: approve it on its page, in a browser, also what can cost money more than once. `not_pending`: `status` says what happened to it.',
        }),
        status: peckStatus.nullable(),
        undo_until: instant.optional().meta({
          description: 'When the rejection takes effect, if it can be undone until then.',
        }),
      })
      .meta({ id: 'DecisionOutcome' }),
  ),
})

type Outcome = z.input<typeof DecisionOutcomes>['items'][number]
type Decision = z.output<typeof Decisions>['decision']
type Refusal = Exclude<Outcome['outcome'], 'decided'>

/** The failures of the same refusals on the endpoints for one peck. The others are approved there, so they have no failure. */
const failures: Partial<Record<Refusal, FailureName>> = {
  not_pending: 'peck_not_pending',
  missing: 'peck_not_found',
  passkey_needed: 'passkey_assertion_needed',
  page_needed: 'decision_page_needed',
}

/**
 * Approves or rejects up to 100 pecks of the caller. An approval leaves out high risks, first contacts, free text and those that need a passkey: a person
 * must see them one by one. The outcomes are in the order of the ids. Each refused peck is a denied event in the caller's log.
 */
export function decideMany(
  context: DucklingContext,
  decisions: z.output<typeof Decisions>,
): Promise<z.input<typeof DecisionOutcomes>> {
  return transaction(async (tx) => {
    const ids = [...new Set(decisions.peck_ids)]
    const pecks = await lockPecks(tx, context.caller.id, ids)
    const current = withCurrentTime(context)
    if (decisions.undo_seconds > 0) requireOpenLog(tx, current)
    const found = [...pecks.values()]
    // A rejection needs no history of the askers.
    const isApproval = decisions.decision === 'approve'
    const unknown = isApproval ? await firstContacts(tx, context.caller.id, found) : new Set<string>()
    const before =
      isApproval && decisions.as_before ? await asBeforeOf(tx, context.caller.id, found, current.now) : null
    // What each decision displays is computed, which takes longer than the statements.
    const weightOf = (id: string) => 2 * (pecks.get(id)?.params.length ?? 0)
    const items = await inSlices(ids, weightOf, (id) =>
      decideOne(tx, current, decisions, {
        id,
        peck: pecks.get(id),
        isFirst: unknown.has(id),
        isOther: before !== null && !before.has(id),
      }),
    )
    return { items }
  })
}

interface ChoiceFacts {
  isFirst: boolean
  /** Only what is as before may be approved, and it is not. */
  isOther: boolean
}

/** Decides one of the pecks, or refuses it. `peck` is undefined when the caller has no peck with that id. */
function decideOne(
  tx: Tx,
  context: DucklingContext,
  { decision, reason: given = '', undo_seconds }: z.output<typeof Decisions>,
  { id, peck, ...facts }: { id: string; peck: PeckRow | undefined } & ChoiceFacts,
): Outcome {
  if (peck === undefined)
    return refuse(tx, context, decision, { peck_id: id, outcome: 'missing', status: null })
  const refusal = refusalOf(context, { peck, ...facts }, decision)
  if (refusal !== null)
    return refuse(tx, context, decision, {
      peck_id: id,
      outcome: refusal,
      status: statusForChange(peck, context.now),
    })
  const decided =
    decision === 'approve'
      ? applyApproval(tx, context, peck, { proof: null }).approved
      : applyRejection(tx, context, peck, { reason: given, undoSeconds: undo_seconds, proof: null })
  const undo = decided.rejectAt === null ? {} : { undo_until: decided.rejectAt }
  return { peck_id: id, outcome: 'decided', status: decided.status, ...undo }
}

interface RefusedOutcome extends Outcome {
  outcome: Refusal
}

/**
 * Records a refused decision in the caller's log, as the endpoints for one peck do, and returns its outcome. The id of the peck is in the
 * metadata, because the call is about several.
 */
function refuse(tx: Tx, context: DucklingContext, decision: Decision, refused: RefusedOutcome): Outcome {
  const { outcome, peck_id } = refused
  const failure = failures[outcome]
  record(tx, context, decision === 'approve' ? 'peck.approved' : 'peck.rejected', {
    outcome: 'denied',
    metadata: {
      ...(failure === undefined ? { failure: outcome } : { code: failureTable[failure].code, failure }),
      peck_id,
    },
  })
  return refused
}

/** Locks the pecks that the caller sees, in the order of their ids, so that two such calls cannot wait for each other. */
async function lockPecks(tx: Tx, targetId: string, ids: string[]): Promise<Map<string, PeckRow>> {
  const rows = await readPecks(
    tx,
    sql`SELECT * FROM "Peck" WHERE "id" = ANY(${ids}::text[])
      AND "targetDucklingId" = ${targetId} AND NOT "blocked" ORDER BY "id" FOR NO KEY UPDATE`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Whether the permission may cost money more than once: no sum of a list says how much. */
const costsRepeatedly = (peck: PeckRow): boolean =>
  peck.scope !== 'limited' && storedRisk(peck).reasons.some(({ rule }) => rule === 'money')

/** Returns why a peck cannot be decided together with others, or null. */
function refusalOf(
  { caller, now }: DucklingContext,
  { peck, isFirst, isOther }: { peck: PeckRow } & ChoiceFacts,
  decision: Decision,
): Refusal | null {
  if (statusForChange(peck, now) !== 'pending') return 'not_pending'
  if (decision === 'reject') return null
  if (alwaysNeedsPasskey(peck)) return 'passkey_needed'
  if (storedLevel(peck) === 'high') return 'high_risk'
  if (needsDecisionPage(caller, peck) || costsRepeatedly(peck)) return 'page_needed'
  if (isFreeText(peck.action)) return 'free_text'
  if (isFirst) return 'first_contact'
  return isOther ? 'not_as_before' : null
}
