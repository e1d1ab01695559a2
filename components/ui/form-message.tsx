'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { m } from '@/lib/kernel/messages'
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
        {m.common_confirm_with_your_passkey_continue_follow()}
      </p>
    )
  if (proof.at === 'stopped')
    return (
      <div className="grid justify-items-start gap-3">
        <p role="alert" tabIndex={-1} className="rounded-control bg-warn-wash px-4 py-3 text-sm text-warn">
          {proof.message}
        </p>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <button type="button" onClick={onConfirm} className={buttonClass()}>
            {m.common_confirm_with_passkey()}
          </button>
          <ButtonLink href="/docs/people/lost-passkey" kind="quiet">
            {m.common_lost_passkey()}
          </ButtonLink>
        </div>
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
      <p className="text-sm">{m.common_passkeys_need_javascript_turn_on_javascript()}</p>
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
      {needs === 'fresh_code' ? m.common_sign_in_with_a_code() : m.common_sign_in_again()}
    </ButtonLink>
  )
}
