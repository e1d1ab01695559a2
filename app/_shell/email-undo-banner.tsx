import { TriangleAlert } from 'lucide-react'
import { ButtonLink } from '@/components/ui/button'
import { Time } from '@/components/ui/time'

/** A banner on every page while the undo of the viewer's change of address waits. Cancelling needs a passkey, so it only leads there. */
export function EmailUndoBanner({ restoresAt }: { restoresAt: string }) {
  return (
    <section aria-label="Undo of your email change" className="no-print border-b border-line bg-warn-wash">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-8 gap-y-3 px-5 py-3">
        <p className="flex min-w-0 flex-1 basis-64 gap-3 text-sm">
          <TriangleAlert aria-hidden="true" size={20} className="mt-0.5 shrink-0 text-warn" />
          <span>
            <strong>
              Your earlier email address gets this account back on <Time at={restoresAt} />.
            </strong>{' '}
            Didn't ask for this? Cancel it with a passkey.
          </span>
        </p>
        <ButtonLink href="/security#email-undo">Keep my email</ButtonLink>
      </div>
    </section>
  )
}
