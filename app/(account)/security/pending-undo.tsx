import { AnnouncedForm, Announcements } from '@/components/ui/announcements'
import { SubmitButton } from '@/components/ui/form'
import { SplitSection } from '@/components/ui/split-section'
import { Time } from '@/components/ui/time'
import { keepNewEmail } from './actions'

/** The waiting undo of a change of address: what will happen, and the form that cancels it with an older passkey. */
export function PendingUndo({ restoresAt }: { restoresAt: string | null }) {
  return (
    <Announcements>
      {restoresAt === null ? null : (
        <SplitSection
          id="email-undo"
          title="Undo of your email change"
          lead="Somebody used the link in the mail to your earlier address."
        >
          <p className="mb-5">
            On <Time at={restoresAt} />, your earlier address gets this account back: all sessions end, and
            what was set up since the change stops. If somebody else reads that mailbox, cancel it with a
            passkey that you had a day before the change.
          </p>
          <AnnouncedForm action={keepNewEmail} label="Keep my email">
            <SubmitButton>Keep my current email</SubmitButton>
          </AnnouncedForm>
        </SplitSection>
      )}
    </Announcements>
  )
}
