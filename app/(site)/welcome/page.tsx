import { isolated, personName } from '@beak/decision/person-name'
import { Check } from 'lucide'
import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { AddPasskey } from '@/app/_passkeys/add-passkey'
import { withProblemPage } from '@/app/_shell/problem-page'
import { localPath, nextPath } from '@/app/_web/local-path'
import { read } from '@/app/_web/page-read'
import { viewerHasPasskey } from '@/app/_web/passkeys'
import { requireViewer, type Viewer } from '@/app/_web/viewer'
import { OwnCertificate } from '@/app/(account)/certificate/own-certificate'
import { OutboxHint } from '@/app/(site)/dev/outbox/outbox-hint'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { PicturePage } from '@/components/picture-page'
import { ResendCode } from '@/components/resend-code'
import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { ActionForm, CheckField, CodeField, SubmitButton, TextField } from '@/components/ui/form'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { WordHelp } from '@/components/ui/word-help'
import { m } from '@/lib/kernel/messages'
import { deviceWords } from '@/lib/kernel/request/device'
import { leadsToConsent } from '@/lib/kernel/request/oauth-paths'
import { minute, readClock } from '@/lib/kernel/runtime/clock'
import { confirmAddress, correctAddress, issueCertificate, resendCode } from './actions'
import { HatchedDuck, HatchingNews, UnhatchedEgg } from './hatching'

type Step = 'address' | 'passkey' | 'certificate'

const steps = [
  { step: 'address', name: m.welcome_step_email },
  { step: 'passkey', name: m.welcome_step_passkey },
  { step: 'certificate', name: m.welcome_step_certificate },
] as const

/** The steps of the welcome, for whoever comes for its own sake. A skipped step is not ticked. */
function Steps({ at, done, next }: { at: Step; done: Step[]; next: string }) {
  if (leadsToConsent(next)) return null
  return (
    <ol className="mb-8 flex flex-wrap gap-x-5 gap-y-2 text-sm">
      {steps.map(({ step, name }, n) => {
        const isDone = done.includes(step)
        const isHere = step === at
        return (
          <li
            key={step}
            aria-current={isHere ? 'step' : undefined}
            className={`flex items-center gap-2 ${isHere ? 'font-semibold' : 'text-soft'}`}
          >
            <span
              className={`grid size-6 place-items-center rounded-full text-xs font-semibold tabular-nums ${isDone ? 'bg-good-wash text-good' : isHere ? 'bg-ink text-ground' : 'bg-sunken'}`}
            >
              {isDone ? <Icon of={Check} size={14} strokeWidth={3} /> : n + 1}
            </span>
            {name()}
            {isDone ? <span className="visually-hidden">{m.welcome_done()}</span> : null}
          </li>
        )
      })}
    </ol>
  )
}

/** How long a code is valid, in seconds. */
const codeLifetime = 10 * minute
/** How long after a code another one can be sent, in seconds. */
const resendAfter = minute / 2

interface AddressStepProps {
  viewer: Viewer
  next: string
}

/** Asks for the code that confirms the email, and helps when the code does not arrive or does not work. */
function AddressStep({ viewer, next }: AddressStepProps) {
  const age = Math.max(0, (readClock().getTime() - Date.parse(viewer.created_at)) / 1000)
  const isFresh = age < codeLifetime
  return (
    <PicturePage
      above={<Steps at="address" done={[]} next={next} />}
      title={m.welcome_confirm_your_email()}
      lead={
        isFresh ? (
          <Sentence of={m.welcome_address_step_intro} parts={{ email: () => <Email of={viewer} /> }} />
        ) : (
          <Sentence of={m.welcome_address_expired_intro} parts={{ email: () => <Email of={viewer} /> }} />
        )
      }
      picture={(size) => <UnhatchedEgg id={viewer.duckling_id} size={size} />}
    >
      <ActionForm action={confirmAddress} label={m.welcome_confirm_your_email()}>
        <input type="hidden" name="next" value={next} />
        <CodeField autoFocus hint={m.welcome_submits_automatically()} />
        <SubmitButton>{m.welcome_confirm()}</SubmitButton>
      </ActionForm>
      <div className="mt-10 grid gap-5 border-t border-line pt-5">
        <p className="text-sm text-soft">{m.welcome_code_not_received_help()}</p>
        <ResendCode action={resendCode} wait={Math.max(0, Math.ceil(resendAfter - age))}>
          <input type="hidden" name="next" value={next} />
        </ResendCode>
        <WrongEmail isFresh={isFresh} next={next} />
        <OutboxHint />
      </div>
    </PicturePage>
  )
}

function Email({ of: { email } }: { of: Viewer }) {
  return (
    <strong translate="no" className="text-ink wrap-anywhere">
      {email}
    </strong>
  )
}

