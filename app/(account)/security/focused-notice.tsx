'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { Notice, type Tone } from '@/components/ui/surface'

/** Says what came of an action on another page: takes the focus, so that it is read out. */
export function FocusedNotice({
  tone = 'good',
  title,
  children,
}: {
  tone?: Tone
  title: string
  children: ReactNode
}) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <div ref={place} tabIndex={-1} className="mb-8 rounded-card">
      <Notice tone={tone} title={title}>
        {children}
      </Notice>
    </div>
  )
}
