/** Undoes decisions that were just made in the inbox. */
import { forgetApproval } from '../_decision/recent-approval'
import { undoApprovals, undoBlock } from './actions'
import { chunkSize, unreachable } from './bulk'
import { type Undone, undoneWords } from './undone'

/** A decision that was just made here. */
export interface Undoable {
  /** "Approved: Send an email." */
  message: string
  /** The approvals that can be undone. Empty after a rejection. */
  ids: string[]
  /** The duckling whom a rejection blocked as well. Undoing ends the block. */
  blocked?: string
  /** For how long an approval of another page can still be undone. */
  seconds?: number
}

interface UndoResult {
  message: string
  /** The outcome of each approval. */
  undone: Undone
  /** What could not be undone. Null: everything was. */
  rest: Undoable | null
}

const nothing: Undone = { revoked: [], consumed: [], failed: [] }

/** Undoes a decision, in parts that are fast enough for one request. */
export async function undo(undoable: Undoable): Promise<UndoResult> {
  const { ids, blocked } = undoable
  if (blocked !== undefined) {
    const answer = await undoBlock(blocked).catch(() => unreachable)
    return { message: answer.message, undone: nothing, rest: answer.ok ? null : undoable }
  }
  forgetApproval()
  const undone = await revokeAll(ids)
  const message = undoneWords(undone)
  return { message, undone, rest: undone.failed.length === 0 ? null : { ids: undone.failed, message } }
}

async function revokeAll(ids: string[]): Promise<Undone> {
  const all: Undone = { revoked: [], consumed: [], failed: [] }
  for (let start = 0; start < ids.length; start += chunkSize) {
    const part = ids.slice(start, start + chunkSize)
    const undone = await undoApprovals(part).catch(() => ({ ...nothing, failed: part }))
    all.revoked.push(...undone.revoked)
    all.consumed.push(...undone.consumed)
    all.failed.push(...undone.failed)
  }
  return all
}
