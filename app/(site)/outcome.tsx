'use client'

import { type ReactNode, useEffect, useRef } from 'react'

/** What came of a form that is gone now: it has the focus, so that nobody is left where the form was. */
export function Outcome({ title, children }: { title: string; children: ReactNode }) {
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
