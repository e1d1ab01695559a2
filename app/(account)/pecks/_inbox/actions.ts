'use server'

import { revalidatePath } from 'next/cache'
import { api } from '@/app/_web/api'
import { explain } from '@/app/_web/form'
import { signInAgain } from '@/app/_web/sign-in-again'
import type { BulkDecision, BulkOutcome, Undone } from './bulk'

type Answer<T> = { ok: true; data: T } | { ok: false; message: string }

const page = '/pecks'

/** What the page sends as the reason of a rejection with one click. The API requires one. */
const notNow = 'Not now'

/** Decides up to 100 requests. Returns what became of each. */
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

/** Revokes the permissions that approvals gave. Returns how many were revoked, and which had been used. */
export async function undoApprovals(ids: string[]): Promise<Undone> {
  const undone: Undone = { uses: [], undone: 0, failed: 0 }
  // One after the other: each is a transaction of its own.
  for (const id of ids) {
    const result = await api('POST /beak/peck/revoke', { body: { peck_id: id } })
    if (result.ok) {
      undone.undone += 1
      if (result.data.uses > 0) undone.uses.push(result.data.uses)
    } else if (result.problem.current_status === 'consumed') undone.uses.push(1)
    else undone.failed += 1
  }
  revalidatePath(page, 'layout')
  return undone
}
