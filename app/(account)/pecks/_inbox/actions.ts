'use server'

import { revalidatePath } from 'next/cache'
import { api } from '@/app/_web/api'
import { explain } from '@/app/_web/form'
import { signInAgain } from '@/app/_web/sign-in-again'
import { notNow } from '../_decision/not-now'
import { unblockedWords } from '../_forms/outcome-words'
import type { BulkDecision, BulkOutcome } from './bulk'
import type { Undone } from './undone'

type Answer<T> = { ok: true; data: T } | { ok: false; message: string }

const page = '/pecks'

/** Decides up to 100 requests. Returns the outcome of each. */
export async function decideTogether(decision: BulkDecision, ids: string[]): Promise<Answer<BulkOutcome[]>> {
  const reason = decision === 'reject' ? { reason: notNow } : {}
  const result = await api('POST /beak/peck/decide', { body: { decision, peck_ids: ids, ...reason } })
  if (!result.ok) {
    await signInAgain(result.problem, page)
    return { ok: false, message: explain(result.problem) }
  }
  revalidatePath(page, 'layout')
  return { ok: true, data: result.data.items }
}

/** Revokes the permissions that approvals gave. Returns the outcome of each. */
export async function undoApprovals(ids: string[]): Promise<Undone> {
  const undone: Undone = { revoked: [], consumed: [], failed: [] }
  // One after the other: each is a transaction of its own.
  for (const id of ids) {
    const result = await api('POST /beak/peck/revoke', { body: { peck_id: id } })
    const status = result.ok ? null : result.problem.current_status
    if (result.ok) undone.revoked.push({ id, uses: result.data.uses })
    else if (status === 'revoked') undone.revoked.push({ id, uses: null })
    else if (status === 'consumed') undone.consumed.push(id)
    else undone.failed.push(id)
  }
  revalidatePath(page, 'layout')
  return undone
}

/** Ends a block that came with a rejection. Returns in words what came back, or why it failed. */
export async function undoBlock(ducklingId: string): Promise<{ ok: boolean; message: string }> {
  const result = await api('POST /beak/peck/unblock', { body: { duckling_id: ducklingId } })
  if (!result.ok) return { ok: false, message: explain(result.problem) }
  revalidatePath(page, 'layout')
  return { ok: true, message: unblockedWords(result.data.restored_pecks ?? 0) }
}
