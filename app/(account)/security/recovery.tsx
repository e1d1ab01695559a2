import { startRecovery } from '@/app/_passkeys/recovery-actions'
import { CancelRecovery } from '@/app/_shell/recovery-banner'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Notice } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
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
      <FocusedNotice key={outcome} title="Your passkeys will be removed in 24 hours">
        We have notified all your sessions, email addresses and webhooks. You can cancel the removal until
        then.
      </FocusedNotice>
    )
  if (outcome === 'cancelled' && pending === null)
    return (
      <FocusedNotice key={outcome} title="Your passkeys stay">
        The removal is cancelled. If you didn't request it, somebody else can read your email: change the
        password of your mailbox, then sign out the sessions below that you don't recognise.
      </FocusedNotice>
    )
  if (outcome === 'failed' && pending !== null)
    return (
      <FocusedNotice key={outcome} tone="bad" title="The removal isn't cancelled yet">
        Beak couldn't cancel it. Wait a minute, then try again.
      </FocusedNotice>
    )
  return null
}

/** For somebody who has lost all passkeys: the form that requests their removal, or the pending removal. */
export function Recovery({ pending, now }: { pending: Pending | null; now: Date }) {
  if (pending !== null)
    return (
      <div className="grid justify-items-start gap-4">
        <Notice tone="warn" title="A removal is pending">
          {pending.by_host ? 'With a sign-in link of the host, it' : 'It'} was requested{' '}
          <Time at={pending.requested_at} now={now} />. All your passkeys will be removed on{' '}
          <Time at={pending.removes_at} />.
        </Notice>
        <CancelRecovery />
      </div>
    )
  return (
    <>
      <ul className="mb-6 grid list-disc gap-1.5 ps-5 text-sm marker:text-soft">
        <li>You must have signed in with a code from your email in the last 10 minutes.</li>
        <li>
          All your passkeys are removed after 24 hours. Then you can sign in with a code and add new passkeys.
        </li>
        <li>All your sessions, email addresses and webhooks are notified immediately.</li>
        <li>Until then, you can cancel it from any session or with the link in our email.</li>
      </ul>
      <ActionForm action={startRecovery} label="Remove all passkeys">
        <SubmitButton kind="danger">Remove all my passkeys in 24 hours</SubmitButton>
      </ActionForm>
    </>
  )
}
