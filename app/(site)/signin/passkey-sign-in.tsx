'use client'

import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { passkeySignInOptions } from '@/app/_passkeys/actions'
import { askPasskey, cancelPasskeys, PasskeyError } from '@/app/_passkeys/ceremony'
import type { Assertion } from '@/app/_web/sign-in'
import { withBasePath } from '@/components/base-path'
import { buttonClass } from '@/components/ui/button-class'
import { m } from '@/lib/kernel/messages'

/** Renews the offer before its challenge expires after five minutes. */
const renewAfterMs = 270_000
/** After this many failures the browser is not asked again. */
const failuresMax = 3
/** Events that show that somebody uses the page. Before the first one, no challenge is requested and nothing is loaded. */
const activityEvents = ['pointermove', 'touchstart', 'keydown', 'focusin', 'visibilitychange']

interface Autofill {
  /** Withdraws the offer until `resume`. */
  pause(): Promise<void>
  /** Offers again. */
  resume(): void
  /** Withdraws the offer and stops listening. */
  end(): void
}

/**
 * Offers passkeys in the autofill of the email field, in the background, and passes the chosen one to `onPick`. Sending a form
 * withdraws the offer, and the next activity renews it. Failures are silent: the visitor has not asked for anything yet and can use
 * the button.
 */
function offerInAutofill(onPick: (credential: Assertion) => Promise<void>): Autofill {
  let isPaused = false
  let isOffering = false
  let isWanted = false
  let failures = 0

  async function offer() {
    if (isPaused || isOffering || failures >= failuresMax || document.visibilityState === 'hidden') return
    isOffering = true
    isWanted = true
    try {
      if (!(await window.PublicKeyCredential?.isConditionalMediationAvailable?.())) {
        failures = failuresMax
        return
      }
      const options = await passkeySignInOptions()
      if (!options.ok) return void failures++
      if (isWanted) await onPick(await askPasskey(options.data, { conditional: true }))
    } catch {
      // The offer was withdrawn, or the browser does not support it.
      if (isWanted) failures++
    } finally {
      isOffering = false
    }
  }

  async function withdraw() {
    isWanted = false
    if (isOffering) await cancelPasskeys()
  }
  async function pause() {
    isPaused = true
    await withdraw()
  }
  const stopListening = listen(offer, withdraw)
  return {
    pause,
    resume() {
      isPaused = false
      void offer()
    },
    end() {
      stopListening()
      void pause()
    },
  }
}

/** Offers on activity, withdraws on submit, and renews in time. Returns a function that ends this. */
function listen(offer: () => Promise<void>, withdraw: () => Promise<void>): () => void {
  const onActivity = () => void offer()
  const onSubmit = () => void withdraw()
  const timer = setInterval(() => void withdraw().then(() => setTimeout(onActivity)), renewAfterMs)
  document.addEventListener('submit', onSubmit)
  for (const event of activityEvents) document.addEventListener(event, onActivity, { passive: true })
  return () => {
    clearInterval(timer)
    document.removeEventListener('submit', onSubmit)
    for (const event of activityEvents) document.removeEventListener(event, onActivity)
  }
}

/** The part of next-auth's protocol that the sign-in page needs: a CSRF token, sent with the credentials. */

/** Signs in with a passkey. Returns null after success, else the error code. */
async function signInWithPasskey(credential: Assertion): Promise<string | null> {
  const asked = await fetch(withBasePath('/api/auth/csrf'))
  const { csrfToken } = (await asked.json()) as { csrfToken: string }
  const answer = await fetch(withBasePath('/api/auth/callback/passkey'), {
    method: 'POST',
    body: new URLSearchParams({ csrfToken, credential: JSON.stringify(credential), json: 'true' }),
  })
  if (answer.ok) return null
  const { url, code } = (await answer.json()) as { url?: string; code?: string }
  return code ?? (url ? new URL(url).searchParams.get('error') : null) ?? 'E5001'
}

const messages: Record<string, string> = {
  get E4004() {
    return m.signin_rate_limited()
  },
  get E4006() {
    return m.signin_passkey_not_accepted()
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
  if (!(error instanceof PasskeyError)) return m.signin_passkey_unreachable()
  return error.isCancelled ? m.signin_message_or_sign_in_with_code({ message: error.message }) : error.message
}
