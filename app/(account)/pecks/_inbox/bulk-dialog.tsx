'use client'

import { useEffect, useRef, useState } from 'react'
import { lossOf, lostMessages } from '@/components/connection/failures'
import { buttonClass } from '@/components/ui/button-class'
import { DialogButtons } from '@/components/ui/dialog-buttons'
import { Modal } from '@/components/ui/modal'
import { newSubmissionKey } from '@/components/ui/restore-fields'
import { m } from '@/lib/kernel/messages'
import { decideTogether } from './actions'
import { type BulkDecision, type BulkOutcome, chunkSize, outcomeWords, requestCount } from './bulk'
import { bulkGroups, bulkTitle, type LeftOut, splitForBulk } from './bulk-groups'
import { BulkList, Total } from './bulk-list'
import type { InboxRow } from './rows'

interface BulkDialogProps {
  rows: InboxRow[]
  decision: BulkDecision
  /** Approves only what is still as before. */
  isAsBefore?: boolean | undefined
  isPasskeyRequired: boolean
  onClose: () => void
  /** Called after each part of a long list. */
  onDecided: (outcomes: BulkOutcome[]) => void
  /** Called once with the outcome of all that were decided. */
  onEnded: (outcomes: BulkOutcome[]) => void
}

type Step =
  | { at: 'asking' }
  | { at: 'running' }
  /** There is no answer to the part that begins at `start`. */
  | { at: 'lost'; message: string; start: number; key: string }
  | { at: 'ended'; message: string }

/** Asks once for all selected requests, and lists them: those that will be decided, and those that are left out, with the reason. */
export default function BulkDialog({
  rows,
  decision,
  isAsBefore,
  isPasskeyRequired,
  ...on
}: BulkDialogProps) {
  const { onClose, onDecided, onEnded } = on
  const { included, leftOut } = splitForBulk(rows, decision, isPasskeyRequired)
  const [step, setStep] = useState<Step>({ at: 'asking' })
  const [outcomes, setOutcomes] = useState<Record<string, string>>({})
  const answered = useRef<BulkOutcome[]>([])
  const done = Object.keys(outcomes).length
  // One group says its sum itself.
  const hasTotal = bulkGroups(included.map((row) => ({ row, reason: null }))).length > 1

  /** Decides part after part, from the place `from`. `firstKey`: the key of the first part, when it is sent again. */
  async function run(from: number, firstKey = newSubmissionKey()) {
    setStep({ at: 'running' })
    const all = answered.current
    for (let start = from; start < included.length; start += chunkSize) {
      const ids = included.slice(start, start + chunkSize).map(({ id }) => id)
      const key = start === from ? firstKey : newSubmissionKey()
      const answer = await decideTogether(decision, ids, key, isAsBefore).catch(lostAnswer)
      if (!answer.ok) {
        const message = stopped(answer.message, decidedOf(all), included.length)
        if (answer.isLost) return setStep({ at: 'lost', message, start, key })
        onEnded(all)
        return setStep({ at: 'ended', message })
      }
      all.push(...answer.data)
      setOutcomes(Object.fromEntries(all.map((outcome) => [outcome.peck_id, outcomeWords(outcome)])))
      onDecided(answer.data)
    }
    onEnded(all)
    const others = all.length - decidedOf(all)
    if (others === 0) return onClose()
    setStep({
      at: 'ended',
      message: m.inbox_requestcount_decided_others_could_not_be({
        requestCount: requestCount(all.length - others),
        others,
      }),
    })
  }

  function close() {
    if (step.at === 'running') return
    // What was decided before the answer was lost can be undone.
    if (step.at === 'lost') onEnded(answered.current)
    onClose()
  }

  return (
    <Modal
      title={bulkTitle(decision, included.length, rows.length)}
      onClose={close}
      className="w-[min(42rem,calc(100vw-2rem))]!"
    >
      {decision === 'reject' ? <p className="text-sm text-soft">{m.inbox_bulk_reject_note()}</p> : null}
      {isAsBefore ? <p className="text-sm text-soft">{m.inbox_bulk_as_before_note()}</p> : null}
      {hasTotal ? <Total rows={included} /> : null}
      <BulkList
        label={m.inbox_requests_to_decide()}
        rows={included.map((row) => ({ row, reason: null }))}
        outcomes={outcomes}
      />
      <LeftOutList leftOut={leftOut} isAll={included.length === 0} />
      <Progress step={step} done={done} count={included.length} />
      <DialogButtons
        className="-mx-6 mt-0! -mb-6! border-t border-line px-6 py-4!"
        safe={
          <button
            type="button"
            aria-disabled={step.at === 'running'}
            onClick={close}
            className={buttonClass('plain', 'aria-disabled:opacity-60')}
          >
            {step.at === 'lost' || step.at === 'ended' || included.length === 0
              ? m.inbox_close()
              : m.inbox_cancel()}
          </button>
        }
      >
        {step.at === 'lost' ? (
          <button
            type="button"
            onClick={() => void run(step.start, step.key)}
            className={buttonClass('primary')}
          >
            {m.inbox_retry()}
          </button>
        ) : null}
        {step.at === 'lost' || step.at === 'ended' || included.length === 0 ? null : (
          <button
            type="button"
            aria-disabled={step.at === 'running'}
            onClick={() => step.at === 'asking' && void run(0)}
            className={buttonClass('primary', 'aria-disabled:opacity-60')}
          >
            {decision === 'approve' ? m.inbox_bulk_approve_button() : m.inbox_bulk_reject_button()}{' '}
            {requestCount(included.length)}
          </button>
        )}
      </DialogButtons>
    </Modal>
  )
}

