'use client'

import type { ReactNode } from 'react'
import { useFormStatus } from 'react-dom'
import { type ButtonKind, buttonClass } from './button-class'

/** Sends the form around it, and says that it is doing so. */
export function SubmitButton({
  children,
  kind = 'primary',
  pending: busy,
  className,
  name,
  value,
}: {
  children: ReactNode
  kind?: ButtonKind
  pending?: string
  className?: string
  name?: string
  value?: string
}) {
  const { pending } = useFormStatus()
  return (
    <button
      type="submit"
      name={name}
      value={value}
      aria-disabled={pending}
      className={buttonClass(kind, `justify-self-start ${className ?? ''}`)}
    >
      {pending ? (busy ?? 'One moment …') : children}
    </button>
  )
}
