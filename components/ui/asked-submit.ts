'use client'

import { useRef, useState } from 'react'
import { useFormStatus } from 'react-dom'
import { useReach } from '@/components/connection/reach'

/**
 * For a button that asks the person through the browser before it submits its form: for a passkey, or for push messages. `ask` returns the
 * value of the hidden field, or null to submit nothing; `refuse` says why. `describe` returns what is shown when it fails.
 */
export function useAskedSubmit(
  ask: (refuse: (message: string) => void) => Promise<string | null>,
  describe: (error: unknown) => string,
) {
  const { pending } = useFormStatus()
  const [isAsking, setIsAsking] = useState(false)
  const [message, setMessage] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const isReached = useReach() === 'reached'
  const isBusy = pending || isAsking

  async function press() {
    const input = field.current
    if (isBusy || !isReached || !input) return
    setMessage('')
    setIsAsking(true)
    try {
      const value = await ask(setMessage)
      if (value === null) return
      input.value = value
      input.form?.requestSubmit()
      // The other buttons of the form must not send the value again.
      input.value = ''
    } catch (error) {
      setMessage(describe(error))
    } finally {
      setIsAsking(false)
    }
  }
  return { field, message, isBusy, isDisabled: isBusy || !isReached, press }
}
