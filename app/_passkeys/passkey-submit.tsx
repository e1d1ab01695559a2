'use client'

import type { ReactNode, Ref } from 'react'
import type { BodyOf } from '@/app/beak/_api/lines'
import { useAskedSubmit } from '@/components/ui/asked-submit'
import { type ButtonKind, buttonClass } from '@/components/ui/button-class'
import { m } from '@/lib/kernel/messages'
import { passkeyChallenge } from './actions'
import { askPasskey, PasskeyError } from './ceremony'

type ChallengeRequest = BodyOf<'POST /beak/passkey/challenge'>

interface PasskeySubmitProps {
  /** A function is called when the button is pressed. It returns null, and says why itself, when something is missing. */
  challenge: ChallengeRequest | (() => ChallengeRequest | null)
  /** The hidden field for the assertion, as JSON. */
  name?: string
  /** The id of its form, for a button outside of it. */
  form?: string
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
  form,
  kind = 'primary',
  isCell = false,
  button,
  children,
}: PasskeySubmitProps) {
  const { field, message, isBusy, isDisabled, press } = useAskedSubmit(
    async (refuse) => {
      const request = typeof challenge === 'function' ? challenge() : challenge
      if (request === null) return null
      const offer = await passkeyChallenge(request)
      if (offer.ok) return JSON.stringify(await askPasskey(offer.data))
      refuse(offer.message)
      return null
    },
    (error) => (error instanceof PasskeyError ? error.message : m.common_unreachable()),
  )
  return (
    <div className={isCell ? 'contents' : 'grid justify-items-start gap-2'}>
      <input ref={field} type="hidden" name={name} form={form} />
      <button
        ref={button}
        type="button"
        aria-disabled={isDisabled}
        onClick={press}
        className={buttonClass(kind, `aria-disabled:opacity-60 ${isCell ? 'min-h-12 px-2!' : ''}`)}
      >
        {isBusy ? m.passkeys_waiting_for_your_passkey() : children}
      </button>
      <p role="alert" className={`text-sm text-bad empty:hidden ${isCell ? 'order-last col-span-full' : ''}`}>
        {message}
      </p>
    </div>
  )
}
