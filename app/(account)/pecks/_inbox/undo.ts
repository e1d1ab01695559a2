/** Undoes decisions that were just made in the inbox. */
import { chunksOf } from '@/lib/kernel/chunks'
import { forgetDecision } from '../_decision/recent-decision'
import { reopenRequests, undoApprovals, undoBlock } from './actions'
import { chunkSize, unreachable } from './bulk'
import { nothingUndone, type Reopened, reopenedWords, type Undone, undoneWords } from './undone'

/** A decision that was just made here. */
export interface Undoable {
  kind: 'approved' | 'rejected' | 'snoozed'
  /** "Approved: Send an email." */
  message: string
  /** The decisions that can be undone. */
  ids: string[]
  /** The duckling whom a rejection blocked as well. Undoing ends the block. */
  blocked?: string
  /** For how long a decision of another page can still be undone. */
  seconds?: number
}

interface UndoResult {
  message: string
  /** The outcome of each approval. */
  undone: Undone
  /** What could not be undone. Null: everything was. */
  rest: Undoable | null
}

/** Undoes a decision, in parts that are fast enough for one request. */
export async function undo(undoable: Undoable): Promise<UndoResult> {
  const { kind, ids, blocked } = undoable
  if (blocked !== undefined) {
    const answer = await undoBlock(blocked).catch(() => unreachable)
    return { message: answer.message, undone: nothingUndone, rest: answer.ok ? null : undoable }
  }
  forgetDecision()
  if (kind !== 'approved') return reopenAll(kind, ids)
  const undone = await undoAll(ids)
  const message = undoneWords(undone)
  return { message, undone, rest: undone.failed.length === 0 ? null : { kind, ids: undone.failed, message } }
}

async function undoAll(ids: string[]): Promise<Undone> {
  const all: Undone = { again: [], revoked: [], consumed: [], failed: [], reopened: [] }
  for (const part of chunksOf(ids, chunkSize)) {
    const undone = await undoApprovals(part).catch(() => ({ ...nothingUndone, failed: part }))
    all.again.push(...undone.again)
    all.revoked.push(...undone.revoked)
    all.consumed.push(...undone.consumed)
    all.failed.push(...undone.failed)
  }
  return all
}

/** Takes back rejections or brings back what was put off. What has no answer can be tried again; a repetition changes nothing more. */
async function reopenAll(kind: 'rejected' | 'snoozed', ids: string[]): Promise<UndoResult> {
  const all: Reopened = { reopened: [], late: [], failed: [] }
  for (const part of chunksOf(ids, chunkSize)) {
    const outcome = await reopenRequests(kind, part).catch(() => ({ reopened: [], late: [], failed: part }))
    all.reopened.push(...outcome.reopened)
    all.late.push(...outcome.late)
    all.failed.push(...outcome.failed)
  }
  const message = reopenedWords(kind, all)
  const rest = all.failed.length === 0 ? null : { kind, ids: all.failed, message }
  return { message, undone: { ...nothingUndone, reopened: all.reopened }, rest }
}
