import type { Verification } from '@/app/_web/certificate-check'
import { withBasePath } from '@/components/base-path'
import { CheckItYourself } from '@/components/check-it-yourself'
import { Sentence } from '@/components/sentence'
import { buttonClass } from '@/components/ui/button'
import { CopyBlock } from '@/components/ui/copy'
import { Link } from '@/components/ui/link'
import { Section } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'

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
    <div className="-mb-10">
      <Section id="badge" title={m.verify_badge()} lead={m.verify_badge_section_intro()}>
        <div className="grid gap-4">
          <Link href={`/verify/${id}`} className="justify-self-start rounded-card">
            {/* biome-ignore lint/performance/noImgElement: the same badge that others embed */}
            <img
              src={withBasePath(`/badge/${id}.svg`)}
              alt={m.verify_beak_birth_certificate_id({ id })}
              height={48}
              className="h-12 w-auto max-w-full"
            />
          </Link>
          <CopyBlock label={m.verify_html()} text={badgeHtml(id, baseUrl)} copyLabel={m.verify_copy_html()} />
        </div>
      </Section>
      <Section id="json" title={m.verify_json()} lead={m.verify_the_same_check_for_programs()}>
        <CopyBlock label={m.verify_shell()} text={`curl '${baseUrl}/beak/cert/verify?cert_id=${id}'`} />
      </Section>
      <OfflineCredential certificate={certificate} claims={claims} baseUrl={baseUrl} />
    </div>
  )
}

function OfflineCredential({ certificate, claims, baseUrl }: OtherChecksProps) {
  return (
    <Section id="credential" title={m.verify_offline_credential()} lead={m.verify_credential_section_intro()}>
      <div className="grid gap-4">
        <ol className="list-decimal ps-5 text-sm marker:text-soft">
          <li className="mb-1">
            <Sentence
              of={m.verify_credential_signature_step}
              parts={{
                a: (children) => (
                  <a href={withBasePath('/.well-known/jwks.json')} className="text-accent underline">
                    {children}
                  </a>
                ),
                code: (children) => <code translate="no">{children}</code>,
                code2: (children) => <code translate="no">{children}</code>,
              }}
            />
          </li>
          <li className="mb-1">
            <Sentence
              of={m.verify_issuer_is_baseurl}
              with={{ baseUrl }}
              parts={{
                code: (children) => <code translate="no">{children}</code>,
                span: (children) => <span className="wrap-anywhere">{children}</span>,
              }}
            />
          </li>
          <li>
            <Sentence
              of={m.verify_credential_status_step}
              parts={{
                code: (children) => <code translate="no">{children}</code>,
                link: (children) => (
                  <Link href="/docs/sites/verify" className="text-accent underline">
                    {children}
                  </Link>
                ),
              }}
            />
          </li>
        </ol>
        <details className="rounded-card border border-line">
          <summary className="min-h-11 px-4 py-3 text-sm font-semibold">
            {m.verify_show_the_contents()}
          </summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users have to reach a scrollable area */}
          <pre translate="no" tabIndex={0} className="overflow-auto border-t border-line p-4 text-xs">
            {JSON.stringify(claims, null, 2)}
          </pre>
        </details>
        <CopyBlock
          label={m.verify_credential()}
          text={certificate.credential}
          copyLabel={m.verify_copy_credential()}
        />
        <CheckItYourself kind="certificate" subject={`${certificate.cert_id}.jwt`} />
        <a
          href={withBasePath(`/verify/${certificate.cert_id}/credential.jwt`)}
          download
          className={buttonClass('plain', 'justify-self-start')}
        >
          {m.verify_download_the_credential()}
        </a>
      </div>
    </Section>
  )
}

/** Returns the HTML that embeds the badge. Needs no escaping: ids and base URLs contain no markup characters. */
function badgeHtml(id: string, baseUrl: string): string {
  return `<a href="${baseUrl}/verify/${id}"><img src="${baseUrl}/badge/${id}.svg" alt="Beak certificate ${id}" height="48"></a>`
}
