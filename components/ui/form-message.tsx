'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { ButtonLink, buttonClass } from './button'
import type { FormState } from './form-state'
import type { ProofStep } from './proof'

interface FormMessageProps {
  state: FormState
  proof: ProofStep
  /** Opens the passkey prompt again. */
  onConfirm: () => void
}

/** The message for the whole form, and the next step when the action needs a proof first. */
export function FormMessage({ state: { status, message, needs }, proof, onConfirm }: FormMessageProps) {
  if (proof.at === 'asking')
    return (
      <p role="status" className="rounded-control bg-accent-wash px-4 py-3 text-sm">
        Confirm with your passkey to continue. Follow the prompt of your device.
      </p>
    )
  if (proof.at === 'stopped')
    return (
      <div className="grid justify-items-start gap-3">
        <p role="alert" tabIndex={-1} className="rounded-control bg-warn-wash px-4 py-3 text-sm text-warn">
          {proof.message}
        </p>
        <button type="button" onClick={onConfirm} className={buttonClass()}>
          Confirm with passkey
        </button>
      </div>
    )
  if (status === 'idle' || message === '') return <p role="status" className="visually-hidden" />
  if (status === 'succeeded')
    return (
      <p role="status" className="rounded-control bg-good-wash px-4 py-3 text-sm text-good">
        {message}
      </p>
    )
  return (
    <div className="grid justify-items-start gap-3">
      <p role="alert" tabIndex={-1} className="w-full rounded-control bg-bad-wash px-4 py-3 text-sm text-bad">
        {message}
      </p>
      {needs === 'passkey' ? <NeedsScripts /> : null}
      {needs === 'fresh_sign_in' || needs === 'fresh_code' ? <SignInAgain needs={needs} /> : null}
    </div>
  )
}

/** Explains that passkeys need JavaScript, for browsers without it. */
function NeedsScripts() {
  return (
    <noscript>
      <p className="text-sm">
        Passkeys need JavaScript. Turn on JavaScript in your browser, then submit this form again.
      </p>
    </noscript>
  )
}

/** A link to sign-in that leads back to this page. */
function SignInAgain({ needs }: { needs: 'fresh_sign_in' | 'fresh_code' }) {
  const path = usePathname()
  const query = useSearchParams().toString()
  const next = query === '' ? path : `${path}?${query}`
  const reason = needs === 'fresh_code' ? 'code' : 'fresh'
  return (
    <ButtonLink href={`/signin?${new URLSearchParams({ reason, next })}`}>
      {needs === 'fresh_code' ? 'Sign in with a code' : 'Sign in again'}
    </ButtonLink>
  )
}
