import type { Verification } from '@/app/_web/certificate-check'
import { withBasePath } from '@/components/base-path'
import { buttonClass } from '@/components/ui/button'
import { CopyBlock } from '@/components/ui/copy'
import { Link } from '@/components/ui/link'
import { Section } from '@/components/ui/surface'

interface OtherChecksProps {
  certificate: Verification
  /** The claims of its credential. */
  claims: Record<string, unknown>
  baseUrl: string
}

/** The other three ways to check the same certificate. Not printed. */
export function OtherChecks({ certificate, claims, baseUrl }: OtherChecksProps) {
  const { cert_id: id } = certificate
  return (
    <div className="no-print mt-6">
      <Section
        id="badge"
        title="Badge"
        lead="For a web page or a README. It always shows the current state, and links to this page."
      >
        <div className="grid gap-4">
          <Link href={`/verify/${id}`} className="justify-self-start rounded-card">
            {/* biome-ignore lint/performance/noImgElement: the same badge that others embed */}
            <img
              src={withBasePath(`/badge/${id}.svg`)}
              alt={`Beak birth certificate ${id}`}
              height={48}
              className="h-12 w-auto max-w-full"
            />
          </Link>
          <CopyBlock label="HTML" text={badgeHtml(id, baseUrl)} copyLabel="Copy HTML" />
        </div>
      </Section>
      <Section id="json" title="JSON" lead="The same check for programs.">
        <CopyBlock label="Shell" text={`curl '${baseUrl}/beak/cert/verify?cert_id=${id}'`} />
      </Section>
      <OfflineCredential certificate={certificate} claims={claims} baseUrl={baseUrl} />
    </div>
  )
}

function OfflineCredential({ certificate, claims, baseUrl }: OtherChecksProps) {
  return (
    <Section
      id="credential"
      title="Offline credential"
      lead="The certificate as a W3C Verifiable Credential. You check it with our public keys and the status list, so we don't learn which certificate you check."
    >
      <div className="grid gap-4">
        <ol className="list-decimal ps-5 text-sm marker:text-soft">
          <li className="mb-1">
            The signature was made with a key in{' '}
            <a href={withBasePath('/.well-known/jwks.json')} className="text-accent underline">
              /.well-known/jwks.json
            </a>
            , with <code>alg</code> EdDSA and <code>typ</code> vc+jwt.
          </li>
          <li className="mb-1">
            <code>issuer</code> is <span className="wrap-anywhere">{baseUrl}</span>.
          </li>
          <li>
            Its bit in the list that <code>credentialStatus</code> names is not set.{' '}
            <Link href="/docs/sites/verify" className="text-accent underline">
              See the code
            </Link>
          </li>
        </ol>
        <details className="rounded-card border border-line">
          <summary className="min-h-11 px-4 py-3 text-sm font-semibold">Show the contents</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users have to reach a scrollable area */}
          <pre tabIndex={0} className="overflow-auto border-t border-line p-4 text-xs">
            {JSON.stringify(claims, null, 2)}
          </pre>
        </details>
        <CopyBlock label="Credential" text={certificate.credential} copyLabel="Copy credential" />
        <a
          href={withBasePath(`/verify/${certificate.cert_id}/credential.jwt`)}
          download
          className={buttonClass('plain', 'justify-self-start')}
        >
          Download the credential
        </a>
      </div>
    </Section>
  )
}

/** Returns the HTML that embeds the badge. Needs no escaping: ids and base URLs contain no markup characters. */
function badgeHtml(id: string, baseUrl: string): string {
  return `<a href="${baseUrl}/verify/${id}"><img src="${baseUrl}/badge/${id}.svg" alt="Beak birth certificate ${id}" height="48"></a>`
}
