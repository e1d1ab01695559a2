import { Sentence } from '@/components/sentence'
import { AnnouncedForm, Announcements } from '@/components/ui/announcements'
import { SubmitButton } from '@/components/ui/form'
import { SplitSection } from '@/components/ui/split-section'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { keepNewEmail } from './actions'

/** The waiting undo of a change of address: what will happen, and the form that cancels it with an older passkey. */
export function PendingUndo({ restoresAt }: { restoresAt: string | null }) {
  return (
    <Announcements>
      {restoresAt === null ? null : (
        <SplitSection
          id="email-undo"
          title={m.security_undo_of_your_email_change()}
          lead={m.security_somebody_used_link_in_mail_your()}
        >
          <p className="mb-5">
            <Sentence
              of={m.security_on_your_earlier_address_gets_this}
              parts={{ time: () => <Time at={restoresAt} /> }}
            />
          </p>
          <AnnouncedForm action={keepNewEmail} label={m.security_keep_my_email()}>
            <SubmitButton>{m.security_keep_my_current_email()}</SubmitButton>
          </AnnouncedForm>
        </SplitSection>
      )}
    </Announcements>
  )
}
