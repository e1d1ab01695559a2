import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { ForExperts } from '@/app/_shell/for-experts'
import { withProblemPage } from '@/app/_shell/problem-page'
import { badgeSvg } from '@/app/badge/badge-svg'
import { withBasePath } from '@/components/base-path'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { PageHead, Section } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { findCertificateId } from './find-number'
import { VerifyField } from './verify-field'
import { unknownText } from './words'

export const generateMetadata = (): Metadata => ({
  title: m.verify_check(),
  description: m.verify_page_description(),
})

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
      <PageHead title={m.verify_check_that_its_genuine()} lead={m.verify_page_intro()} />
      <VerifyField given={text} {...(text === '' ? {} : { error: unknownText(null) })} />
      <div className="mt-20">
        <BadgeStates />
        <ForExperts title={m.shell_for_programs()} hint={m.verify_ways_intro()}>
          <Ways baseUrl={config().baseUrl} />
        </ForExperts>
      </div>
    </>
  )
})

function Ways({ baseUrl }: { baseUrl: string }) {
  return (
    <Section id="ways" title={m.verify_four_ways_to_check_a_certificate()}>
      <ol className="grid border-t border-line">
        <Way title={m.verify_the_page()} text={m.verify_way_page_body()}>
          <Sample text={`${baseUrl}/verify/CERT-…`} />
        </Way>
        <Way
          title={m.verify_the_api()}
          text={
            <Sentence
              of={m.verify_way_api_body}
              parts={{
                code: (children) => <code translate="no">{children}</code>,
                code2: (children) => <code translate="no">{children}</code>,
                code3: (children) => <code translate="no">{children}</code>,
              }}
            />
          }
        >
          <Sample text={`curl '${baseUrl}/beak/cert/verify?cert_id=CERT-…'`} />
        </Way>
        <Way title={m.verify_the_badge()} text={m.verify_way_badge_body()}>
          <Sample text={`${baseUrl}/badge/CERT-….svg`} />
        </Way>
        <Way
          title={m.verify_the_credential()}
          text={
            <Sentence
              of={m.verify_way_credential_body}
              parts={{
                a: (children) => (
                  <a href={withBasePath('/.well-known/jwks.json')} className="text-accent underline">
                    {children}
                  </a>
                ),
                link: (children) => (
                  <Link href="/docs/sites/verify" className="text-accent underline">
                    {children}
                  </Link>
                ),
              }}
            />
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
  return (
    <code translate="no" className="block rounded-control bg-sunken px-4 py-3 text-sm wrap-anywhere">
      {text}
    </code>
  )
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
  {
    state: 'valid',
    get text() {
      return m.verify_you_can_rely_on_it()
    },
  },
  {
    state: 'revoked',
    get text() {
      return m.verify_badge_revoked_meaning()
    },
  },
  {
    state: 'superseded',
    get text() {
      return m.verify_its_owner_has_a_newer_certificate()
    },
  },
  {
    state: 'unknown',
    get text() {
      return m.verify_we_never_issued_it()
    },
  },
  {
    state: 'unchecked',
    get text() {
      return m.verify_badge_unchecked_meaning()
    },
  },
] as const

function BadgeStates() {
  return (
    <Section id="badges" title={m.verify_what_badges_mean()}>
      <ul className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        {badges.map(({ state, text }) => {
          const hasHolder = state === 'valid' || state === 'revoked' || state === 'superseded'
          const svg = badgeSvg({ state, holder: hasHolder ? { name: 'Mallard', tier: 'T2' } : null })
          return (
            <li key={state} className="grid content-start gap-2">
              {/* biome-ignore lint/performance/noImgElement: a data URL of a few hundred bytes */}
              <img
                src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
                alt={m.verify_badge_state({ state })}
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
