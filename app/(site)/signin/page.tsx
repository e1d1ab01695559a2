import { KeyRound } from 'lucide'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { localPath, nextPath } from '@/app/_web/local-path'
import { sessionToken } from '@/app/_web/session-cookie'
import { findViewer } from '@/app/_web/viewer'
import { OutboxHint } from '@/app/(site)/dev/outbox/outbox-hint'
import { Duck } from '@/components/duck'
import { PicturePage } from '@/components/picture-page'
import { ResendCode } from '@/components/resend-code'
import { Sentence } from '@/components/sentence'
import { buttonClass } from '@/components/ui/button'
import { ActionForm, CodeField, SubmitButton } from '@/components/ui/form'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { PlainForm } from '@/components/ui/plain-form'
import { Notice } from '@/components/ui/surface'
import { WordHelp } from '@/components/ui/word-help'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { changeAddress, enterCode, resendCode } from './actions'
import { AddressStep, type Kept, KeptFields } from './address-step'
import { KeepDraft } from './keep-draft'
import { PasskeySignIn } from './passkey-sign-in'
import { type PendingSignIn, readPending } from './pending-sign-in'
import { SessionEndNotice } from './session-end-notice'

/** Asks for the mailed code, and helps when the code does not arrive or does not work. */
function CodeStep({ pending, kept }: { pending: PendingSignIn; kept: Kept }) {
  const { email, resendAt } = pending
  const wait = Math.max(0, Math.ceil((resendAt - readClock().getTime()) / 1000))
  return (
    <PicturePage
      title={m.signin_enter_your_code()}
      lead={
        <Sentence
          of={m.signin_if_email_has_duckling_here_we}
          with={{ email }}
          parts={{ strong: (children) => <strong className="text-ink wrap-anywhere">{children}</strong> }}
        />
      }
      picture={(size) => <Duck id="DUCK-B" size={size} />}
      followers={['DUCK-F', 'DUCK-H', 'DUCK-K']}
    >
      <ActionForm action={enterCode} label={m.signin_sign_in_with_the_code()} countsOnce={false}>
        <KeptFields kept={kept} />
        <CodeField autoFocus hint={m.signin_valid_for_ten_minutes_submits_automatically()} />
        <SubmitButton>{m.signin_sign_in()}</SubmitButton>
      </ActionForm>
      <div className="mt-10 grid gap-5 border-t border-line pt-5">
        <p className="text-sm text-soft">
          <Sentence
            of={m.signin_code_not_received_help}
            parts={{
              link: (children) => (
                <Link href="/docs/people/lost-mailbox" className="inline-block py-1 text-ink underline">
                  {children}
                </Link>
              ),
            }}
          />
        </p>
        <div className="flex flex-wrap items-start gap-x-6 gap-y-1">
          <ResendCode action={resendCode} wait={wait}>
            <KeptFields kept={kept} />
          </ResendCode>
          <PlainForm action={changeAddress}>
            <KeptFields kept={kept} />
            <button type="submit" className={buttonClass('quiet')}>
              {m.signin_use_another_email_or_a_passkey()}
            </button>
          </PlainForm>
        </div>
        <OutboxHint />
      </div>
    </PicturePage>
  )
}

const linkTo = (href: string) => (children: ReactNode) => (
  <Link href={href} className="inline-block py-1 font-semibold text-ink underline">
    {children}
  </Link>
)

/** Leads people who cannot sign in to the page about what they have lost. */
function LostAccess() {
  return (
    <p>
      <Sentence
        of={m.signin_lost_access}
        with={{}}
        parts={{
          mailbox: linkTo('/docs/people/lost-mailbox'),
          phone: linkTo('/docs/people/lost-phone'),
          passkey: linkTo('/docs/people/lost-passkey'),
        }}
      />
    </p>
  )
}

/** Search engines show the bare address only. */
export const generateMetadata = withProblemTitle(async function generateMetadata({
  searchParams,
}: PageProps): Promise<Metadata> {
  const isBare = Object.keys(await searchParams).length === 0
  return {
    title: m.signin_sign_in(),
    description: m.signin_description(),
    ...(isBare ? {} : { robots: { index: false } }),
  }
})

/** Why another page sent the visitor here. */
const reasons: Record<string, { title: string; text: string }> = {
  known: {
    get title() {
      return m.signin_this_email_already_has_a_duckling()
    },
    get text() {
      return m.signin_known_email_body()
    },
  },
  fresh: {
    get title() {
      return m.signin_sign_in_again_to_continue()
    },
    get text() {
      return m.signin_fresh_needed_body()
    },
  },
  code: {
    get title() {
      return m.signin_sign_in_with_a_code()
    },
    get text() {
      return m.signin_code_needed_body()
    },
  },
  ended: {
    get title() {
      return m.signin_you_have_been_signed_out()
    },
    get text() {
      return m.signin_session_ended_body()
    },
  },
  draft: {
    get title() {
      return m.signin_your_session_has_ended()
    },
    get text() {
      return m.signin_draft_kept_body()
    },
  },
}

/** What to do after a refused sign-in through next-auth, by error code. */
const refusals: Record<string, string> = {
  get E4000() {
    return m.signin_sign_in_was_incomplete_try_again()
  },
  get E4004() {
    return m.signin_rate_limited()
  },
  get E4006() {
    return m.signin_code_or_passkey_refused()
  },
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
  const hint = typeof given.email === 'string' ? given.email.slice(0, 254) : ''
  const email = pending?.email ?? viewer?.email ?? hint
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
      title={m.signin_welcome_back()}
      picture={(size) => <Duck id={viewer?.duckling_id ?? 'DUCK-B'} size={size} />}
      followers={['DUCK-F', 'DUCK-H', 'DUCK-K']}
    >
      <SignInNotice reason={reason} error={given.error} />
      {keepDraft}
      {reason === 'code' ? null : (
        <>
          <PasskeySignIn next={next} icon={<Icon of={KeyRound} size={19} />} />
          <p className="my-7 flex items-center gap-4 text-sm text-soft noscript:hidden">
            <span className="h-px grow bg-line" />
            {m.signin_or_get_a_code_by_email()}
            <span className="h-px grow bg-line" />
          </p>
        </>
      )}
      <AddressStep email={email} kept={kept} />
      <div className="mt-10 grid gap-3 border-t border-line pt-5 text-sm text-soft">
        {viewer !== null ? null : config().signUp.mode === 'closed' ? (
          <p>{m.signin_sign_up_closed()}</p>
        ) : (
          <p>
            <Sentence
              of={m.signin_new_here_sign_up}
              parts={{
                link: (children) => (
                  <Link href={signUp} className="inline-block py-1 font-semibold text-ink underline">
                    {children}
                  </Link>
                ),
              }}
            />
          </p>
        )}
        <LostAccess />
        <WordHelp words={['passkey']} />
      </div>
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
          {(Object.hasOwn(refusals, error) ? refusals[error] : undefined) ?? m.signin_failed()}
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
