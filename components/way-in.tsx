import type { ReactNode } from 'react'
import { Ripples } from './ripples'

interface WayInProps {
  title: ReactNode
  lead?: ReactNode
  /** What the picture beside the words is of; small above them where there is no room beside. */
  picture: (size: number) => ReactNode
  followers?: string[]
  /** What stands above the title. */
  above?: ReactNode
  children: ReactNode
}

/** The shape of the pages people come in and go out by: one thing to do, and still water beside it. */
export function WayIn({ title, lead, picture, followers, above, children }: WayInProps) {
  return (
    <div className="grid gap-x-16 lg:grid-cols-[minmax(0,27rem)_minmax(0,1fr)]">
      <div className="min-w-0 max-w-108 lg:py-8">
        <div className="mb-6 lg:hidden">{picture(72)}</div>
        {above}
        <h1>{title}</h1>
        {lead ? <div className="mt-3 text-soft">{lead}</div> : null}
        <div className="mt-8">{children}</div>
      </div>
      <Ripples followers={followers} className="hidden min-h-136 lg:block">
        {picture(168)}
      </Ripples>
    </div>
  )
}
