'use client'

import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { passkeySignInOptions } from '@/app/_passkeys/actions'
import { askPasskey, PasskeyError } from '@/app/_passkeys/ceremony'
import type { Assertion } from '@/app/_web/sign-in'
import { withBasePath } from '@/components/base-path'
import { buttonClass } from '@/components/ui/button-class'
import { m } from '@/lib/kernel/messages'
import { type Autofill, offerInAutofill } from './autofill'
import { signInWithPasskey } from './next-auth'

const messages: Record<string, string> = {
  get E4004() {
    return m.signin_too_many_tries_wait_minute_then()
  },
  get E4006() {
    return m.signin_beak_did_not_accept_this_passkey()
  },
}

/** Signs in with a passkey, by the button or from the browser's autofill in the email field. */
export function PasskeySignIn({ next, icon }: { next: string; icon: ReactNode }) {
  const [isBusy, setIsBusy] = useState(false)
  const [message, setMessage] = useState('')
  const autofill = useRef<Autofill>(null)
  /** The prompt of the button and the autofill may both be answered. The second answer would break off the navigation of the first. */
  const isEntering = useRef(false)

  const enter = useCallback(
    async (credential: Assertion) => {
      if (isEntering.current) return
      isEntering.current = true
      let code: string | null = 'E5001'
      try {
        code = await signInWithPasskey(credential)
      } finally {
        isEntering.current = code === null
      }
      // Loads a new document: everything on this one was rendered for somebody signed out.
      if (code === null) return window.location.assign(withBasePath(next))
      throw new PasskeyError(messages[code] ?? 'Sign-in failed. Try again in a moment.')
    },
    [next],
  )

  useEffect(() => {
    const offer = offerInAutofill((credential) =>
      enter(credential).catch((error: unknown) => setMessage(messageFor(error))),
    )
    autofill.current = offer
    return () => offer.end()
  }, [enter])

  async function signIn() {
    if (isBusy) return
    setIsBusy(true)
    setMessage('')
    try {
      await autofill.current?.pause()
      const options = await passkeySignInOptions()
      if (!options.ok) throw new PasskeyError(options.message)
      // The button stays busy while the browser loads the next page.
      return await enter(await askPasskey(options.data))
    } catch (error) {
      setMessage(messageFor(error))
    }
    setIsBusy(false)
    autofill.current?.resume()
  }

  return (
    <div className="grid gap-3 noscript:hidden">
      <button
        type="button"
        aria-disabled={isBusy}
        onClick={signIn}
        className={buttonClass('primary', 'min-h-13 w-full text-base')}
      >
        {icon}
        {isBusy ? m.signin_waiting_for_your_passkey() : m.signin_sign_in_with_a_passkey()}
      </button>
      <p role="alert" className="rounded-control bg-bad-wash px-4 py-3 text-sm text-bad empty:hidden">
        {message}
      </p>
    </div>
  )
}

function messageFor(error: unknown): string {
  if (!(error instanceof PasskeyError)) return m.signin_beak_cant_be_reached_try_again()
  return error.isCancelled ? m.signin_message_or_sign_in_with_code({ message: error.message }) : error.message
}
