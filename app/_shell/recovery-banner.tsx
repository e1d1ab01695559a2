import { TriangleAlert } from 'lucide-react'
import { cancelRecovery } from '@/app/_passkeys/recovery-actions'
import { SubmitButton } from '@/components/ui/submit-button'
import { Time } from '@/components/ui/time'

/** A banner on every page while a removal of the viewer's passkeys is pending. Shows its time and a button that cancels it. */
export function RecoveryBanner({ removesAt }: { removesAt: string }) {
  return (
    <section aria-label="Removal of your passkeys" className="no-print border-b border-line bg-warn-wash">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-8 gap-y-3 px-5 py-3">
        <p className="flex min-w-0 flex-1 basis-64 gap-3 text-sm">
          <TriangleAlert aria-hidden="true" size={20} className="mt-0.5 shrink-0 text-warn" />
          <span>
            <strong>
              All your passkeys will be removed on <Time at={removesAt} />.
            </strong>{' '}
            Didn't ask for this? Cancel the removal.
          </span>
        </p>
        <CancelRecovery />
      </div>
    </section>
  )
}

/** A button that cancels the removal. Works without JavaScript. */
export function CancelRecovery() {
  return (
    <form action={cancelRecovery}>
      <SubmitButton kind="plain">Cancel the removal</SubmitButton>
    </form>
  )
}
