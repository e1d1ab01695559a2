'use client'

import { type ReactNode, type Ref, useRef, useState } from 'react'
import { useFormStatus } from 'react-dom'
import type { BodyOf } from '@/app/beak/_api/lines'
import { useReach } from '@/components/connection/reach'
import { type ButtonKind, buttonClass } from '@/components/ui/button-class'
import { passkeyChallenge } from './actions'
import { askPasskey, PasskeyError } from './ceremony'

type ChallengeRequest = BodyOf<'POST /beak/passkey/challenge'>

interface PasskeySubmitProps {
  /** A function is called when the button is pressed. It returns null, and says why itself, when something is missing. */
  challenge: ChallengeRequest | (() => ChallengeRequest | null)
  /** The hidden field for the assertion, as JSON. */
  name?: string
  kind?: ButtonKind
  /** The button fills a cell of the grid around, and its error takes a row of its own. */
  isCell?: boolean
  button?: Ref<HTMLButtonElement>
  children: ReactNode
}

/** A button that submits its form after a passkey has signed the challenge. A closed prompt submits nothing. */
export function PasskeySubmit({
  challenge,
  name = 'passkey',
  kind = 'primary',
  isCell = false,
  button,
  children,
}: PasskeySubmitProps) {
  const { pending } = useFormStatus()
  const [isAsking, setIsAsking] = useState(false)
  const [message, setMessage] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const isReached = useReach() === 'reached'
  const isBusy = pending || isAsking

  async function sign() {
    const input = field.current
    if (isBusy || !isReached || !input) return
    setMessage('')
    const request = typeof challenge === 'function' ? challenge() : challenge
    if (request === null) return
    setIsAsking(true)
    try {
      const offer = await passkeyChallenge(request)
      if (!offer.ok) return setMessage(offer.message)
      input.value = JSON.stringify(await askPasskey(offer.data))
      input.form?.requestSubmit()
      // The other buttons of the form must not send the assertion again.
      input.value = ''
    } catch (error) {
      setMessage(
        error instanceof PasskeyError
          ? error.message
          : 'Beak could not be reached. Check your connection and try again.',
      )
    } finally {
      setIsAsking(false)
    }
  }

  return (
    <div className={isCell ? 'contents' : 'grid justify-items-start gap-2'}>
      <input ref={field} type="hidden" name={name} />
      <button
        ref={button}
        type="button"
        aria-disabled={isBusy || !isReached}
        onClick={sign}
        className={buttonClass(kind, `aria-disabled:opacity-60 ${isCell ? 'min-h-12 px-2!' : ''}`)}
      >
        {isBusy ? 'Waiting for your passkey…' : children}
      </button>
      <p role="alert" className={`text-sm text-bad empty:hidden ${isCell ? 'order-last col-span-full' : ''}`}>
        {message}
      </p>
    </div>
  )
}