/** Corrects a mistyped email. That closes a duckling, which needs a recent sign-in: later the profile page changes the email. */
function WrongEmail({ isFresh, next }: { isFresh: boolean; next: string }) {
  if (!isFresh)
    return (
      <p className="text-sm text-soft">
        <Sentence
          of={m.welcome_wrong_email_profile_link}
          parts={{
            link: (children) => (
              <Link href="/profile" className="inline-block py-1 font-semibold text-ink underline">
                {children}
              </Link>
            ),
          }}
        />
      </p>
    )
  return (
    <details>
      <summary className="inline-flex min-h-11 items-center text-sm font-semibold underline decoration-line hover:decoration-ink">
        {m.welcome_wrong_email()}
      </summary>
      <ActionForm action={correctAddress} className="mt-3" label={m.welcome_correct_the_email()}>
        <input type="hidden" name="next" value={next} />
        <TextField
          label={m.welcome_correct_email_address()}
          name="email"
          type="email"
          autoComplete="email"
          hint={m.welcome_correct_email_hint()}
        />
        <SubmitButton kind="plain">{m.welcome_send_code_to_this_email()}</SubmitButton>
      </ActionForm>
    </details>
  )
}

export const generateMetadata = (): Metadata => ({ title: m.welcome_welcome(), robots: { index: false } })

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Leads a new duckling to a confirmed email, a passkey and a certificate. Shows the first step that is not done. */
export default withProblemPage(async function WelcomePage({ searchParams }: PageProps) {
  const viewer = await requireViewer('/welcome')
  const given = await searchParams
  const next = nextPath(given.next)
  if (viewer.trust_tier === 'T0') return <AddressStep viewer={viewer} next={next} />
  if (viewer.cert_status === 'active')
    return <NewCertificate certificate={await read('GET /beak/cert/view')} next={localPath(given.next)} />
  const hasPasskey = await viewerHasPasskey()
  // A program waits. The certificate is not for it, and Home offers it later.
  if (leadsToConsent(next) && (hasPasskey || given.step !== undefined)) redirect(next)
  const done: Step[] = ['address', ...(hasPasskey ? ['passkey' as const] : [])]
  return hasPasskey || given.step !== undefined ? (
    <CertificateStep next={next} done={done} viewer={viewer} />
  ) : (
    <PasskeyStep next={next} done={done} viewer={viewer} />
  )
})

interface StepProps {
  next: string
  done: Step[]
  viewer: Viewer
}

/** After the address step: the steps, and for screen readers that the egg of the picture has hatched. */
function WelcomeHead({ at, done, next, viewer }: StepProps & { at: Step }) {
  return (
    <>
      <Steps at={at} done={done} next={next} />
      <HatchingNews id={viewer.duckling_id} />
    </>
  )
}

function CertificateStep({ next, done, viewer }: StepProps) {
  return (
    <PicturePage
      above={<WelcomeHead at="certificate" done={done} next={next} viewer={viewer} />}
      title={m.welcome_your_birth_certificate()}
      lead={m.welcome_certificate_step_intro()}
      picture={(size) => <HatchedDuck id={viewer.duckling_id} size={size} />}
    >
      <ActionForm action={issueCertificate} label={m.welcome_issue_the_birth_certificate()}>
        <input type="hidden" name="next" value={next} />
        <CheckField name="listed" label={m.welcome_list_me()} hint={m.welcome_list_me_hint()} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <SubmitButton>{m.welcome_issue_my_certificate()}</SubmitButton>
          <TextLink href={next}>{m.welcome_not_now()}</TextLink>
        </div>
      </ActionForm>
      <WordHelp words={['certificate']} className="mt-6" />
    </PicturePage>
  )
}

async function PasskeyStep({ next, done, viewer }: StepProps) {
  const query = new URLSearchParams({ next })
  return (
    <PicturePage
      above={<WelcomeHead at="passkey" done={done} next={next} viewer={viewer} />}
      title={<Sentence of={m.welcome_hello} with={{ name: isolated(personName(viewer)) }} />}
      lead={m.welcome_passkey_step_intro()}
      picture={(size) => <HatchedDuck id={viewer.duckling_id} size={size} />}
    >
      <AddPasskey suggestedName={deviceWords((await headers()).get('user-agent'))} asksName={false} />
      <p className="mt-3">
        <TextLink href={`/welcome?${query}&step=certificate`}>{m.welcome_not_now()}</TextLink>
      </p>
      {leadsToConsent(next) ? null : <WordHelp words={['passkey']} className="mt-3" />}
    </PicturePage>
  )
}

interface NewCertificateProps {
  certificate: ResponseOf<'GET /beak/cert/view'>
  next: string | null
}

/** The new certificate, with links to the viewer's pages. */
function NewCertificate({ certificate, next }: NewCertificateProps) {
  return (
    <div className="mx-auto max-w-3xl">
      <h1>{m.welcome_your_certificate_is_ready()}</h1>
      <p className="mt-3 mb-8 max-w-xl text-soft">{m.welcome_certificate_ready_intro()}</p>
      <OwnCertificate certificate={certificate} />
      <div className="mt-8 flex flex-wrap items-center gap-x-4 gap-y-3">
        {next === null || next === '/home' ? (
          <>
            <ButtonLink href="/agents/new" kind="primary">
              {m.agents_connect_an_agent()}
            </ButtonLink>
            <ButtonLink href="/home">{m.welcome_go_home()}</ButtonLink>
          </>
        ) : (
          <ButtonLink href={next} kind="primary">
            {m.welcome_continue()}
          </ButtonLink>
        )}
        <TextLink href="/certificate">{m.welcome_view_certificate_details()}</TextLink>
      </div>
    </div>
  )
}

function TextLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="inline-flex min-h-11 items-center text-sm font-semibold underline">
      {children}
    </Link>
  )
}
