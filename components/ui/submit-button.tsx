'use client'

import type { ReactNode } from 'react'
import { useFormStatus } from 'react-dom'
import { m } from '@/lib/kernel/messages'
import { type ButtonKind, buttonClass } from './button-class'

/** Submits its form. Shows `pending` while the form is being submitted. */
export function SubmitButton({
  children,
  kind = 'primary',
  pending: pendingLabel,
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
      {pending ? (pendingLabel ?? m.common_one_moment()) : children}
    </button>
  )
}
