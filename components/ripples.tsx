import type { ReactNode } from 'react'
import { Duck } from './duck'
import { duckLook } from './duck-art'

const rings = [26, 36, 47, 59, 72, 86, 101]

interface RipplesProps {
  /** Drawn in the middle of the rings. */
  children: ReactNode
  /** Ids of ducklings that swim on the second ring. */
  followers?: string[]
  className?: string
}

/** A picture of rings on water. Hidden from screen readers, because it only decorates. */
export function Ripples({ children, followers = [], className = '' }: RipplesProps) {
  return (
    <div
      aria-hidden="true"
      className={`relative overflow-hidden rounded-card border border-line bg-sunken ${className}`}
    >
      <div className="absolute top-1/2 left-1/2 aspect-square w-152 -translate-1/2">
        <svg viewBox="-100 -100 200 200" aria-hidden="true" className="size-full overflow-visible text-edge">
          {rings.map((radius, n) => (
            <circle
              key={radius}
              r={radius}
              fill="none"
              stroke="currentColor"
              strokeWidth={0.45}
              opacity={0.6 - n * 0.075}
            />
          ))}
        </svg>
        <div className="absolute top-1/2 left-1/2 -translate-1/2">{children}</div>
        {followers.map((id, n) => (
          <div key={id} className="absolute -translate-1/2" style={positionOf(n)}>
            <Duck id={id} size={52 - n * 5} />
          </div>
        ))}
      </div>
    </div>
  )
}

/** Returns the position of the nth follower on the second ring. */
function positionOf(n: number) {
  const angle = 0.95 - n * 0.45
  const radius = 23.5
  return { left: `${50 + radius * Math.cos(angle)}%`, top: `${50 + radius * Math.sin(angle)}%` }
}

/** The outline of an egg, in a field of 64 × 64. */
const eggShell = 'M32 12c8 0 15 13 15 23a15 16 0 0 1-30 0c0-10 7-23 15-23Z'

const speckles = [
  { x: 27, y: 22, radius: 1.4 },
  { x: 37, y: 25, radius: 1 },
  { x: 25, y: 42, radius: 1.1 },
  { x: 38, y: 43, radius: 1.7 },
  { x: 32, y: 39, radius: 0.9 },
]

/** The shell of an egg in the colours of the duck with this id. */
export function Shell({ id, clipPath }: { id: string; clipPath?: string }) {
  const { body, wing } = duckLook(id)
  return (
    <g clipPath={clipPath}>
      <path d={eggShell} fill={body} />
      <g fill={wing} opacity="0.6">
        {speckles.map(({ x, y, radius }) => (
          <circle key={x} cx={x} cy={y} r={radius} />
        ))}
      </g>
    </g>
  )
}

/** An egg in the colours of the duck with this id. */
export function Egg({ id, size }: { id: string; size: number }) {
  const { wing, pond } = duckLook(id)
  return (
    <svg viewBox="0 0 64 64" width={size} height={size} aria-hidden="true" className="shrink-0 rounded-full">
      <circle cx="32" cy="32" r="32" fill={pond} />
      <ellipse cx="32" cy="50" rx="15" ry="3" fill={wing} opacity="0.25" />
      <Shell id={id} />
    </svg>
  )
}
