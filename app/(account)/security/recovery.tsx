import { startRecovery } from '@/app/_passkeys/recovery-actions'
import { CancelRecovery } from '@/app/_shell/recovery-banner'
import { Sentence } from '@/components/sentence'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/surface'
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
      <FocusedNotice key={outcome} title={m.security_your_passkeys_will_be_removed_in()}>
        {m.security_we_have_notified_all_your_sessions()}
      </FocusedNotice>
    )
  if (outcome === 'cancelled' && pending === null)
    return (
      <FocusedNotice key={outcome} title={m.security_your_passkeys_stay()}>
        {m.security_removal_is_cancelled_if_you_didnt()}
      </FocusedNotice>
    )
  if (outcome === 'failed' && pending !== null)
    return (
      <FocusedNotice key={outcome} tone="bad" title={m.security_the_removal_isnt_cancelled_yet()}>
        {m.security_beak_couldnt_cancel_it_wait_minute()}
      </FocusedNotice>
    )
  return null
}

/** For somebody who has lost all passkeys: the form that requests their removal, or the pending removal. */
export function Recovery({ pending, now }: { pending: Pending | null; now: Date }) {
  if (pending !== null)
    return (
      <div className="grid justify-items-start gap-4">
        <Notice tone="warn" title={m.security_a_removal_is_pending()}>
          <Sentence
            of={pending.by_host ? m.security_removal_requested_by_host : m.security_removal_requested}
            parts={{
              requested: () => <Time at={pending.requested_at} now={now} />,
              removes: () => <Time at={pending.removes_at} />,
            }}
          />
        </Notice>
        <CancelRecovery />
      </div>
    )
  return (
    <>
      <ul className="mb-6 grid list-disc gap-1.5 ps-5 text-sm marker:text-soft">
        <li>{m.security_you_must_have_signed_in_with()}</li>
        <li>{m.security_all_your_passkeys_are_removed_after()}</li>
        <li>{m.security_all_your_sessions_email_addresses_webhooks()}</li>
        <li>{m.security_until_then_you_can_cancel_it()}</li>
      </ul>
      <p className="mb-6 text-sm">
        <Link href="/docs/people/lost-passkey" className="text-accent underline">
          {m.security_lost_passkey_help()}
        </Link>
      </p>
      <ActionForm action={startRecovery} label={m.security_remove_all_passkeys()}>
        <SubmitButton kind="danger">{m.security_remove_all_my_passkeys_in_24()}</SubmitButton>
      </ActionForm>
    </>
  )
}
