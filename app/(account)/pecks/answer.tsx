'use client'

import Link from 'next/link'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { withBasePath } from '@/app/_web/base-path'
import { PasskeySubmit } from '@/components/passkey-submit'
import { ActionForm, CheckField, SubmitButton, TextArea, useAnswer } from '@/components/ui/form'
import { approvePeck, rejectPeck } from './actions'
import { QuickReasons } from './quick-reasons'
import type { Settled } from './settled'
import { useSettledHere } from './settled-here'

interface AnswerProps {
  peckId: string
  /** What the forms are about, for those who listen: "Send mail". */
  subject: string
  /** Who could be blocked with a rejection; null for an agent of one's own. */
  askerName: string | null
  lifetimes: { value: string; label: string }[]
  /** `missing`: one is needed, and there is none. */
  passkey: 'none' | 'optional' | 'required' | 'missing'
  /** What the server knows already, on the page of the request alone; that page needs no way to itself. */
  settled?: Settled | null
  isOnItsPage?: boolean
  icons: { approve: ReactNode; reject: ReactNode }
}

/** Approve or reject, neither before the other; then, in the same place, what came of it. */
export function Answer({ settled = null, isOnItsPage = false, ...request }: AnswerProps) {
  const [own, setOwn] = useState<Settled | null>(null)
  const here = useSettledHere()
  const outcome = own ?? here ?? settled
  if (outcome) return <Outcome outcome={outcome} peckId={request.peckId} isOnItsPage={isOnItsPage} />
  return (
    <div className="grid items-start gap-x-3 gap-y-4 sm:grid-cols-[auto_1fr]">
      {request.passkey === 'optional' || request.passkey === 'required' ? (
        <p className="col-span-full text-sm text-soft">
          {request.passkey === 'required' ? 'This one takes your passkey. It' : 'Your passkey'} signs exactly
          what stands here: a receipt anybody can check.
        </p>
      ) : null}
      {request.passkey === 'missing' ? <PasskeyMissing /> : <Approve {...request} onSettled={setOwn} />}
      <Reject {...request} onSettled={setOwn} />
    </div>
  )
}

interface PartProps extends Omit<AnswerProps, 'settled' | 'isOnItsPage'> {
  onSettled: (settled: Settled) => void
}

function Approve({ peckId, subject, lifetimes, passkey, icons, onSettled }: PartProps) {
  return (
    <ActionForm action={approvePeck} label={`Approve: ${subject}`} className="gap-4">
      <input type="hidden" name="peck_id" value={peckId} />
      <div className="flex flex-wrap items-start gap-3">
        {lifetimes.length > 1 ? (
          <label className="flex flex-wrap items-center gap-x-3 text-sm">
            <span className="text-soft">Lasting at most</span>
            <select
              name="grant_expires_in"
              className="min-h-11 rounded-control border border-edge bg-surface px-3 py-2"
            >
              {lifetimes.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        ) : null}
        {passkey === 'required' ? null : (
          <SubmitButton kind="plain" pending="Approving …">
            {icons.approve} Approve
          </SubmitButton>
        )}
        {passkey === 'none' ? null : (
          <PasskeySubmit challenge={{ purpose: 'approve', peck_id: peckId }} kind="plain">
            {icons.approve} Approve with my passkey
          </PasskeySubmit>
        )}
      </div>
      <Report onSettled={onSettled} />
    </ActionForm>
  )
}

function PasskeyMissing() {
  return (
    <p className="max-w-md text-sm">
      Approving this takes a passkey, and you have none yet.{' '}
      <Link href="/security" className="font-semibold underline">
        Add one on your security page
      </Link>
      . The request waits here.
    </p>
  )
}

function Reject({ peckId, subject, askerName, icons, onSettled }: PartProps) {
  return (
    <details className="group open:col-span-full open:w-full">
      <summary className="inline-flex min-h-11 list-none whitespace-nowrap items-center gap-2 rounded-control border border-edge bg-surface px-4 py-2 text-sm font-semibold hover:bg-sunken group-open:bg-sunken [&::-webkit-details-marker]:hidden">
        {icons.reject} Reject …
      </summary>
      <ActionForm
        action={rejectPeck}
        label={`Reject: ${subject}`}
        className="mt-4 max-w-xl border-s-2 border-line ps-5"
      >
        <input type="hidden" name="peck_id" value={peckId} />
        <QuickReasons />
        <TextArea
          label="In your own words"
          name="reason"
          optional
          maxLength={280}
          rows={2}
          hint="Instead of the above. The asker reads it, and may not ask for this again for an hour."
        />
        {askerName === null ? null : (
          <CheckField
            label={`Block ${askerName} too`}
            name="block"
            hint="Nothing they or their agents ask reaches you any more. They are not told."
          />
        )}
        <SubmitButton kind="danger" pending="Rejecting …">
          Reject it
        </SubmitButton>
        <Report onSettled={onSettled} />
      </ActionForm>
    </details>
  )
}

/** Tells the card what came of the form around it. */
function Report({ onSettled }: { onSettled: (settled: Settled) => void }) {
  const { data } = useAnswer<Settled>()
  useEffect(() => {
    if (data) onSettled(data)
  }, [data, onSettled])
  return null
}

interface OutcomeProps {
  outcome: Settled
  peckId: string
  isOnItsPage: boolean
}

function Outcome({ outcome, peckId, isOnItsPage }: OutcomeProps) {
  const line = useRef<HTMLParagraphElement>(null)
  const { isOwn } = outcome
  useEffect(() => {
    if (isOwn) line.current?.focus()
  }, [isOwn])
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <p
        ref={line}
        role="status"
        tabIndex={-1}
        className="font-semibold wrap-anywhere"
        data-outcome={outcome.status}
      >
        {outcome.message}
      </p>
      {isOnItsPage ? null : (
        <p className="flex flex-wrap gap-x-5 text-sm">
          {outcome.hasReceipt ? (
            <a
              href={withBasePath(`/api/receipt?peck_id=${peckId}`)}
              className="inline-flex min-h-11 items-center underline"
            >
              Download the receipt
            </a>
          ) : null}
          <Link href={`/pecks/${peckId}`} className="inline-flex min-h-11 items-center underline">
            See the whole of it
          </Link>
        </p>
      )}
    </div>
  )
}
