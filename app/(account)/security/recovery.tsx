import { startRecovery } from '@/app/_web/recovery-actions'
import { CancelRecovery } from '@/components/recovery-banner'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Notice } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { FocusedNotice } from './focused-notice'

interface Pending {
  requested_at: string
  removes_at: string
}

/** What came of asking for the removal or cancelling it. Says only what is still true when the page is loaded again. */
export function RecoveryOutcome({ outcome, pending }: { outcome: string; pending: Pending | null }) {
  if (outcome === 'started' && pending !== null)
    return (
      <FocusedNotice key={outcome} title="Your passkeys will be removed in 24 hours">
        We have told every session, address and webhook of your account. You can cancel the removal until
        then.
      </FocusedNotice>
    )
  if (outcome === 'cancelled' && pending === null)
    return (
      <FocusedNotice key={outcome} title="Your passkeys stay">
        The removal is cancelled. If you did not ask for it, somebody else can read your e-mail: change the
        password of your mailbox, then end the sessions below that you do not recognise.
      </FocusedNotice>
    )
  if (outcome === 'failed' && pending !== null)
    return (
      <FocusedNotice key={outcome} tone="bad" title="The removal is not cancelled yet">
        Beak could not cancel it just now. Wait a minute, then try again.
      </FocusedNotice>
    )
  return null
}

/** For somebody whose passkeys are lost: asks for the removal of all of them, or shows the one that is pending. */
export function Recovery({ pending, now }: { pending: Pending | null; now: Date }) {
  if (pending !== null)
    return (
      <div className="grid justify-items-start gap-4">
        <Notice tone="warn" title="A removal is pending">
          It was requested <Time at={pending.requested_at} now={now} />. All your passkeys will be removed on{' '}
          <Time at={pending.removes_at} />.
        </Notice>
        <CancelRecovery />
      </div>
    )
  return (
    <>
      <ul className="mb-6 grid list-disc gap-1.5 ps-5 text-sm marker:text-soft">
        <li>You need a sign-in with a code from your e-mail in the last 10 minutes.</li>
        <li>
          All your passkeys are removed after 24 hours. Then you sign in with codes and add new passkeys.
        </li>
        <li>Every session, address and webhook of your account is told at once.</li>
        <li>Any of your sessions can cancel it until then, and so can the link in our mail.</li>
      </ul>
      <ActionForm action={startRecovery} label="Remove all passkeys">
        <SubmitButton kind="danger">Remove all my passkeys in 24 hours</SubmitButton>
      </ActionForm>
    </>
  )
}
