import { Download } from 'lucide-react'
import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/read'
import { requireViewer, type Viewer } from '@/app/_web/viewer'
import { Duck } from '@/components/duck'
import { Confirm } from '@/components/ui/confirm'
import { ActionForm, SubmitButton, TextField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { SplitSection } from '@/components/ui/split-section'
import { PageHead } from '@/components/ui/surface'
import { personName } from '@/lib/kernel/text/person-name'
import { closeAccount } from './actions'
import { ClosingList } from './closing-list'
import { ExportForm } from './export-form'

export const metadata: Metadata = { title: 'Account', robots: { index: false } }

const exportedParts = [
  ['Profile', 'your settings, and who you have blocked'],
  ['Certificates', 'all of them, with their credentials'],
  ['Agents', 'with their keys, but without the secrets'],
  ['Requests', 'sent and received, with approvals by passkey'],
  ['Sign-ins', 'passkeys, sessions, and where codes were sent'],
  ['Webhooks', 'with their deliveries'],
  ['Audit log', 'complete, with its signed head'],
]

export default withProblemPage(async function AccountPage() {
  const viewer = await requireViewer('/account')
  const counts = await read('GET /beak/account/delete/preview')
  return (
    <>
      <PageHead title="Account" lead="Export your data, or close your account." />
      <SplitSection id="export" title="Export" lead="Everything we store about you, as one JSON file.">
        <dl className="-mt-2 mb-6 divide-y divide-line text-sm">
          {exportedParts.map(([name, what]) => (
            <div key={name} className="grid gap-x-6 py-2.5 sm:grid-cols-[8rem_minmax(0,1fr)]">
              <dt className="font-semibold">{name}</dt>
              <dd className="text-soft">{what}</dd>
            </div>
          ))}
        </dl>
        <ExportForm icon={<Download aria-hidden="true" size={16} />} />
        <p className="mt-4 text-sm text-soft">
          You can check the audit log in it on your own machine:{' '}
          <Link href="/docs/sites/check-it-yourself" className="underline">
            Check it yourself
          </Link>
        </p>
      </SplitSection>
      <SplitSection
        id="close"
        title="Close your account"
        lead="Permanent. Nobody can restore it, not even us."
      >
        <p>Your name, email address and phone number are erased. Closing also affects:</p>
        <div className="mt-5 mb-7">
          <ClosingList counts={counts} />
        </div>
        <CloseAccount viewer={viewer} />
      </SplitSection>
    </>
  )
})

function CloseAccount({ viewer }: { viewer: Viewer }) {
  return (
    <Confirm
      trigger="Close my account"
      title="Close your account?"
      text="This can't be undone. Download your data first if you want to keep it."
    >
      <p className="flex items-center gap-3">
        <Duck id={viewer.duckling_id} />
        <strong className="wrap-anywhere">
          <bdi>{personName(viewer)}</bdi>
        </strong>
      </p>
      <ActionForm action={closeAccount} label="Close your account" keepsDraft={false} countsOnce={false}>
        <TextField
          label="Your display name"
          name="display_name"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          hint={`Type ${viewer.display_name} to confirm that you mean this account.`}
        />
        <SubmitButton kind="danger">Close permanently</SubmitButton>
      </ActionForm>
    </Confirm>
  )
}
