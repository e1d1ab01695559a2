import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { WarningBanner } from './warning-banner'

/** A banner on every page while the undo of the viewer's change of address waits. Cancelling needs a passkey, so it only leads there. */
export function EmailUndoBanner({ restoresAt }: { restoresAt: string }) {
  return (
    <WarningBanner
      label={m.shell_undo_of_your_email_change()}
      warning={
        <Sentence
          of={m.shell_your_earlier_email_address_gets_this}
          parts={{ time: () => <Time at={restoresAt} /> }}
        />
      }
      advice={m.shell_didnt_ask_for_this_cancel_it()}
    >
      <ButtonLink href="/security#email-undo">{m.shell_keep_my_email()}</ButtonLink>
    </WarningBanner>
  )
}
