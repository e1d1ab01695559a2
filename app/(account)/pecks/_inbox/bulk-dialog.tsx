'use client'

import { useState } from 'react'
import { buttonClass } from '@/components/ui/button-class'
import { Modal } from '@/components/ui/modal'
import { RiskMark } from '../_decision/risk-mark'
import { decideTogether } from './actions'
import {
  type BulkDecision,
  type BulkOutcome,
  bulkTitle,
  chunkSize,
  type LeftOut,
  outcomeWords,
  requestCount,
  splitForBulk,
  unreachable,
} from './bulk'
import type { InboxRow } from './row'

interface BulkDialogProps {
  rows: InboxRow[]
  decision: BulkDecision
  onClose: () => void
  /** Called after each part of a long list. */
  onDecided: (outcomes: BulkOutcome[]) => void
  /** Called once with the outcome of all that were decided. */
  onEnded: (outcomes: BulkOutcome[]) => void
}

type Step = { at: 'asking' } | { at: 'running' } | { at: 'ended'; message: string }

/** Asks once for all selected requests, and lists them: those that will be decided, and those that are left out, with the reason. */
export default function BulkDialog({ rows, decision, onClose, onDecided, onEnded }: BulkDialogProps) {
  const { included, leftOut } = splitForBulk(rows, decision)
  const [step, setStep] = useState<Step>({ at: 'asking' })
  const [outcomes, setOutcomes] = useState<Record<string, string>>({})
  const done = Object.keys(outcomes).length

  async function run() {
    setStep({ at: 'running' })
    const all: BulkOutcome[] = []
    for (let start = 0; start < included.length; start += chunkSize) {
      const ids = included.slice(start, start + chunkSize).map(({ id }) => id)
      const answer = await decideTogether(decision, ids).catch(() => unreachable)
      if (!answer.ok) {
        onEnded(all)
        return setStep({ at: 'ended', message: stopped(answer.message, all.length, included.length) })
      }
      all.push(...answer.data)
      setOutcomes(Object.fromEntries(all.map((outcome) => [outcome.peck_id, outcomeWords(outcome)])))
      onDecided(answer.data)
    }
    onEnded(all)
    const others = all.filter(({ outcome }) => outcome !== 'decided').length
    if (others === 0) return onClose()
    setStep({
      at: 'ended',
      message: `${requestCount(all.length - others)} decided. ${others} could not be decided: see the list for the reasons.`,
    })
  }

  return (
    <Modal title={bulkTitle(decision, included.length)} onClose={() => step.at !== 'running' && onClose()}>
      {decision === 'reject' ? (
        <p className="text-sm text-soft">The requesters see “Not now” as the reason.</p>
      ) : null}
      <BulkList
        label="Requests to decide"
        rows={included.map((row) => ({ row, note: outcomes[row.id] ?? null }))}
      />
      <LeftOutList leftOut={leftOut} />
      <Progress step={step} done={done} count={included.length} />
      <div className="flex flex-wrap gap-3 empty:hidden">
        {step.at === 'ended' ? null : (
          <button
            type="button"
            aria-disabled={step.at === 'running' || included.length === 0}
            onClick={() => step.at === 'asking' && included.length > 0 && void run()}
            className={buttonClass('primary', 'justify-self-start aria-disabled:opacity-60')}
          >
            {decision === 'approve' ? 'Approve' : 'Not now:'} {requestCount(included.length)}
          </button>
        )}
        {step.at === 'running' ? null : (
          <button type="button" onClick={onClose} className={buttonClass('plain', 'justify-self-start')}>
            {step.at === 'ended' ? 'Close' : 'Cancel'}
          </button>
        )}
      </div>
    </Modal>
  )
}

const stopped = (message: string, done: number, count: number) =>
  done === 0 ? message : `${message} ${done} of ${requestCount(count)} are already decided.`

function Progress({ step, done, count }: { step: Step; done: number; count: number }) {
  return (
    <div role="status" className="text-sm empty:hidden">
      {step.at === 'running' ? (
        <>
          <progress max={count} value={done} aria-label="Progress" className="w-full accent-accent" />
          <p>
            {done} of {requestCount(count)} decided …
          </p>
        </>
      ) : null}
      {step.at === 'ended' ? (
        <p className="rounded-control bg-warn-wash px-4 py-3 text-warn">{step.message}</p>
      ) : null}
    </div>
  )
}

function LeftOutList({ leftOut }: { leftOut: LeftOut[] }) {
  if (leftOut.length === 0) return null
  return (
    <div>
      <h3 className="font-sans text-sm font-semibold">
        Left out: open {leftOut.length === 1 ? 'it' : 'each'} to decide
      </h3>
      <BulkList label="Left out" rows={leftOut.map(({ row, reason }) => ({ row, note: reason }))} />
    </div>
  )
}

function BulkList({ label, rows }: { label: string; rows: { row: InboxRow; note: string | null }[] }) {
  if (rows.length === 0) return null
  return (
    <ul
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled part needs the focus for the arrow keys
      tabIndex={0}
      aria-label={label}
      className="max-h-56 overflow-auto rounded-control border border-line text-sm"
    >
      {rows.map(({ row, note }) => (
        <li
          key={row.id}
          className="flex min-h-9 items-center gap-2.5 border-t border-line px-3 py-1 first:border-t-0"
        >
          <RiskMark level={row.risk} isShape />
          <span className="min-w-0 flex-1 wrap-anywhere">
            <span className="font-semibold">{row.words}</span>{' '}
            {row.value === null ? null : <bdi>{row.value}</bdi>}
            <bdi className="block text-xs text-soft">{row.name}</bdi>
          </span>
          {note === null ? null : <span className="shrink-0 text-xs text-soft">{note}</span>}
        </li>
      ))}
    </ul>
  )
}
