import { startRecovery } from '@/app/_passkeys/actions'
import { Sentence } from '@/components/sentence'
import { Confirm } from '@/components/ui/confirm'
import { ConfirmButtons } from '@/components/ui/confirm-buttons'
import { ActionForm } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { FocusedNotice } from './focused-notice'

interface Pending {
  requested_at: string
  removes_at: string
  by_host: boolean
}

/** Shows the outcome of requesting or cancelling the removal. Shows nothing when a reload has made the outcome untrue. */
export function RecoveryOutcome({ outcome, pending }: { outcome: string; pending: Pending | null }) {
  if (outcome === 'started' && pending !== null)
    return (
      <FocusedNotice key={outcome} tone="warn" title={m.security_recovery_started_title()}>
        {m.security_recovery_started_body()}
      </FocusedNotice>
    )
  if (outcome === 'cancelled' && pending === null)
    return (
      <FocusedNotice key={outcome} title={m.security_your_passkeys_stay()}>
        {m.security_recovery_cancelled_body()}
      </FocusedNotice>
    )
  if (outcome === 'failed' && pending !== null)
    return (
      <FocusedNotice key={outcome} tone="bad" title={m.security_the_removal_isnt_cancelled_yet()}>
        {m.security_recovery_cancel_failed()}
      </FocusedNotice>
    )
  return null
}

/** For somebody who has lost all passkeys: the form that requests their removal, or the pending removal. */
export function Recovery({ pending, now }: { pending: Pending | null; now: Date }) {
  // The band of every page has the button that cancels it.
  if (pending !== null)
    return (
      <p>
        <Sentence
          of={pending.by_host ? m.security_removal_requested_by_host : m.security_removal_requested}
          parts={{
            requested: () => <Time at={pending.requested_at} now={now} />,
            removes: () => <Time at={pending.removes_at} />,
          }}
        />
      </p>
    )
  return (
    <>
      <ul className="mb-6 grid list-disc gap-1.5 ps-5 text-sm marker:text-soft">
        <li>{m.security_recovery_needs_fresh_code()}</li>
        <li>{m.security_recovery_effect_note()}</li>
        <li>{m.security_recovery_notified_note()}</li>
        <li>{m.security_recovery_cancel_note()}</li>
      </ul>
      <p className="mb-6 text-sm">
        <Link href="/docs/people/lost-passkey" className="text-accent underline">
          {m.security_lost_passkey_help()}
        </Link>
      </p>
      <Confirm
        trigger={m.security_recovery_open_question()}
        title={m.security_recovery_question()}
        text={
          <>
            <p>{m.security_recovery_question_text()}</p>
            <p className="mt-3">{m.security_recovery_question_after()}</p>
            <ul className="list-disc ps-5">
              <li>{m.security_recovery_question_code()}</li>
              <li>{m.security_recovery_question_rules()}</li>
              <li>{m.security_recovery_question_add()}</li>
            </ul>
          </>
        }
      >
        <ActionForm action={startRecovery} label={m.security_remove_all_passkeys()}>
          <ConfirmButtons>{m.security_recovery_start_button()}</ConfirmButtons>
        </ActionForm>
      </Confirm>
    </>
  )
}
