'use client'

import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { passkeySignInOptions } from '@/app/_passkeys/actions'
import { askPasskey, PasskeyError } from '@/app/_passkeys/ceremony'
import type { Assertion } from '@/app/_web/sign-in'
import { withBasePath } from '@/components/base-path'
import { buttonClass } from '@/components/ui/button-class'
import { type Autofill, offerInAutofill } from './autofill'
import { signInWithPasskey } from './next-auth'

const messages: Record<string, string> = {
  E4004: 'Too many tries. Wait a minute, then try again.',
  E4006:
    'Beak did not accept this passkey: it may have been removed from your account, or the prompt was open for too long. Try again, or sign in with a code and add a new passkey.',
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
        {isBusy ? 'Waiting for your passkey …' : 'Sign in with a passkey'}
      </button>
      <p role="alert" className="rounded-control bg-bad-wash px-4 py-3 text-sm text-bad empty:hidden">
        {message}
      </p>
    </div>
  )
}

function messageFor(error: unknown): string {
  if (!(error instanceof PasskeyError)) return "Beak can't be reached. Try again in a moment."
  return error.isCancelled ? `${error.message} Or sign in with a code.` : error.message
}
