import { KeyRound } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { localPath, nextPath } from '@/app/_web/local-path'
import { readPending } from '@/app/_web/pending-sign-in'
import { sessionToken } from '@/app/_web/session-cookie'
import { findViewer } from '@/app/_web/viewer'
import { Duck } from '@/components/duck'
import { PicturePage } from '@/components/picture-page'
import { withProblemPage } from '@/components/problem-page'
import { Notice } from '@/components/ui/surface'
import { AddressStep } from './address-step'
import { CodeStep } from './code-step'
import { PasskeySignIn } from './passkey-sign-in'

export const metadata: Metadata = { title: 'Sign in', robots: { index: false } }

/** Why somebody is here, where it was not their own idea. */
const reasons: Record<string, { title: string; text: string }> = {
  known: {
    title: 'This address has a duckling already',
    text: 'Sign in with it. If you do not remember making one: the code goes to that address only.',
  },
  fresh: {
    title: 'Once more, to be sure',
    text: 'What you are about to do needs a fresh sign-in. Then you go on where you were.',
  },
  code: {
    title: 'Sign in with a code',
    text: 'What you are about to do needs a sign-in with a code from your e-mail. Then you go on where you were.',
  },
  ended: {
    title: 'You have been signed out',
    text: 'This session has run out, or was ended from somewhere else. Sign in, and you go on where you were.',
  },
}

/** What next-auth was refused for, by code. */
const refusals: Record<string, string> = {
  E4000: 'Something was missing. Try again.',
  E4004: 'Too many tries. Wait a minute, then try again.',
  E4006: 'That did not sign you in: the code or the passkey was not right, or no longer valid. Try again.',
}

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** The way in for whoever has been here before: a passkey, or a code by mail. */
export default withProblemPage(async function SignInPage({ searchParams }: PageProps) {
  const given = await searchParams
  const next = nextPath(given.next)
  const viewer = await findViewer()
  const isAgain = given.reason === 'fresh' || given.reason === 'code'
  if (viewer !== null && !isAgain) redirect(next)
  const hasDeadSession = viewer === null && (await sessionToken()) !== null
  const reason = hasDeadSession ? 'ended' : String(given.reason)
  const pending = await readPending()
  const kept = { next, reason }
  const email = pending?.email ?? viewer?.email ?? ''
  const signUp = localPath(given.next) === null ? '/signup' : `/signup?${new URLSearchParams({ next })}`
  if (pending?.step === 'code') return <CodeStep pending={pending} kept={kept} />
  return (
    <PicturePage
      title="Welcome back"
      picture={(size) => <Duck id={viewer?.duckling_id ?? 'DUCK-B'} size={size} />}
      followers={['DUCK-F', 'DUCK-H', 'DUCK-K']}
    >
      <Why reason={reason} error={given.error} />
      {reason === 'code' ? null : (
        <>
          <PasskeySignIn next={next} icon={<KeyRound aria-hidden="true" size={19} />} />
          <p className="my-7 flex items-center gap-4 text-sm text-soft noscript:hidden">
            <span className="h-px grow bg-line" />
            or with a code by mail
            <span className="h-px grow bg-line" />
          </p>
        </>
      )}
      <AddressStep email={email} kept={kept} />
      {viewer === null ? (
        <p className="mt-10 border-t border-line pt-5 text-sm text-soft">
          New here?{' '}
          <Link href={signUp} className="inline-block py-1 font-semibold text-ink underline">
            Sign up
          </Link>
        </p>
      ) : null}
    </PicturePage>
  )
})

function Why({ reason, error }: { reason: string; error: unknown }) {
  const why = Object.hasOwn(reasons, reason) ? reasons[reason] : undefined
  if (typeof error === 'string')
    return (
      <div className="mb-7">
        <Notice tone="bad" role="alert">
          {(Object.hasOwn(refusals, error) ? refusals[error] : undefined) ??
            'Signing in did not work just now. Try again in a moment.'}
        </Notice>
      </div>
    )
  if (why === undefined) return null
  return (
    <div className="mb-7">
      <Notice title={why.title}>{why.text}</Notice>
    </div>
  )
}
