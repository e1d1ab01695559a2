import type { ResponseOf } from '@/app/beak/_api/lines'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { Notice, PageHead } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { AccountLine } from './account-line'
import { SiteForm } from './site-form'

interface SiteSheetProps {
  request: string
  site: NonNullable<ResponseOf<'POST /beak/consent/view'>['site']>
  /** The signed-in account. */
  account: Parameters<typeof AccountLine>[0]['account']
}

/** Asks whether to sign in at a site, and what it may learn. */
export function SiteSheet({ request, site, account }: SiteSheetProps) {
  const { name, host, self_registered, scopes, missing, allowed, allowed_at, passkey_missing } = site
  return (
    <>
      <PageHead
        title={<Sentence of={m.consent_site_title} with={{ host }} />}
        lead={self_registered ? undefined : <Sentence of={m.consent_site_name} with={{ name }} />}
      />
      <div className="grid max-w-2xl gap-8">
        <div className="grid gap-4">
          {self_registered ? (
            <Notice tone="warn" title={m.consent_site_itself()}>
              <Sentence of={m.consent_site_itself_body} with={{ host }} />
            </Notice>
          ) : null}
          {allowed_at === null ? (
            <Notice tone="warn" title={m.consent_site_new()}>
              {m.consent_site_lead()}
            </Notice>
          ) : (
            <Notice>
              <Sentence of={m.consent_site_before} parts={{ time: () => <Time at={allowed_at} /> }} />
            </Notice>
          )}
          <AccountLine request={request} account={account} isSite />
        </div>
        {passkey_missing ? (
          <Notice tone="warn" title={m.consent_site_passkey()}>
            <Sentence
              of={m.consent_site_passkey_body}
              parts={{
                link: (children) => (
                  <Link
                    href="/security#passkeys"
                    className="inline-block py-1 font-semibold text-ink underline"
                  >
                    {children}
                  </Link>
                ),
              }}
            />
          </Notice>
        ) : null}
        <SiteForm
          request={request}
          offered={scopes}
          missing={missing}
          ticked={allowed_at === null ? ['profile', 'tier'] : allowed}
        />
      </div>
    </>
  )
}
