'use client'

import { useEffect, useRef } from 'react'
import { m } from '@/lib/kernel/messages'
import { type Lost, lostMessages } from '../connection/failures'
import { buttonClass } from './button-class'

interface LostMessageProps {
  lost: Lost
  /** Replaces the usual message. */
  message?: string
  onRetry: () => void
}

/** Says that a form has no answer, with a button that sends it again. Takes the focus. */
export function LostMessage({ lost, message = lostMessages[lost], onRetry }: LostMessageProps) {
  const line = useRef<HTMLParagraphElement>(null)
  useEffect(() => line.current?.focus(), [])
  return (
    <div className="grid justify-items-start gap-3" data-lost={lost}>
      <p
        ref={line}
        role="alert"
        tabIndex={-1}
        className="w-full rounded-control bg-warn-wash px-4 py-3 text-sm text-warn"
      >
        {message}
      </p>
      <button
        type="button"
        onClick={lost === 'outdated' ? () => window.location.reload() : onRetry}
        className={buttonClass()}
      >
        {lost === 'outdated' ? m.common_reload_page() : m.common_retry()}
      </button>
    </div>
  )
}
