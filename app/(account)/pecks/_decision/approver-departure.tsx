'use client'

import { type MouseEvent, type ReactNode, useState } from 'react'
import { useReach } from '@/components/connection/reach'
import { m } from '@/lib/kernel/messages'

/** A button that leaves for the approver, and why it did not leave. */
interface DepartureButton {
  props: {
    type: 'button'
    'aria-disabled': boolean
    onClick: (event: MouseEvent<HTMLButtonElement>) => void
  }
  /** Empty until a press has failed. */
  fault: ReactNode
}

/** `leave` goes to the approver. It returns why not, or null. Nothing is decided before the approver leads back. */
export function useDeparture(leave: (button: HTMLButtonElement) => Promise<string | null>): DepartureButton {
  const [isBusy, setIsBusy] = useState(false)
  const [message, setMessage] = useState('')
  const isHeld = useReach() !== 'reached' || isBusy

  async function press(button: HTMLButtonElement) {
    setMessage('')
    setIsBusy(true)
    setMessage((await leave(button).catch(() => m.common_unreachable())) ?? '')
    setIsBusy(false)
  }

  return {
    props: {
      type: 'button',
      'aria-disabled': isHeld,
      onClick: ({ currentTarget }) => {
        if (!isHeld) void press(currentTarget)
      },
    },
    fault: (
      <p role="alert" className="order-last col-span-full basis-full text-sm text-bad empty:hidden">
        {message}
      </p>
    ),
  }
}

/** Returns the host of an approver, for buttons. */
export const approverHost = ({ origin }: { origin: string }): string => new URL(origin).host
