import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { CopyBlock } from '@/components/ui/copy'
import { Link } from '@/components/ui/link'
import { PageHead, Section } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { readOwnKeys } from './own-keys'
import { ReceiptCheck } from './receipt-check'

export const metadata: Metadata = {
  title: 'Check a receipt',
  description: 'Check in your own browser what exactly somebody approved or rejected.',
}

/** Checks a receipt in the browser. The page contains the keys of this service, so the check needs no connection. */
export default withProblemPage(async function ReceiptsPage() {
  const own = await readOwnKeys()
  const { baseUrl } = config()
  return (
    <div className="grid gap-x-16 gap-y-12 lg:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
      <div className="min-w-0">
        <PageHead
          title="Check a receipt"
          lead="Both sides of a request can download a receipt of its outcome. Here you see whether a receipt is unchanged, and who confirms it."
        />
        <noscript>
          <p className="mb-6 rounded-card bg-warn-wash px-5 py-4 text-sm text-warn">
            The check runs in your browser and needs JavaScript. Without JavaScript, use the command below.
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
      <Section id="proves" title="What a receipt shows">
        <ul className="grid list-disc gap-2 ps-5 text-sm marker:text-soft">
          <li>What was asked, by whom, and the outcome, in the words of this service.</li>
          <li>
            “Only the service says so”: the receipt has no signature of a passkey. You have to trust this
            service.
          </li>
          <li>
            “Signed with a passkey”: a device that had checked its user signed the decision. Only this service
            says whose passkey it is.
          </li>
          <li>
            With keys of witnesses: independent witnesses saw this passkey in the log of the service, no later
            than ten minutes after the stated time.
          </li>
          <li>
            With passkeys that you kept from an earlier receipt of this person: one of them signed the
            decision, or vouches for the passkey that did. A passkey that this service makes up later doesn't
            count.
          </li>
        </ul>
      </Section>
      <Section id="not" title="What it doesn't show">
        <ul className="grid list-disc gap-2 ps-5 text-sm marker:text-soft">
          <li>
            That the permission is still active. A receipt says what was true when it was made. A service that
            accepts the permission finds out when it uses it, with{' '}
            <Link href="/docs/api/pecks#post-beak-peck-consume" className="text-accent underline">
              consume
            </Link>
            .
          </li>
          <li>
            Who the person is. It names a duckling, and a certificate shows what that duckling has proved.
          </li>
          <li>
            That the service was honest at that time. A service that lies can use a passkey of its own, show
            something else than the passkey signs, or change a date.{' '}
            <Link
              href="/docs/sites/check-it-yourself#what-stops-a-host-that-lies"
              className="text-accent underline"
            >
              What stops that
            </Link>
          </li>
          <li>That this page is honest: it comes from the service. A program from elsewhere checks more.</li>
        </ul>
      </Section>
      <Section id="shell" title="In a terminal">
        <div className="grid gap-4">
          <CopyBlock
            label="Download a receipt"
            text={`curl '${baseUrl}/beak/peck/outcome?peck_id=PECK-…' \\\n  -H "Authorization: Bearer $TOKEN" > receipt.json`}
          />
          <p className="max-w-prose text-sm text-soft">
            <Link href="/docs/sites/check-it-yourself" className="text-accent underline">
              Check it yourself
            </Link>{' '}
            says where to get a program that checks the file, and what its results mean.
          </p>
        </div>
      </Section>
    </>
  )
}
