import { ChevronRight } from 'lucide'
import type { ReactNode } from 'react'
import { Icon } from '@/components/ui/icon'

/** A table that unfolds below its title and scrolls in itself. */
export function FoldedTable({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="group/table">
      <summary className="flex min-h-11 items-center gap-2 text-sm font-semibold">
        <Icon
          of={ChevronRight}
          size={16}
          className="transition-transform duration-150 group-open/table:rotate-90"
        />
        {title}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users have to reach a scrollable area */}
      <section aria-label={title} tabIndex={0} className="mb-4 max-h-96 overflow-auto">
        <table className="w-full text-sm tabular-nums">{children}</table>
      </section>
    </details>
  )
}

export function ColumnHead({ children }: { children: ReactNode }) {
  return (
    <th
      scope="col"
      className="sticky top-0 bg-ground px-3 py-2 text-end font-semibold first:ps-0 first:text-start"
    >
      {children}
    </th>
  )
}

export function RowHead({ children }: { children: string }) {
  return (
    <th scope="row" className="py-2 pe-3 text-start font-normal whitespace-nowrap">
      {children}
    </th>
  )
}

export function Cell({ children }: { children: ReactNode }) {
  return <td className="px-3 py-2 text-end">{children}</td>
}
