import { TriangleAlert } from 'lucide'
import type { ReactNode } from 'react'
import { cancelRecovery } from '@/app/_passkeys/actions'
import { Sentence } from '@/components/sentence'
import { Icon } from '@/components/ui/icon'
import { PlainForm } from '@/components/ui/plain-form'
import { SubmitButton } from '@/components/ui/submit-button'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'

interface WarningBannerProps {
  /** What waits, for screen readers. */
  label: string
  /** What happens and when. */
  warning: ReactNode
  advice: ReactNode
  /** The button that prevents it, or leads there. */
  children: ReactNode
}

/** A banner on every page while something is going to happen to the account that its owner may not want. */
export function WarningBanner({ label, warning, advice, children }: WarningBannerProps) {
  return (
    <section aria-label={label} className="no-print border-b border-line bg-warn-wash">
      <div className="mx-auto flex max-w-6xl flex-wrap [body:has([data-wide])_&]:max-w-[96rem] items-center justify-between gap-x-8 gap-y-3 px-5 py-3">
        <p className="flex min-w-0 flex-1 basis-64 gap-3 text-sm">
          <Icon of={TriangleAlert} size={20} className="mt-0.5 shrink-0 text-warn" />
          {/* A warning may name an id or an address, which have no spaces. */}
          <span className="min-w-0 wrap-anywhere">
            <strong>{warning}</strong> {advice}
          </span>
        </p>
        {children}
      </div>
    </section>
  )
}

/** A banner on every page while a removal of the viewer's passkeys is pending. Shows its time and a button that cancels it. */
export function RecoveryBanner({ removesAt, isByHost }: { removesAt: string; isByHost: boolean }) {
  return (
    <WarningBanner
      label={m.shell_removal_of_your_passkeys()}
      warning={
        isByHost ? (
          <Sentence of={m.shell_sign_in_link_banner} parts={{ time: () => <Time at={removesAt} /> }} />
        ) : (
          <Sentence of={m.shell_recovery_banner_text} parts={{ time: () => <Time at={removesAt} /> }} />
        )
      }
      advice={m.shell_didnt_ask_for_this_cancel_removal()}
    >
      <CancelRecovery />
    </WarningBanner>
  )
}

/** A button that cancels the removal. Works without JavaScript. */
function CancelRecovery() {
  return (
    <PlainForm action={cancelRecovery}>
      <SubmitButton kind="plain">{m.shell_cancel_the_removal()}</SubmitButton>
    </PlainForm>
  )
}
