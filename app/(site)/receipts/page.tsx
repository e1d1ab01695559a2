import type { Metadata } from 'next'
import { ForExperts } from '@/app/_shell/for-experts'
import { withProblemPage } from '@/app/_shell/problem-page'
import { CheckItYourself } from '@/components/check-it-yourself'
import { Sentence } from '@/components/sentence'
import { CopyBlock } from '@/components/ui/copy'
import { Link } from '@/components/ui/link'
import { PageHead, Section } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { readOwnKeys } from './own-keys'
import { ReceiptCheck } from './receipt-check'

export const generateMetadata = (): Metadata => ({
  title: m.receipts_check_a_receipt(),
  description: m.receipts_page_description(),
})

/** Checks a receipt in the browser. The page contains the keys of this service, so the check needs no connection. */
export default withProblemPage(async function ReceiptsPage() {
  const own = await readOwnKeys()
  const { baseUrl } = config()
  return (
    <div className="grid gap-x-16 gap-y-12 lg:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
      <div className="min-w-0">
        <PageHead title={m.receipts_check_a_receipt()} lead={m.receipts_page_intro()} />
        <noscript>
          <p className="mb-6 rounded-card bg-warn-wash px-5 py-4 text-sm text-warn">
            {m.receipts_needs_javascript_note()}
          </p>
        </noscript>
        <ReceiptCheck own={own} />
      </div>
      <aside className="min-w-0 lg:border-s lg:border-line lg:ps-10">
        <AboutReceipts baseUrl={baseUrl} />
      </aside>
    </div>
  )
})

function AboutReceipts({ baseUrl }: { baseUrl: string }) {
  return (
    <>
      <Section id="proves" title={m.receipts_what_a_receipt_shows()}>
        <ul className="grid list-disc gap-2 ps-5 text-sm marker:text-soft">
          <li>{m.receipts_shows_request_and_outcome()}</li>
          <li>{m.receipts_shows_service_word()}</li>
          <li>{m.receipts_shows_passkey_signature()}</li>
        </ul>
      </Section>
      <ForExperts hint={m.receipts_experts_hint()}>
        <ForPrograms baseUrl={baseUrl} />
      </ForExperts>
    </>
  )
}

/** What readers with keys of their own learn, what no receipt shows, and the commands. */
function ForPrograms({ baseUrl }: { baseUrl: string }) {
  return (
    <>
      <Section id="keys" title={m.receipts_with_keys()}>
        <ul className="grid list-disc gap-2 ps-5 text-sm marker:text-soft">
          <li>{m.receipts_shows_witness_keys()}</li>
          <li>{m.receipts_shows_kept_passkeys()}</li>
        </ul>
      </Section>
      <Section id="not" title={m.receipts_what_it_doesnt_show()}>
        <ul className="grid list-disc gap-2 ps-5 text-sm marker:text-soft">
          <li>
            <Sentence
              of={m.receipts_omits_permission_state}
              parts={{
                link: (children) => (
                  <Link href="/docs/api/pecks#post-beak-peck-consume" className="text-accent underline">
                    {children}
                  </Link>
                ),
              }}
            />
          </li>
          <li>{m.receipts_omits_person_identity()}</li>
          <li>
            <Sentence
              of={m.receipts_omits_service_honesty}
              parts={{
                link: (children) => (
                  <Link
                    href="/docs/sites/check-it-yourself#what-stops-a-host-that-lies"
                    className="text-accent underline"
                  >
                    {children}
                  </Link>
                ),
              }}
            />
          </li>
          <li>{m.receipts_omits_page_honesty()}</li>
        </ul>
      </Section>
      <Section id="shell" title={m.receipts_in_a_terminal()}>
        <div className="grid gap-4">
          <CopyBlock
            label={m.receipts_download_a_receipt()}
            text={`curl '${baseUrl}/beak/peck/outcome?peck_id=PECK-…' \\\n  -H "Authorization: Bearer $TOKEN" > receipt.json`}
          />
          <CheckItYourself kind="receipt" subject="receipt.json" />
        </div>
      </Section>
    </>
  )
}
