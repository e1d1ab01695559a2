'use client'

import { Duck } from '@/components/duck'
import { hash } from '@/components/duck-art'

interface SealProps {
  /** The look of the ring is derived from this id. */
  id: string
  /** The duck in the middle. */
  duckId: string
  /** `open`: no permission yet. `closing`: the ring closes now, and the stamp follows. `closed`: as it looks afterwards. */
  state: 'open' | 'closing' | 'closed'
  /** The word on the stamp of a closed ring. */
  word: string
  /** Width and height in pixels. */
  size?: number
}

const strands = 5
const steps = 240

/** The rings that were drawn, by their number of waves. There are nine. */
const rings = new Map<number, string[]>()

function ringOf(id: string): string[] {
  const waves = 14 + (hash(`seal ${id}`) % 9)
  const ring = rings.get(waves) ?? drawRing(waves)
  rings.set(waves, ring)
  return ring
}

/** Returns the strands of a guilloche ring around 0, 0: waves around a circle, each shifted a little against the one before. */
function drawRing(waves: number): string[] {
  return Array.from({ length: strands }, (_, strand) => {
    const points = Array.from({ length: steps }, (_, step) => {
      const angle = (step / steps) * 2 * Math.PI
      const radius = 420 + 58 * Math.sin(waves * angle + (strand / strands) * 2 * Math.PI)
      return `${Math.round(radius * Math.cos(angle))} ${Math.round(radius * Math.sin(angle))}`
    })
    return `M${points.join('L')}Z`
  })
}

/** A duck in a ring of fine lines that an approval closes and stamps. Hidden from screen readers, because the page says the same in words. */
export function Seal({ id, duckId, state, word, size = 92 }: SealProps) {
  return (
    <div
      aria-hidden="true"
      data-seal={state}
      className="relative shrink-0 text-pond"
      style={{ width: size, height: size }}
    >
      <svg
        viewBox="-500 -500 1000 1000"
        aria-hidden="true"
        className="absolute inset-0 size-full rotate-[-51deg]"
        fill="none"
        stroke="currentColor"
        strokeWidth="8"
        strokeLinecap="round"
      >
        {ringOf(id).map((line) => (
          <path key={line} d={line} pathLength="1" className={`seal-line seal-${state}`} />
        ))}
      </svg>
      <div className="absolute inset-0 grid place-items-center">
        <Duck id={duckId} size={size * 0.6} />
      </div>
      {state === 'open' ? null : (
        <span
          className={`seal-stamp seal-${state} absolute top-[62%] left-1/2 rounded-[3px] border-2 border-good bg-surface px-1.5 font-display text-[0.7rem] leading-5 font-bold tracking-wider text-good uppercase`}
        >
          {word}
        </span>
      )}
    </div>
  )
}
