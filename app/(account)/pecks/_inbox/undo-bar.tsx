'use client'

/** Undoes decisions that were just made in the inbox. */

import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { KeptText } from '@/components/kept-text'
import { buttonClass } from '@/components/ui/button-class'
import { isDialogOpen } from '@/components/ui/open-dialog'
import { m } from '@/lib/kernel/messages'
import { chunksOf } from '@/lib/kernel/runtime/chunks'
import { forgetDecision, undoSeconds } from '../_decision/outcome'
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
async function undo(undoable: Undoable): Promise<UndoResult> {
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

/** How long the result is shown. */
const resultMilliseconds = 8000

interface UndoBarProps {
  undoable: Undoable
  onEnd: () => void
  onUndone: (undone: Undone) => void
}

/**
 * Says what was decided. Offers to undo it for ten seconds, and says what that did. The time stands still while the button has the focus
 * or a dialog is open, but not for a rejection, whose time the service keeps. What could not be undone can be tried again.
 */
export default function UndoBar({ undoable, onEnd, onUndone }: UndoBarProps) {
  const canUndo = undoable.ids.length > 0 || undoable.blocked !== undefined
  const [result, setResult] = useState(canUndo ? null : undoable.message)
  const [rest, setRest] = useState(canUndo ? undoable : null)
  const [isBusy, setIsBusy] = useState(false)
  const { left, hold } = useCountdown(undoable.seconds ?? undoSeconds, {
    isStopped: isBusy || result !== null,
    mayPause: undoable.kind !== 'rejected' || undoable.blocked !== undefined,
  })
  const line = useRef<HTMLParagraphElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  const isOver = left === 0
  useEffect(() => {
    if (!isOver) return
    // The bar is removed. Somebody who was on its button must not land at the top of the page.
    if (document.activeElement === button.current)
      document.querySelector<HTMLElement>('[data-row] a[aria-current]')?.focus({ preventScroll: true })
    onEnd()
  }, [isOver, onEnd])
  useEffect(() => {
    if (result === null || rest !== null) return
    const timer = setTimeout(onEnd, resultMilliseconds)
    return () => clearTimeout(timer)
  }, [result, rest, onEnd])

  // The button has gone. Somebody who was on it must not land at the top of the page.
  useLayoutEffect(() => {
    if (result !== null && hadFocus.current) line.current?.focus()
  }, [result])

  async function start() {
    if (isBusy || rest === null) return
    setIsBusy(true)
    const answer = await undo(rest)
    hadFocus.current = document.activeElement === button.current
    setIsBusy(false)
    setResult(answer.message)
    setRest(answer.rest)
    onUndone(answer.undone)
  }

  return (
    <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 border-line bg-surface py-1 text-sm not-in-data-[undo-place=bar]:border-t not-in-data-[undo-place=bar]:px-5 in-data-[undo-place=bar]:-mt-2 in-data-[undo-place=bar]:border-b">
      <p ref={line} tabIndex={-1} className="min-w-0 py-1 wrap-anywhere">
        <KeptText text={result ?? undoable.message} />
      </p>
      {rest === null ? null : (
        <button
          ref={button}
          type="button"
          data-undo
          onFocus={() => hold(true)}
          onBlur={() => hold(false)}
          onPointerEnter={() => hold(true)}
          onPointerLeave={() => hold(false)}
          aria-disabled={isBusy}
          onClick={() => void start()}
          className={buttonClass('quiet', 'px-3')}
        >
          {labelOf(undoable, isBusy, result !== null)}
          {result === null ? (
            <span aria-hidden="true" className="min-w-10 font-normal text-soft tabular-nums">
              {m.inbox_seconds_left({ left })}
            </span>
          ) : null}
        </button>
      )}
    </div>
  )
}

function labelOf({ blocked }: Undoable, isBusy: boolean, hasFailed: boolean): string {
  if (isBusy) return m.inbox_undoing()
  if (hasFailed) return m.inbox_try_again()
  return blocked === undefined ? m.inbox_undo() : m.inbox_undo_block()
}

/** Counts seconds down to 0. Stands still while it is held, while a dialog lies over it, or `isStopped`. */
function useCountdown(seconds: number, { isStopped, mayPause }: { isStopped: boolean; mayPause: boolean }) {
  const [left, setLeft] = useState(seconds)
  const [isHeld, hold] = useState(false)
  const isRunning = !isStopped && !(isHeld && mayPause)
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => {
      if (!mayPause || !isDialogOpen()) setLeft((rest) => Math.max(0, rest - 1))
    }, 1000)
    return () => clearInterval(timer)
  }, [isRunning, mayPause])
  return { left, hold }
}
