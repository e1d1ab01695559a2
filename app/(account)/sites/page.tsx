import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/page-read'
import { requireViewer } from '@/app/_web/viewer'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm, Announcements } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { ConfirmButtons } from '@/components/ui/confirm-buttons'
import { CopyBlock } from '@/components/ui/copy'
import { Link } from '@/components/ui/link'
import { Notice, PageHead } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { deleteSite } from './actions'
import { ChangeSite, RegisterSite, type Site } from './site-form'

export const generateMetadata = (): Metadata => ({ title: m.sites_title(), robots: { index: false } })

/** The sites that the viewer registered, whose visitors sign in with Beak. */
export default withProblemPage(async function SitesPage() {
  await requireViewer('/sites')
  const { items: sites } = await read('GET /beak/site/list', { query: { limit: '100' } })
  const { baseUrl } = config()
  return (
    <>
      <PageHead
        title={m.sites_title()}
        lead={
          <Sentence
            of={m.sites_lead}
            parts={{
              link: (children) => (
                <Link href="/docs/sites/sign-in" className="underline">
                  {children}
                </Link>
              ),
            }}
          />
        }
      />
      <div className="grid gap-12">
        <Announcements>
          {sites.length === 0 ? null : (
            <ul className="divide-y divide-line border-y border-line">
              {sites.map((site) => (
                <SiteItem key={site.client_id} site={site} issuer={baseUrl} />
              ))}
            </ul>
          )}
        </Announcements>
        <section aria-labelledby="register">
          <h2 id="register" className="mb-5">
            {m.sites_register_title()}
          </h2>
          <RegisterSite issuer={baseUrl} />
        </section>
      </div>
    </>
  )
})

function SiteItem({ site, issuer }: { site: Site; issuer: string }) {
  return (
    <li className="grid gap-5 py-6">
      <div>
        <h2 className="text-lg wrap-anywhere">
          <bdi translate="no">{site.host}</bdi>
        </h2>
        <p className="text-sm text-soft wrap-anywhere">
          <bdi translate="no">{site.name}</bdi>
        </p>
      </div>
      {site.secret_ended ? (
        <Notice tone="warn" title={m.sites_secret_ended()}>
          {m.sites_secret_ended_body()}
        </Notice>
      ) : null}
      <div className="max-w-2xl">
        <CopyBlock label="client_id" text={site.client_id} copyLabel={m.sites_copy_id()} />
      </div>
      <details open={site.secret_ended}>
        <summary className="cursor-pointer py-1 text-sm font-semibold">{m.sites_change()}</summary>
        <div className="mt-5 grid gap-6">
          <ChangeSite site={site} issuer={issuer} />
          <div>
            <Confirm
              trigger={m.sites_delete()}
              title={<Sentence of={m.sites_delete_title} with={{ host: site.host }} />}
              text={m.sites_delete_body()}
            >
              <AnnouncedForm action={deleteSite} label={m.sites_delete()}>
                <input type="hidden" name="client_id" value={site.client_id} />
                <ConfirmButtons>{m.sites_delete()}</ConfirmButtons>
              </AnnouncedForm>
            </Confirm>
          </div>
        </div>
      </details>
    </li>
  )
}
