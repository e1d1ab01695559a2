import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { withBasePath } from '@/app/_web/base-path'
import { badgeSvg } from '@/app/badge/badge-svg'
import { withProblemPage } from '@/components/problem-page'
import { PageHead, Section } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { findCertificateId } from './find-id'
import { VerifyForm } from './verify-form'

export const metadata: Metadata = {
  title: 'Check a certificate',
  description: 'Find out whether a birth certificate holds: by its number, its badge, or offline.',
}

interface PageProps {
  searchParams: Promise<{ cert_id?: string | string[] }>
}

/** Where somebody who was shown a certificate begins. */
export default withProblemPage(async function VerifyPage({ searchParams }: PageProps) {
  const { cert_id: given } = await searchParams
  const text = typeof given === 'string' ? given : (given?.[0] ?? '')
  const id = findCertificateId(text)
  if (id !== null) redirect(`/verify/${id}`)
  return (
    <>
      <PageHead
        title="Check a certificate"
        lead="Somebody shows you a birth certificate. A picture proves nothing; its number does. See what we say about it."
      />
      <VerifyForm
        given={text.slice(0, 512)}
        error={
          text === ''
            ? undefined
            : 'This holds no certificate number. One looks like CERT-01JDV8… with 26 characters behind the hyphen.'
        }
      />
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
      title="Four ways to check"
      lead="They read the same record, use the same words, and all say no when in doubt."
    >
      <ol className="grid border-t border-line">
        <Way title="The page" text="For people. Its address stands on the certificate as a QR code.">
          <Sample text={`${baseUrl}/verify/CERT-…`} />
        </Way>
        <Way
          title="The API"
          text={
            <>
              For programs. Believe <code>valid</code> only when it is <code>true</code>: an unknown number is
              answered with 404, and with <code>false</code>.
            </>
          }
        >
          <Sample text={`curl '${baseUrl}/beak/cert/verify?cert_id=CERT-…'`} />
        </Way>
        <Way
          title="The badge"
          text="For a web page or a README. It is drawn anew each time it is shown, so it changes when the certificate does."
        >
          <Sample text={`${baseUrl}/badge/CERT-….svg`} />
        </Way>
        <Way
          title="The credential"
          text={
            <>
              For checking without asking us about anybody: a W3C Verifiable Credential, signed with our{' '}
              <a href={withBasePath('/.well-known/jwks.json')} className="text-accent underline">
                public keys
              </a>
              . A shared status list tells what was revoked since. <CredentialLink />
            </>
          }
        >
          <Sample text={`${baseUrl}/.well-known/status-list/0`} />
        </Way>
      </ol>
    </Section>
  )
}

function CredentialLink() {
  return (
    <Link href="/docs#offline" className="text-accent underline">
      How to check one
    </Link>
  )
}

/** What it looks like; not to be copied, for the number is missing. */
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
  { state: 'valid', text: 'It holds.' },
  { state: 'revoked', text: 'Its owner, or the end of their account, has ended it.' },
  { state: 'superseded', text: 'Its owner has a newer one, at a higher tier.' },
  { state: 'unknown', text: 'We never issued it.' },
  { state: 'unchecked', text: 'We could not look. Take it for a no, and look again later.' },
] as const

function BadgeStates() {
  return (
    <Section id="badges" title="What a badge can say">
      <ul className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        {badges.map(({ state, text }) => {
          const isHeld = state === 'valid' || state === 'revoked' || state === 'superseded'
          const svg = badgeSvg({ state, holder: isHeld ? { name: 'Mallard', tier: 'T2' } : null })
          return (
            <li key={state} className="grid content-start gap-2">
              {/* biome-ignore lint/performance/noImgElement: a few hundred bytes, already here */}
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
