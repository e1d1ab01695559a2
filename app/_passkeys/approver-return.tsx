'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Notice } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { type Errand, type Return, takeReturn } from './approver-errand'

interface ApproverReturnProps {
  /** The id of the account. */
  viewer: string
  /**
   * The form that takes the answer for the purpose for which this tab left. It is sent at once, because the person has just confirmed it on the
   * approver.
   */
  form: (fields: Errand['fields'], purpose: Errand['purpose']) => ReactNode
  /** Where to go on without an answer. */
  children: ReactNode
}

/** Takes what an approver sent back. */
export function ApproverReturn({ viewer, form, children }: ApproverReturnProps) {
  const [found, setFound] = useState<Return | null>(null)
  const isTaken = useRef(false)
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // React may run effects twice, and the answer can be taken only once.
    if (isTaken.current) return
    isTaken.current = true
    // Later, because the router takes over the history in an effect of its own, and would put the answer back into the address.
    queueMicrotask(() => void takeReturn(viewer).then(setFound))
  }, [viewer])
  useEffect(() => {
    if (found?.kind === 'answered') frame.current?.querySelector('form')?.requestSubmit()
  }, [found])
  if (found === null) return <p className="text-soft">{m.passkeys_reading_the_answer_of_your_approver()}</p>
  if (found.kind === 'answered') {
    const { answer, errand } = found
    const fields = { ...errand.fields, credential: JSON.stringify(answer.credential) }
    return <div ref={frame}>{form(fields, errand.purpose)}</div>
  }
  return (
    <div className="grid justify-items-start gap-4">
      {found.kind === 'cancelled' ? (
        <Notice title={m.passkeys_nothing_was_signed()}>{m.passkeys_approver_cancelled_body()}</Notice>
      ) : (
        <Notice tone="warn" title={m.passkeys_approver_answer_missing_title()}>
          {m.passkeys_approver_answer_missing_body()}
        </Notice>
      )}
      {children}
    </div>
  )
}
