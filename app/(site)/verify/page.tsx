import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { withProblemPage } from '@/app/_shell/problem-page'
import { badgeSvg } from '@/app/badge/badge-svg'
import { withBasePath } from '@/components/base-path'
import { Link } from '@/components/ui/link'
import { PageHead, Section } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { findCertificateId } from './find-number'
import { VerifyField } from './verify-field'
import { unknownText } from './words'

export const metadata: Metadata = {
  title: 'Check',
  description: 'Check a birth certificate, an agent, a receipt or a token of Beak.',
}

interface PageProps {
  /** `cert_id`: what somebody looks for, from the address of an older form. */
  searchParams: Promise<{ cert_id?: string | string[] }>
}

/** One field for everything that can be checked, and an explanation of the ways to check a certificate. */
export default withProblemPage(async function VerifyPage({ searchParams }: PageProps) {
  const { cert_id: given } = await searchParams
  const text = (typeof given === 'string' ? given : (given?.[0] ?? '')).slice(0, 512)
  const id = findCertificateId(text)
  if (id !== null) redirect(`/verify/${id}`)
  return (
    <>
      <PageHead
        title="Check that it's genuine"
        lead="Did somebody show you a certificate, an agent, a receipt or a token? A picture proves nothing. Check the real thing here."
      />
      <VerifyField given={text} {...(text === '' ? {} : { error: unknownText(null) })} />
      <div className="mt-20">
        <Ways baseUrl={config().baseUrl} />
        <BadgeStates />
      </div>
    </>
  )
})

function Ways({ baseUrl }: { baseUrl: string }) {
  return (
    <Section
      id="ways"
      title="Four ways to check a certificate"
      lead="All of them read the same record. When in doubt, all of them say no."
    >
      <ol className="grid border-t border-line">
        <Way title="The page" text="For people. The QR code on the certificate opens it.">
          <Sample text={`${baseUrl}/verify/CERT-…`} />
        </Way>
        <Way
          title="The API"
          text={
            <>
              For programs. Trust the certificate only when <code>valid</code> is <code>true</code>. For an
              unknown number, the answer is 404 with <code>valid: false</code>.
            </>
          }
        >
          <Sample text={`curl '${baseUrl}/beak/cert/verify?cert_id=CERT-…'`} />
        </Way>
        <Way
          title="The badge"
          text="For a web page or a README. It always shows the current state of the certificate."
        >
          <Sample text={`${baseUrl}/badge/CERT-….svg`} />
        </Way>
        <Way
          title="The credential"
          text={
            <>
              For checks that we can't see: a W3C Verifiable Credential, signed with our{' '}
              <a href={withBasePath('/.well-known/jwks.json')} className="text-accent underline">
                public keys
              </a>
              . A shared status list shows which certificates were revoked.{' '}
              <Link href="/docs/sites/verify" className="text-accent underline">
                See how to check one
              </Link>
            </>
          }
        >
          <Sample text={`${baseUrl}/.well-known/status-list/0`} />
        </Way>
      </ol>
    </Section>
  )
}

/** An address or a command without a number. It has no copy button, because it does not work as it is. */
function Sample({ text }: { text: string }) {
  return <code className="block rounded-control bg-sunken px-4 py-3 text-sm wrap-anywhere">{text}</code>
}

function Way({ title, text, children }: { title: string; text: ReactNode; children: ReactNode }) {
  return (
    <li className="grid gap-x-10 gap-y-4 border-b border-line py-6 md:grid-cols-2">
      <div>
        <h3>{title}</h3>
        <p className="mt-1 text-sm text-soft">{text}</p>
      </div>
      <div className="min-w-0">{children}</div>
    </li>
  )
}

const badges = [
  { state: 'valid', text: 'You can rely on it.' },
  { state: 'revoked', text: 'Its owner has revoked it, or their account was closed.' },
  { state: 'superseded', text: 'Its owner has a newer certificate.' },
  { state: 'unknown', text: 'We never issued it.' },
  { state: 'unchecked', text: "We couldn't check it. Don't rely on it, and try again later." },
] as const

function BadgeStates() {
  return (
    <Section id="badges" title="What badges mean">
      <ul className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        {badges.map(({ state, text }) => {
          const isHeld = state === 'valid' || state === 'revoked' || state === 'superseded'
          const svg = badgeSvg({ state, holder: isHeld ? { name: 'Mallard', tier: 'T2' } : null })
          return (
            <li key={state} className="grid content-start gap-2">
              {/* biome-ignore lint/performance/noImgElement: a data URL of a few hundred bytes */}
              <img
                src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
                alt={`Badge: ${state}`}
                height={48}
                className="h-12 w-auto max-w-full justify-self-start"
              />
              <p className="text-sm text-soft">{text}</p>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
