'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useRef } from 'react'
import { withBasePath } from '@/components/base-path'

interface LiveFormProps {
  path: string
  label: string
  className: string
  children: ReactNode
}

/** How long a person pauses while typing. */
const pauseMs = 400

/** A form of fields in the address. With scripts, the page follows each change, and the fields keep the focus. */
export function LiveForm({ path, label, className, children }: LiveFormProps) {
  const router = useRouter()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function follow(form: HTMLFormElement) {
    clearTimeout(timer.current)
    const filled = [...new FormData(form)].filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
    )
    router.replace(`${path}?${new URLSearchParams(filled)}`, { scroll: false })
  }
  return (
    <form
      action={withBasePath(path)}
      aria-label={label}
      className={className}
      onInput={({ currentTarget }) => {
        clearTimeout(timer.current)
        timer.current = setTimeout(() => follow(currentTarget), pauseMs)
      }}
      onSubmit={(event) => {
        event.preventDefault()
        follow(event.currentTarget)
      }}
    >
      {children}
    </form>
  )
}
