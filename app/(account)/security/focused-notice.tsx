'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { Notice, type Tone } from '@/components/ui/surface'

/** Shows the outcome of an action on another page. Takes the focus, so that screen readers read it. */
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
