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
import { deviceWords } from '@/lib/kernel/device'
import { isolated, personName } from '@/lib/kernel/text/person-name'
import { issueCertificate } from './actions'
import { AddressStep } from './address-step'
import { HatchedDuck, HatchingNews } from './hatching'
import { type Step, Steps } from './steps'

export const metadata: Metadata = { title: 'Welcome', robots: { index: false } }

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
      title="Your birth certificate"
      lead="A signed document that says who you are here and how far you are trusted. Anyone can check it, even without asking us. You can revoke it at any time."
      picture={(size) => <HatchedDuck id={viewer.duckling_id} size={size} />}
    >
      <ActionForm action={issueCertificate} label="Issue the birth certificate">
        <input type="hidden" name="next" value={next} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <SubmitButton>Issue my certificate</SubmitButton>
          <TextLink href={next}>Not now</TextLink>
        </div>
      </ActionForm>
    </PicturePage>
  )
}

async function PasskeyStep({ next, done, viewer }: StepProps) {
  const query = new URLSearchParams({ next })
  return (
    <PicturePage
      above={<WelcomeHead at="passkey" done={done} viewer={viewer} />}
      title={`Hello, ${isolated(personName(viewer))}`}
      lead="Your email is confirmed, and this is your duck. Add a passkey to sign in with your fingerprint, face or PIN instead of a code."
      picture={(size) => <HatchedDuck id={viewer.duckling_id} size={size} />}
    >
      <AddPasskey suggestedName={deviceWords((await headers()).get('user-agent'))} />
      <p className="mt-3">
        <TextLink href={`/welcome?${query}&step=certificate`}>Not now</TextLink>
      </p>
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
      <h1>Your certificate is ready</h1>
      <p className="mt-3 mb-8 max-w-xl text-soft">
        This is your certificate. Show it to anyone who wants to know who stands behind your agents.
      </p>
      <OwnCertificate certificate={certificate} />
      <div className="mt-8 flex flex-wrap items-center gap-x-4 gap-y-3">
        <ButtonLink href={next ?? '/home'} kind="primary">
          {next === null || next === '/home' ? 'Go home' : 'Continue'}
        </ButtonLink>
        <TextLink href="/certificate">View certificate details</TextLink>
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
