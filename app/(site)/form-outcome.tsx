'use client'

import { type ReactNode, useEffect, useRef } from 'react'

/** Replaces a form after it has succeeded. Takes the focus, which would otherwise be lost with the form. */
export function FormOutcome({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div>
      <h2 ref={heading} tabIndex={-1} className="outline-none">
        {title}
      </h2>
      <div className="mt-3 text-soft">{children}</div>
    </div>
  )
}
