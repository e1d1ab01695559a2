'use client'

import { useEffect, useId, useState } from 'react'
import { Duck } from '@/components/duck'
import { duckLook, duckShapes } from '@/components/duck-art'
import { Egg, Shell } from '@/components/ripples'
import { m } from '@/lib/kernel/messages'

/**
 * The egg that was last shown in this window. It hatches when its duck is shown next, once. Nothing is stored, so the animation never plays
 * again after a reload.
 */
let shownEgg: string | null = null

interface HatchingProps {
  /** The id of the duckling. */
  id: string
  size: number
}

/** An egg that hatches when the same window shows `HatchedDuck` next. */
export function UnhatchedEgg({ id, size }: HatchingProps) {
  useEffect(() => {
    shownEgg = id
  }, [id])
  return <Egg id={id} size={size} />
}

/** The duration of the animation in app/globals.css, in milliseconds. */
const hatchingMs = 2200

/** Whether the egg of this duckling hatches now. Ends with the animation, or when the person does anything. */
function useIsHatching(id: string): boolean {
  const [isHatching, setIsHatching] = useState(() => shownEgg === id && !prefersLessMotion())
  useEffect(() => {
    // After the first render of all pictures of this duck on the page.
    shownEgg = null
    if (!isHatching) return
    const end = () => setIsHatching(false)
    // A picture that is not displayed has no animation that could end.
    const timer = setTimeout(end, hatchingMs)
    window.addEventListener('pointerdown', end)
    window.addEventListener('keydown', end)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pointerdown', end)
      window.removeEventListener('keydown', end)
    }
  }, [isHatching])
  return isHatching
}

const prefersLessMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/** The duck of a duckling. If its egg was shown just before, the egg hatches first, in about two seconds. */
export function HatchedDuck({ id, size }: HatchingProps) {
  return useIsHatching(id) ? <HatchingEgg id={id} size={size} /> : <Duck id={id} size={size} />
}

/** Tells screen readers once what the animation shows. */
export function HatchingNews({ id }: { id: string }) {
  const [news, setNews] = useState('')
  const [isHatching] = useState(() => shownEgg === id)
  useEffect(() => {
    // After the first render: only a change of the text is read.
    if (isHatching) setNews(m.welcome_hatched_announcement())
  }, [isHatching])
  return (
    <p role="status" className="visually-hidden">
      {news}
    </p>
  )
}

/** The crack from left to right, as points of the shell. */
const crack = '17.5 31L22.5 35L26.5 30L31.5 35.5L36 30L41 35L46.2 31'

function HatchingEgg({ id, size }: HatchingProps) {
  const { wing, pond, facesLeft } = duckLook(id)
  const clip = useId()
  return (
    <svg viewBox="0 0 64 64" width={size} height={size} aria-hidden="true" className="shrink-0 rounded-full">
      <clipPath id={`${clip}top`}>
        <path d={`M0 0V31L${crack}H64V0Z`} />
      </clipPath>
      <clipPath id={`${clip}foot`}>
        <path d={`M0 64V31L${crack}H64V64Z`} />
      </clipPath>
      <circle cx="32" cy="32" r="32" fill={pond} />
      <ellipse cx="32" cy="50" rx="15" ry="3" fill={wing} className="hatching-shadow" />
      <path
        d="M6 46c6-3 10 2 16 0s10-2 16 0 10 2 20-1a32 32 0 0 1-52 1Z"
        fill={wing}
        className="hatching-water"
      />
      <g className="hatching-duck">
        <g
          transform={facesLeft ? 'translate(64 0) scale(-1 1)' : undefined}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: the shapes contain no text of users, only numbers and colours of our own
          dangerouslySetInnerHTML={{ __html: duckShapes(id, true) }}
        />
      </g>
      <g className="hatching-egg">
        <g className="hatching-foot">
          <Shell id={id} clipPath={`url(#${clip}foot)`} />
        </g>
        <g className="hatching-top">
          <Shell id={id} clipPath={`url(#${clip}top)`} />
        </g>
        {/* Covers the seam between the halves until they part. */}
        <g className="hatching-whole">
          <Shell id={id} />
        </g>
        <path
          d={`M${crack}`}
          pathLength="1"
          fill="none"
          stroke={pond}
          strokeWidth="1.4"
          className="hatching-crack"
        />
      </g>
    </svg>
  )
}
