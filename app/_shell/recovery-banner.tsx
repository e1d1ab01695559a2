import { cancelRecovery } from '@/app/_passkeys/recovery-actions'
import { PlainForm } from '@/components/ui/plain-form'
import { SubmitButton } from '@/components/ui/submit-button'
import { Time } from '@/components/ui/time'
import { WarningBanner } from './warning-banner'

/** A banner on every page while a removal of the viewer's passkeys is pending. Shows its time and a button that cancels it. */
export function RecoveryBanner({ removesAt, isByHost }: { removesAt: string; isByHost: boolean }) {
  return (
    <WarningBanner
      label="Removal of your passkeys"
      warning={
        isByHost ? (
          <>
            The host made a link that signs in to your account from <Time at={removesAt} /> on. All your
            passkeys will be removed then.
          </>
        ) : (
          <>
            All your passkeys will be removed on <Time at={removesAt} />.
          </>
        )
      }
      advice="Didn't ask for this? Cancel the removal."
    >
      <CancelRecovery />
    </WarningBanner>
  )
}

/** A button that cancels the removal. Works without JavaScript. */
export function CancelRecovery() {
  return (
    <PlainForm action={cancelRecovery}>
      <SubmitButton kind="plain">Cancel the removal</SubmitButton>
    </PlainForm>
  )
}
