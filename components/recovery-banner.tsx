import { TriangleAlert } from 'lucide-react'
import { cancelRecovery } from '@/app/_web/recovery-actions'
import { SubmitButton } from './ui/submit-button'
import { Time } from './ui/time'

/** On every page of somebody whose passkeys are about to be removed: when that happens, and the way to stop it. */
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
            Not you? Cancel the removal.
          </span>
        </p>
        <CancelRecovery />
      </div>
    </section>
  )
}

/** Cancels the removal; works without scripts. */
export function CancelRecovery() {
  return (
    <form action={cancelRecovery}>
      <SubmitButton kind="plain">Cancel the removal</SubmitButton>
    </form>
  )
}
