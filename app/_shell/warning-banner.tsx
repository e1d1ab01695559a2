import { TriangleAlert } from 'lucide'
import type { ReactNode } from 'react'
import { Icon } from '@/components/ui/icon'

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
