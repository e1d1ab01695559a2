import { Download } from 'lucide-react'
import type { Metadata } from 'next'
import { read } from '@/app/_web/read'
import { requireViewer, type Viewer } from '@/app/_web/viewer'
import { ClosingList } from '@/components/closing-list'
import { Duck } from '@/components/duck'
import { withProblemPage } from '@/components/problem-page'
import { Confirm } from '@/components/ui/confirm'
import { ActionForm, SubmitButton, TextField } from '@/components/ui/form'
import { SplitSection } from '@/components/ui/split-section'
import { PageHead } from '@/components/ui/surface'
import { closeAccount } from './actions'
import { ExportForm } from './export-form'

export const metadata: Metadata = { title: 'Account', robots: { index: false } }

const held = [
  ['Profile', 'with your settings and who you have blocked'],
  ['Certificates', 'all of them, with their credentials'],
  ['Agents', 'and their keys, never the secrets'],
  ['Pecks', 'sent and received, with the passkey approvals'],
  ['Sign-ins', 'passkeys, sessions, which codes went where'],
  ['Webhooks', 'and what was delivered'],
  ['Audit log', 'whole, with its signed end'],
]

export default withProblemPage(async function AccountPage() {
  const viewer = await requireViewer('/account')
  const counts = await read('GET /beak/account/delete/preview')
  return (
    <>
      <PageHead title="Account" lead="Take along what we hold about you, or leave." />
      <SplitSection id="export" title="Export" lead="Everything held about you, as one JSON document.">
        <dl className="-mt-2 mb-6 divide-y divide-line text-sm">
          {held.map(([name, what]) => (
            <div key={name} className="grid gap-x-6 py-2.5 sm:grid-cols-[8rem_minmax(0,1fr)]">
              <dt className="font-semibold">{name}</dt>
              <dd className="text-soft">{what}</dd>
            </div>
          ))}
        </dl>
        <ExportForm icon={<Download aria-hidden="true" size={16} />} />
        <p className="mt-4 text-sm text-soft">
          The log in it can be checked without us:{' '}
          <code className="text-ink wrap-anywhere">npm run audit:verify -- beak-export.json</code>
        </p>
      </SplitSection>
      <SplitSection
        id="close"
        title="Close the account"
        lead="For good. Nobody can bring it back, not even we."
      >
        <p>Your name, your address and your number are erased, and this goes with them, as of now:</p>
        <div className="mt-5 mb-7">
          <ClosingList counts={counts} />
        </div>
        <Close viewer={viewer} />
      </SplitSection>
    </>
  )
})

function Close({ viewer }: { viewer: Viewer }) {
  return (
    <Confirm
      trigger="Close my account"
      title="Close your account?"
      text="This cannot be undone. Download your data first if you want to keep it."
    >
      <p className="flex items-center gap-3">
        <Duck id={viewer.duckling_id} />
        <strong className="wrap-anywhere">{viewer.display_name}</strong>
      </p>
      <ActionForm action={closeAccount} label="Close the account">
        <TextField
          label="Your display name"
          name="display_name"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          hint="Type it to show that you mean this account."
        />
        <SubmitButton kind="danger">Close it for good</SubmitButton>
      </ActionForm>
    </Confirm>
  )
}
