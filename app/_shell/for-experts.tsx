import { ChevronRight } from 'lucide'
import type { ReactNode } from 'react'
import { isBuilder } from '@/app/_web/viewer'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'

/** Parts of a public page that programmers need and others do not: folded, and open for people who build or host. Not printed. */
export async function ForExperts({
  title = m.shell_for_experts(),
  hint,
  children,
}: {
  title?: string
  hint: string
  children: ReactNode
}) {
  return (
    <details className="no-print group/experts border-y border-line" open={await isBuilder()}>
      <summary className="flex min-h-14 cursor-pointer list-none items-center gap-3 py-3 [&::-webkit-details-marker]:hidden">
        <Icon
          of={ChevronRight}
          size={16}
          className="shrink-0 text-soft transition-transform duration-150 group-open/experts:rotate-90 rtl:-scale-x-100"
        />
        <span className="min-w-0">
          <span className="block text-sm font-semibold">{title}</span>
          <span className="block text-sm text-soft">{hint}</span>
        </span>
      </summary>
      <div className="pt-6 pb-2">{children}</div>
    </details>
  )
}
