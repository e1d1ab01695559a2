import type { ReactNode } from 'react'
import { Ripples } from './ripples'

interface PicturePageProps {
  title: ReactNode
  lead?: ReactNode
  /** Draws the picture in the given size: large beside the text, or small above it on narrow screens. */
  picture: (size: number) => ReactNode
  /** Ids of ducklings in the picture. */
  followers?: string[]
  /** Shown above the title. */
  above?: ReactNode
  children: ReactNode
}

/** The layout of pages with one task, such as sign-in: the task on the left, a picture of water on the right. */
export function PicturePage({ title, lead, picture, followers, above, children }: PicturePageProps) {
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
