import { KeyRound } from 'lucide-react'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { withProblemPage } from '@/app/_shell/problem-page'
import { localPath, nextPath } from '@/app/_web/local-path'
import { sessionToken } from '@/app/_web/session-cookie'
import { findViewer } from '@/app/_web/viewer'
import { Duck } from '@/components/duck'
import { PicturePage } from '@/components/picture-page'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { AddressStep } from './address-step'
import { CodeStep } from './code-step'
import { KeepDraft } from './keep-draft'
import { PasskeySignIn } from './passkey-sign-in'
import { readPending } from './pending-sign-in'
import { SessionEndNotice } from './session-end-notice'

export const metadata: Metadata = { title: 'Sign in', robots: { index: false } }

/** Why another page sent the visitor here. */
const reasons: Record<string, { title: string; text: string }> = {
  known: {
    title: 'This email already has a duckling',
    text: "Sign in with it. If you don't remember signing up: we send the code to that email only.",
  },
  fresh: {
    title: 'Sign in again to continue',
    text: 'This action needs a fresh sign-in. After that you continue where you were.',
  },
  code: {
    title: 'Sign in with a code',
    text: 'This action needs a sign-in with a code from your email. After that you continue where you were.',
  },
  ended: {
    title: 'You have been signed out',
    text: 'Your session has expired or was signed out from another device. Sign in to continue where you were.',
  },
  draft: {
    title: 'Your session has ended',
    text: 'Nothing was sent. This tab keeps your draft: sign in to continue where you were.',
  },
}

/** What to do after a refused sign-in through next-auth, by error code. */
const refusals: Record<string, string> = {
  E4000: 'The sign-in was incomplete. Try again.',
  E4004: 'Too many tries. Wait a minute, then try again.',
  E4006: 'The code or the passkey was wrong or has expired. Try again.',
}

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Signs in with a passkey or a mailed code. */
export default withProblemPage(async function SignInPage({ searchParams }: PageProps) {
  const given = await searchParams
  const next = nextPath(given.next)
  const viewer = await findViewer()
  const isAgain = given.reason === 'fresh' || given.reason === 'code'
  if (viewer !== null && !isAgain) redirect(next)
  const hasDeadSession = viewer === null && (await sessionToken()) !== null
  const draft = typeof given.draft === 'string' && viewer === null ? given.draft : null
  const reason = draft !== null ? 'draft' : hasDeadSession ? 'ended' : String(given.reason)
  const pending = await readPending()
  const kept = { next, reason }
  const email = pending?.email ?? viewer?.email ?? ''
  const signUp = localPath(given.next) === null ? '/signup' : `/signup?${new URLSearchParams({ next })}`
  const keepDraft = <KeepDraft id={draft ?? ''} />
  if (pending?.step === 'code')
    return (
      <>
        {keepDraft}
        <CodeStep pending={pending} kept={kept} />
      </>
    )
  return (
    <PicturePage
      title="Welcome back"
      picture={(size) => <Duck id={viewer?.duckling_id ?? 'DUCK-B'} size={size} />}
      followers={['DUCK-F', 'DUCK-H', 'DUCK-K']}
    >
      <SignInNotice reason={reason} error={given.error} />
      {keepDraft}
      {reason === 'code' ? null : (
        <>
          <PasskeySignIn next={next} icon={<KeyRound aria-hidden="true" size={19} />} />
          <p className="my-7 flex items-center gap-4 text-sm text-soft noscript:hidden">
            <span className="h-px grow bg-line" />
            or get a code by email
            <span className="h-px grow bg-line" />
          </p>
        </>
      )}
      <AddressStep email={email} kept={kept} />
      {viewer === null && config().signUp.mode !== 'closed' ? (
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

/** A failed sign-in, or why the visitor has to sign in. */
function SignInNotice({ reason, error }: { reason: string; error: unknown }) {
  const notice = Object.hasOwn(reasons, reason) ? reasons[reason] : undefined
  if (typeof error === 'string')
    return (
      <div className="mb-7">
        <Notice tone="bad" role="alert">
          {(Object.hasOwn(refusals, error) ? refusals[error] : undefined) ??
            'Sign-in failed. Try again in a moment.'}
        </Notice>
      </div>
    )
  if (notice === undefined) return <SessionEndNotice />
  return (
    <div className="mb-7">
      <Notice title={notice.title}>{notice.text}</Notice>
    </div>
  )
}
