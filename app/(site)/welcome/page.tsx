import type { Metadata } from 'next'
import { headers } from 'next/headers'
import Link from 'next/link'
import { api } from '@/app/_web/api'
import { localPath, nextPath } from '@/app/_web/local-path'
import { PageProblem } from '@/app/_web/page-problem'
import { hasPasskey } from '@/app/_web/passkey-offer'
import { requireViewer, type Viewer } from '@/app/_web/viewer'
import { AddPasskey } from '@/components/add-passkey'
import { Certificate } from '@/components/certificate'
import { Duck } from '@/components/duck'
import { PicturePage } from '@/components/picture-page'
import { withProblemPage } from '@/components/problem-page'
import { ButtonLink } from '@/components/ui/button'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { deviceWords } from '@/lib/kernel/device'
import { issueCertificate } from './actions'
import { AddressStep } from './address-step'
import { type Step, Steps } from './steps'

export const metadata: Metadata = { title: 'Welcome', robots: { index: false } }

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** The first minutes of a duckling: address, passkey, certificate. Where it stands decides what is shown. */
export default withProblemPage(async function WelcomePage({ searchParams }: PageProps) {
  const viewer = await requireViewer('/welcome')
  const given = await searchParams
  const next = nextPath(given.next)
  if (viewer.trust_tier === 'T0')
    return <AddressStep viewer={viewer} next={next} referralCode={String(given.ref ?? '').slice(0, 64)} />
  const isCertified = viewer.cert_status === 'active'
  const withPasskey = await hasPasskey()
  const done: Step[] = ['address', ...(withPasskey ? ['passkey' as const] : [])]
  if (isCertified) return hatched(viewer, localPath(given.next))
  if (!withPasskey && given.step === undefined) return <PasskeyStep next={next} done={done} viewer={viewer} />
  return (
    <PicturePage
      above={<Steps at="certificate" done={done} />}
      title="Your birth certificate"
      lead="A signed document that says who you are here and how far you are trusted. Anybody can check it, even without asking us. You can revoke it at any time."
      picture={(size) => <Duck id={viewer.duckling_id} size={size} />}
    >
      <ActionForm action={issueCertificate} label="Issue the birth certificate">
        <input type="hidden" name="next" value={next} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <SubmitButton>Issue my certificate</SubmitButton>
          <Later href={next}>Later</Later>
        </div>
      </ActionForm>
    </PicturePage>
  )
})

async function PasskeyStep({ next, done, viewer }: { next: string; done: Step[]; viewer: Viewer }) {
  const query = new URLSearchParams({ next })
  return (
    <PicturePage
      above={<Steps at="passkey" done={done} />}
      title={`Hello, ${viewer.display_name}`}
      lead="Your address is confirmed, and this is your duck. Add a passkey, and you sign in with your finger, your face or your PIN instead of a code."
      picture={(size) => <Duck id={viewer.duckling_id} size={size} />}
    >
      <AddPasskey suggestedName={deviceWords((await headers()).get('user-agent'))} />
      <p className="mt-3">
        <Later href={`/welcome?${query}&step=certificate`}>Not now</Later>
      </p>
    </PicturePage>
  )
}

/** Called and not rendered: the page answers for the read in it. */
async function hatched(viewer: Viewer, next: string | null) {
  const result = await api('GET /beak/cert/view')
  if (!result.ok) throw new PageProblem(result.problem)
  const certificate = result.data
  return (
    <div className="mx-auto max-w-3xl">
      <h1>{viewer.display_name} has hatched</h1>
      <p className="mt-3 mb-8 max-w-xl text-soft">
        This certificate is yours. Show it wherever somebody wants to know who stands behind an agent.
      </p>
      <Certificate
        certId={certificate.cert_id}
        ducklingId={certificate.duckling_id}
        displayName={certificate.display_name}
        tier={certificate.tier}
        issuedAt={certificate.issued_at}
        status={certificate.status}
        revokedAt={certificate.revoked_at}
        verifyUrl={certificate.verify_url}
      />
      <div className="mt-8 flex flex-wrap items-center gap-x-4 gap-y-3">
        <ButtonLink href={next ?? '/home'} kind="primary">
          {next === null || next === '/home' ? 'Go home' : 'Go on'}
        </ButtonLink>
        <Later href="/certificate">See everything about it</Later>
      </div>
    </div>
  )
}

function Later({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="inline-flex min-h-11 items-center text-sm font-semibold underline">
      {children}
    </Link>
  )
}
