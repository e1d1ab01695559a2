import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { AddPasskey } from '@/app/_passkeys/add-passkey'
import { withProblemPage } from '@/app/_shell/problem-page'
import { localPath, nextPath } from '@/app/_web/local-path'
import { viewerHasPasskey } from '@/app/_web/passkeys'
import { read } from '@/app/_web/read'
import { requireViewer, type Viewer } from '@/app/_web/viewer'
import { OwnCertificate } from '@/app/(account)/certificate/own-certificate'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { PicturePage } from '@/components/picture-page'
import { ButtonLink } from '@/components/ui/button'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { WordHelp } from '@/components/ui/word-help'
import { deviceWords } from '@/lib/kernel/device'
import { m } from '@/lib/kernel/messages'
import { isolated, personName } from '@/lib/kernel/text/person-name'
import { issueCertificate } from './actions'
import { AddressStep } from './address-step'
import { HatchedDuck, HatchingNews } from './hatching'
import { type Step, Steps } from './steps'

export const generateMetadata = (): Metadata => ({ title: m.welcome_welcome(), robots: { index: false } })

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Leads a new duckling to a confirmed email, a passkey and a certificate. Shows the first step that is not done. */
export default withProblemPage(async function WelcomePage({ searchParams }: PageProps) {
  const viewer = await requireViewer('/welcome')
  const given = await searchParams
  const next = nextPath(given.next)
  if (viewer.trust_tier === 'T0')
    return <AddressStep viewer={viewer} next={next} referralCode={String(given.ref ?? '').slice(0, 64)} />
  if (viewer.cert_status === 'active')
    return <NewCertificate certificate={await read('GET /beak/cert/view')} next={localPath(given.next)} />
  const hasPasskey = await viewerHasPasskey()
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
function WelcomeHead({ at, done, viewer }: { at: Step; done: Step[]; viewer: Viewer }) {
  return (
    <>
      <Steps at={at} done={done} />
      <HatchingNews id={viewer.duckling_id} />
    </>
  )
}

function CertificateStep({ next, done, viewer }: StepProps) {
  return (
    <PicturePage
      above={<WelcomeHead at="certificate" done={done} viewer={viewer} />}
      title={m.welcome_your_birth_certificate()}
      lead={m.welcome_signed_document_that_says_who_you()}
      picture={(size) => <HatchedDuck id={viewer.duckling_id} size={size} />}
    >
      <ActionForm action={issueCertificate} label={m.welcome_issue_the_birth_certificate()}>
        <input type="hidden" name="next" value={next} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <SubmitButton>{m.welcome_issue_my_certificate()}</SubmitButton>
          <TextLink href={next}>{m.welcome_not_now()}</TextLink>
        </div>
      </ActionForm>
      <WordHelp words={['certificate', 'tier']} className="mt-6" />
    </PicturePage>
  )
}

async function PasskeyStep({ next, done, viewer }: StepProps) {
  const query = new URLSearchParams({ next })
  return (
    <PicturePage
      above={<WelcomeHead at="passkey" done={done} viewer={viewer} />}
      title={m.welcome_hello({ name: isolated(personName(viewer)) })}
      lead={m.welcome_your_email_is_confirmed_this_is()}
      picture={(size) => <HatchedDuck id={viewer.duckling_id} size={size} />}
    >
      <AddPasskey suggestedName={deviceWords((await headers()).get('user-agent'))} />
      <p className="mt-3">
        <TextLink href={`/welcome?${query}&step=certificate`}>{m.welcome_not_now()}</TextLink>
      </p>
      <WordHelp words={['passkey']} className="mt-3" />
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
      <p className="mt-3 mb-8 max-w-xl text-soft">{m.welcome_this_is_your_certificate_show_it()}</p>
      <OwnCertificate certificate={certificate} />
      <div className="mt-8 flex flex-wrap items-center gap-x-4 gap-y-3">
        {next === null || next === '/home' ? (
          <>
            <ButtonLink href="/agents/new" kind="primary">
              {m.agents_register_an_agent()}
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
