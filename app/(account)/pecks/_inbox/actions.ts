'use server'

import { revalidatePath } from 'next/cache'
import { api } from '@/app/_web/api'
import { explain } from '@/app/_web/form'
import { hasNothingToUndo, isConflict, isRunning } from '@/app/_web/problem'
import { signInAgain } from '@/app/_web/sign-in-again'
import { m } from '@/lib/kernel/messages'
import { inZone } from '@/lib/kernel/text/time-words'
import { defaultReason, undoSeconds } from '../_decision/outcome'
import { blockedWords, unblockedWords } from '../_forms/outcome-words'
import { ownZone } from '../_peck/own-zone'
import type { BulkDecision, BulkOutcome } from './bulk'
import type { Reopened, Undone } from './undone'

/** `isLost`: there is no final answer, and the same call can be repeated with the same key. */
type Answer<T> = { ok: true; data: T } | { ok: false; message: string; isLost: boolean }

const page = '/pecks'

/**
 * Decides up to 100 requests. Returns the outcome of each. A call that is repeated with the same key counts once. `isAsBefore`: approves only those
 * that are as before now.
 */
export async function decideTogether(
  decision: BulkDecision,
  ids: string[],
  key: string,
  isAsBefore = false,
): Promise<Answer<BulkOutcome[]>> {
  const reason = decision === 'reject' ? { reason: defaultReason, undo_seconds: undoSeconds } : {}
  const result = await api('POST /beak/peck/decide', {
    body: { decision, peck_ids: ids, ...reason, ...(isAsBefore ? { as_before: true as const } : {}) },
    headers: { 'idempotency-key': key },
  })
  if (!result.ok) {
    await signInAgain(result.problem, page)
    const isLost = isRunning(result.problem) || result.problem.status >= 500
    return { ok: false, message: explain(result.problem), isLost }
  }
  revalidatePath(page, 'layout')
  // A rejection that can be undone is still pending for the service, and decided for the viewer.
  const shown = result.data.items.map((item) =>
    item.undo_until === undefined ? item : { ...item, status: 'rejected' as const },
  )
  return { ok: true, data: shown }
}

/** Undoes approvals. One that is too old is revoked. Returns the outcome of each. */
export async function undoApprovals(ids: string[]): Promise<Undone> {
  const undone: Undone = { again: [], revoked: [], consumed: [], failed: [], reopened: [] }
  // One after the other: each is a transaction of its own.
  for (const id of ids) {
    const body = { peck_id: id }
    const undoing = await api('POST /beak/peck/undo', { body })
    const isLate = !undoing.ok && hasNothingToUndo(undoing.problem)
    const result = isLate ? await api('POST /beak/peck/revoke', { body }) : undoing
    const status = result.ok ? null : result.problem.current_status
    if (result.ok && result.data.superseded_by !== undefined)
      undone.again.push({ id, by: result.data.superseded_by })
    else if (result.ok) undone.revoked.push({ id, uses: result.data.uses })
    else if (status === 'revoked') undone.revoked.push({ id, uses: null })
    else if (status === 'consumed') undone.consumed.push(id)
    else undone.failed.push(id)
  }
  revalidatePath(page, 'layout')
  return undone
}

/** Blocks a person. Returns in words what the block has hidden, or why it failed. */
export async function blockPerson(ducklingId: string): Promise<{ ok: boolean; message: string }> {
  const result = await api('POST /beak/peck/block', { body: { duckling_id: ducklingId } })
  if (!result.ok) {
    await signInAgain(result.problem, page)
    return { ok: false, message: explain(result.problem) }
  }
  revalidatePath(page, 'layout')
  return { ok: true, message: blockedWords(result.data.hidden_pecks ?? 0) }
}

/** Takes back rejections, or brings back what was put off. */
export async function reopenRequests(kind: 'rejected' | 'snoozed', ids: string[]): Promise<Reopened> {
  const outcome: Reopened = { reopened: [], late: [], failed: [] }
  for (const id of ids) {
    const result =
      kind === 'rejected'
        ? await api('POST /beak/peck/undo', { body: { peck_id: id } })
        : await api('POST /beak/peck/snooze', { body: { peck_id: id, until: null } })
    if (result.ok || hasNothingToUndo(result.problem)) outcome.reopened.push(id)
    else if (isConflict(result.problem) && !isRunning(result.problem)) outcome.late.push(id)
    else outcome.failed.push(id)
  }
  revalidatePath(page, 'layout')
  return outcome
}

/** Ends a block that came with a rejection. Returns in words what came back, or why it failed. */
export async function undoBlock(ducklingId: string): Promise<{ ok: boolean; message: string }> {
  const result = await api('POST /beak/peck/unblock', { body: { duckling_id: ducklingId } })
  if (!result.ok) return { ok: false, message: explain(result.problem) }
  revalidatePath(page, 'layout')
  return { ok: true, message: unblockedWords(result.data.restored_pecks ?? 0) }
}

/** Puts a request off. Returns in words when it comes back, or why it failed. */
export async function putOff(id: string, until: string): Promise<{ ok: boolean; message: string }> {
  const result = await api('POST /beak/peck/snooze', { body: { peck_id: id, until } })
  if (!result.ok) {
    await signInAgain(result.problem, page)
    return { ok: false, message: explain(result.problem) }
  }
  revalidatePath(page, 'layout')
  const time = inZone(result.data.snoozed_until ?? until, await ownZone())
  return { ok: true, message: m.decision_later_it_comes_back_until({ until: time }) }
}
