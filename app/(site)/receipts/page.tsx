import type { Metadata } from 'next'
import Link from 'next/link'
import { api } from '@/app/_web/api'
import { PageProblem } from '@/app/_web/page-problem'
import { withProblemPage } from '@/components/problem-page'
import { CopyBlock } from '@/components/ui/copy'
import { PageHead, Section } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { ReceiptCheck } from './receipt-check'

export const metadata: Metadata = {
  title: 'Check a receipt',
  description: 'Find out, in your own browser, what exactly somebody approved.',
}

/** Where anybody checks the receipt of an approval; the keys of this service come with the page, so nothing is asked later. */
export default withProblemPage(async function ReceiptsPage() {
  const keys = await api('GET /.well-known/jwks.json')
  if (!keys.ok) throw new PageProblem(keys.problem)
  const { baseUrl } = config()
  return (
    <div className="grid gap-x-16 gap-y-12 lg:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
      <div className="min-w-0">
        <PageHead
          title="Check a receipt"
          lead="Whoever approves a peck, and whoever asked, can take a receipt along. One changed character, and it no longer holds."
        />
        <noscript>
          <p className="mb-6 rounded-card bg-warn-wash px-5 py-4 text-sm text-warn">
            The check runs in your browser, so it needs JavaScript. Without it, use the command below.
          </p>
        </noscript>
        <ReceiptCheck own={{ issuer: baseUrl, ...keys.data }} />
      </div>
      <aside className="min-w-0 lg:border-s lg:border-line lg:ps-10">
        <Explanation baseUrl={baseUrl} />
      </aside>
    </div>
  )
})

function Explanation({ baseUrl }: { baseUrl: string }) {
  return (
    <>
      <Section id="proves" title="What it proves">
        <ul className="grid list-disc gap-2 ps-5 text-sm marker:text-soft">
          <li>What was allowed, to whom, how often and until when: word for word.</li>
          <li>That this service recorded the approval at that time.</li>
          <li>
            With a passkey: that the person's own device signed this very statement, after checking that they
            were there. The service alone could not have made that up.
          </li>
        </ul>
      </Section>
      <Section id="not" title="What it does not">
        <ul className="grid list-disc gap-2 ps-5 text-sm marker:text-soft">
          <li>
            That the permission still stands: it may be used up or revoked since. Whoever guards the thing
            finds out by spending one use, with{' '}
            <Link href="/docs/api/pecks#post-beak-peck-consume" className="text-accent underline">
              consume
            </Link>
            .
          </li>
          <li>Who the person is. It names a duckling; a certificate says how far that is confirmed.</li>
          <li>Without a passkey: more than the word of this service.</li>
        </ul>
      </Section>
      <Section id="shell" title="In a terminal">
        <div className="grid gap-4">
          <CopyBlock
            label="Get one"
            text={`curl '${baseUrl}/beak/peck/receipt?peck_id=PECK-…' \\\n  -H "Authorization: Bearer $TOKEN" > receipt.json`}
          />
          <CopyBlock
            label="Check it, in the folder of Beak"
            text={`npm run receipt:verify -- receipt.json \\\n  --jwks ${baseUrl}/.well-known/jwks.json`}
          />
        </div>
      </Section>
    </>
  )
}
