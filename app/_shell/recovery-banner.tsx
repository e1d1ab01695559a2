import { cancelRecovery } from '@/app/_passkeys/recovery-actions'
import { Sentence } from '@/components/sentence'
import { PlainForm } from '@/components/ui/plain-form'
import { SubmitButton } from '@/components/ui/submit-button'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { WarningBanner } from './warning-banner'

/** A banner on every page while a removal of the viewer's passkeys is pending. Shows its time and a button that cancels it. */
export function RecoveryBanner({ removesAt, isByHost }: { removesAt: string; isByHost: boolean }) {
  return (
    <WarningBanner
      label={m.shell_removal_of_your_passkeys()}
      warning={
        isByHost ? (
          <Sentence
            of={m.shell_host_made_link_that_signs_in}
            parts={{ time: () => <Time at={removesAt} /> }}
          />
        ) : (
          <Sentence
            of={m.shell_all_your_passkeys_will_be_removed}
            parts={{ time: () => <Time at={removesAt} /> }}
          />
        )
      }
      advice={m.shell_didnt_ask_for_this_cancel_removal()}
    >
      <CancelRecovery />
    </WarningBanner>
  )
}

/** A button that cancels the removal. Works without JavaScript. */
export function CancelRecovery() {
  return (
    <PlainForm action={cancelRecovery}>
      <SubmitButton kind="plain">{m.shell_cancel_the_removal()}</SubmitButton>
    </PlainForm>
  )
}
