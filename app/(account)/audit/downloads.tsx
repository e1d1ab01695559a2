import { withBasePath } from '@/components/base-path'
import { CheckItYourself } from '@/components/check-it-yourself'
import { Sentence } from '@/components/sentence'
import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'

/** Plain links: the router must not prefetch a download. */
export function Downloads() {
  return (
    <section aria-labelledby="download" className="mt-14 border-t border-line pt-8">
      <h2 id="download" className="text-lg">
        {m.audit_download()}
      </h2>
      <p className="mt-2 max-w-2xl text-sm text-soft">{m.audit_download_formats_hint()}</p>
      <p className="mt-5 flex flex-wrap gap-3">
        <a href={withBasePath('/api/audit/export')} className={buttonClass()}>
          {m.audit_download_as_json()}
        </a>
        <a href={withBasePath('/api/audit/export?format=csv')} className={buttonClass()}>
          {m.audit_download_as_csv()}
        </a>
      </p>
      <div className="mt-5">
        <CheckItYourself kind="log" subject="beak-audit.json" />
      </div>
      <p className="mt-5 text-sm text-soft">
        <Sentence
          of={m.audit_export_elsewhere_note}
          parts={{
            link: (children) => (
              <Link href="/account" className="underline">
                {children}
              </Link>
            ),
          }}
        />
      </p>
    </section>
  )
}
