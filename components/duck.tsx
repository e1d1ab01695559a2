'use client'

// Client components, so that the data of a page has only the id of a duck, and the shapes are in the HTML once.
import { duckLook, duckShapes, logoPath } from './duck-art'

interface DuckProps {
  /** The look is derived from this id. */
  id: string
  /** Width and height in pixels. */
  size?: number
  /** Leaves out the round pond behind the duck. */
  bare?: boolean
  className?: string
}

/** The duck of an id. Hidden from screen readers, because a name always stands beside it. */
export function Duck({ id, size = 40, bare = false, className = '' }: DuckProps) {
  return (
    <svg
      viewBox="0 0 64 64"
      width={size}
      height={size}
      aria-hidden="true"
      className={`shrink-0 ${bare ? '' : 'rounded-full'} ${className}`}
      style={duckLook(id).facesLeft ? { transform: 'scaleX(-1)' } : undefined}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the shapes contain no text of users, only numbers and colours of our own
      dangerouslySetInnerHTML={{ __html: duckShapes(id, bare) }}
    />
  )
}

/** The logo of Beak in the accent colour. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" className="shrink-0">
      <path d={logoPath} fill="var(--accent)" />
      <circle cx="20" cy="12" r="1.5" fill="var(--ground)" />
    </svg>
  )
}
