'use client'

import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { withBasePath } from '@/app/_web/base-path'
import { passkeySignInOptions } from '@/app/_web/passkey-actions'
import { askPasskey, PasskeyError } from '@/components/passkey-ceremony'
import { buttonClass } from '@/components/ui/button-class'
import type { AssertionCredential } from '@/lib/domain/passkeys/schema'
import { type Autofill, offerInAutofill } from './autofill'
import { signInWithPasskey } from './next-auth'

const sentences: Record<string, string> = {
  E4004: 'Too many tries. Wait a minute, then try again.',
  E4006:
    'Beak did not accept this passkey: it may have been removed from your account, or the prompt was open for too long. Try once more, or let us mail you a code; then you can add a new passkey.',
}

/** Signs in with a passkey: by the button, or picked from the browser's autofill in the address field. */
export function PasskeySignIn({ next, icon }: { next: string; icon: ReactNode }) {
  const [isBusy, setIsBusy] = useState(false)
  const [message, setMessage] = useState('')
  const autofill = useRef<Autofill>(null)

  const enter = useCallback(
    async (credential: AssertionCredential) => {
      const code = await signInWithPasskey(credential)
      // The whole page anew: everything on it was made for somebody signed out.
      if (code === null) return window.location.assign(withBasePath(next))
      throw new PasskeyError(sentences[code] ?? 'Signing in did not work just now. Try again in a moment.')
    },
    [next],
  )

  useEffect(() => {
    const offer = offerInAutofill((credential) =>
      enter(credential).catch((error: unknown) => setMessage(wordsFor(error))),
    )
    autofill.current = offer
    return () => offer.end()
  }, [enter])

  async function press() {
    if (isBusy) return
    setIsBusy(true)
    setMessage('')
    try {
      await autofill.current?.hold()
      const options = await passkeySignInOptions()
      if (!options.ok) throw new PasskeyError(options.message)
      // The page is on its way out after this: the button stays busy.
      return await enter(await askPasskey(options.data))
    } catch (error) {
      setMessage(wordsFor(error))
    }
    setIsBusy(false)
    autofill.current?.resume()
  }

  return (
    <div className="grid gap-3 noscript:hidden">
      <button
        type="button"
        aria-disabled={isBusy}
        onClick={press}
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

function wordsFor(error: unknown): string {
  if (!(error instanceof PasskeyError)) return 'Beak could not be reached. Try again in a moment.'
  return error.isCancelled ? `${error.message} Or let us mail you a code.` : error.message
}