const decidedOf = (all: BulkOutcome[]) => all.filter(({ outcome }) => outcome === 'decided').length

/** The part may have been decided. It is sent again with the same key. */
function lostAnswer(error: unknown) {
  const lost = lossOf(error)
  const message = lost === 'no_answer' ? m.inbox_bulk_no_answer() : lostMessages[lost]
  return { ok: false, isLost: true, message } as const
}

const stopped = (message: string, done: number, count: number) =>
  done === 0
    ? message
    : m.inbox_message_done_count_are_already_decided({ message, done, count: requestCount(count) })

function Progress({ step, done, count }: { step: Step; done: number; count: number }) {
  return (
    <div role="status" className="text-sm empty:hidden">
      {step.at === 'running' ? (
        <>
          <progress
            max={count}
            value={done}
            aria-label={m.inbox_progress()}
            className="w-full accent-accent"
          />
          <p>{m.inbox_done_of_count_decided({ done, count: requestCount(count) })}</p>
        </>
      ) : null}
      {step.at === 'ended' || step.at === 'lost' ? <StopMessage text={step.message} /> : null}
    </div>
  )
}

/** Takes the focus, because the button that had it is gone. */
function StopMessage({ text }: { text: string }) {
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <p ref={place} tabIndex={-1} className="rounded-control bg-warn-wash px-4 py-3 text-warn">
      {text}
    </p>
  )
}

function LeftOutList({ leftOut, isAll }: { leftOut: LeftOut[]; isAll: boolean }) {
  const count = leftOut.length
  if (count === 0) return null
  // Out of nothing, nothing is left out.
  const open = isAll ? m.inbox_bulk_open_to_decide({ count }) : null
  return (
    <div>
      <h3 className="mb-2 font-sans text-sm font-semibold">
        {open ?? (count === 1 ? m.inbox_bulk_left_out_single() : m.inbox_bulk_left_out_many())}
      </h3>
      {leftOut.some(({ row }) => row.operator === 'you' && row.isFirstContact) ? (
        <p className="mb-2 text-sm">{m.inbox_your_agents_are_new()}</p>
      ) : null}
      <BulkList label={open ?? m.inbox_left_out()} rows={leftOut} outcomes={{}} />
    </div>
  )
}
