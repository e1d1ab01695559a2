import type { ReactNode } from 'react'

/** A section of a settings page: its title on the left, its controls on the right. */
export function SplitSection({
  id,
  title,
  lead,
  children,
  className = '',
}: {
  id: string
  title: ReactNode
  lead?: ReactNode
  children: ReactNode
  className?: string
}) {
  return (
    <section
      aria-labelledby={id}
      className={`grid gap-x-14 gap-y-5 border-t border-line py-9 md:grid-cols-[14rem_minmax(0,1fr)] ${className}`}
    >
      <div>
        <h2 id={id} className="text-lg leading-snug">
          {title}
        </h2>
        {lead ? <div className="mt-2 text-sm text-soft">{lead}</div> : null}
      </div>
      <div className="min-w-0 max-w-xl">{children}</div>
    </section>
  )
}
