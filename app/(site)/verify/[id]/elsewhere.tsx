import Link from 'next/link'
import { withBasePath } from '@/app/_web/base-path'
import type { Verification } from '@/app/_web/certificate-check'
import { buttonClass } from '@/components/ui/button'
import { CopyBlock } from '@/components/ui/copy'
import { Section } from '@/components/ui/surface'

interface ElsewhereProps {
  certificate: Verification
  /** What its credential says. */
  claims: Record<string, unknown>
  baseUrl: string
}

/** The other three ways to check the same certificate: on the screen only. */
export function Elsewhere({ certificate, claims, baseUrl }: ElsewhereProps) {
  const { cert_id: id } = certificate
  return (
    <div className="no-print mt-6">
      <Section
        id="badge"
        title="Badge"
        lead="For a web page or a README. It shows the state at the moment somebody looks, and leads here."
      >
        <div className="grid gap-4">
          <Link href={`/verify/${id}`} className="justify-self-start rounded-card">
            {/* biome-ignore lint/performance/noImgElement: the very badge that others embed */}
            <img
              src={withBasePath(`/badge/${id}.svg`)}
              alt={`Beak birth certificate ${id}`}
              height={48}
              className="h-12 w-auto max-w-full"
            />
          </Link>
          <CopyBlock label="HTML" text={badgeHtml(id, baseUrl)} copyLabel="Copy the code" />
        </div>
      </Section>
      <Section id="json" title="JSON" lead="The same answer for programs.">
        <CopyBlock label="Shell" text={`curl '${baseUrl}/beak/cert/verify?cert_id=${id}'`} />
      </Section>
      <Section
        id="credential"
        title="Offline credential"
        lead="The certificate as a W3C Verifiable Credential. It is checked with our public keys and the status list, without asking us about this one."
      >
        <div className="grid gap-4">
          <ol className="list-decimal ps-5 text-sm marker:text-soft">
            <li className="mb-1">
              The signature is by a key in{' '}
              <a href={withBasePath('/.well-known/jwks.json')} className="text-accent underline">
                /.well-known/jwks.json
              </a>
              , with <code>alg</code> EdDSA and <code>typ</code> vc+jwt.
            </li>
            <li className="mb-1">
              <code>issuer</code> is <span className="wrap-anywhere">{baseUrl}</span>.
            </li>
            <li>
              Its bit in the list that <code>credentialStatus</code> names is not set. <Code />
            </li>
          </ol>
          <details className="rounded-card border border-line">
            <summary className="min-h-11 px-4 py-3 text-sm font-semibold">What the credential says</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer */}
            <pre tabIndex={0} className="overflow-auto border-t border-line p-4 text-xs">
              {JSON.stringify(claims, null, 2)}
            </pre>
          </details>
          <CopyBlock label="Credential" text={certificate.credential} copyLabel="Copy it" />
          <a
            href={withBasePath(`/verify/${id}/credential.jwt`)}
            download
            className={buttonClass('plain', 'justify-self-start')}
          >
            Download the credential
          </a>
        </div>
      </Section>
    </div>
  )
}

function Code() {
  return (
    <Link href="/docs#offline" className="text-accent underline">
      The code for it
    </Link>
  )
}

/** Ids and addresses of ours hold nothing that HTML would read as markup. */
function badgeHtml(id: string, baseUrl: string): string {
  return `<a href="${baseUrl}/verify/${id}"><img src="${baseUrl}/badge/${id}.svg" alt="Beak birth certificate ${id}" height="48"></a>`
}
