import { ButtonLink } from '@/components/ui/button'
import { Time } from '@/components/ui/time'
import { WarningBanner } from './warning-banner'

/** A banner on every page while the undo of the viewer's change of address waits. Cancelling needs a passkey, so it only leads there. */
export function EmailUndoBanner({ restoresAt }: { restoresAt: string }) {
  return (
    <WarningBanner
      label="Undo of your email change"
      warning={
        <>
          Your earlier email address gets this account back on <Time at={restoresAt} />.
        </>
      }
      advice="Didn't ask for this? Cancel it with a passkey."
    >
      <ButtonLink href="/security#email-undo">Keep my email</ButtonLink>
    </WarningBanner>
  )
}
