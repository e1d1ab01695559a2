import { personName } from '@beak/decision/person-name'
import { Download } from 'lucide'
import type { Metadata } from 'next'
import { BuildersOnly } from '@/app/_shell/builders-only'
import { withProblemPage } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/page-read'
import { requireViewer, type Viewer } from '@/app/_web/viewer'
import { CheckItYourself } from '@/components/check-it-yourself'
import { Duck } from '@/components/duck'
import { Sentence } from '@/components/sentence'
import { Confirm } from '@/components/ui/confirm'
import { ConfirmButtons } from '@/components/ui/confirm-buttons'
import { FoldedSection } from '@/components/ui/folded-section'
import { ActionForm, TextField } from '@/components/ui/form'
import { Icon } from '@/components/ui/icon'
import { SplitSection } from '@/components/ui/split-section'
import { PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { previewMax } from '@/lib/kernel/request/closing-preview'
import { closeAccount } from './actions'
import { ClosingList } from './closing-list'
import { ExportForm } from './export-form'

export const generateMetadata = (): Metadata => ({ title: m.account_data(), robots: { index: false } })

const exportedParts = [
  [m.account_export_profile, m.account_export_profile_what],
  [m.account_export_certificates, m.account_export_certificates_what],
  [m.account_export_agents, m.account_export_agents_what],
  [m.account_export_requests, m.account_export_requests_what],
  [m.account_export_sign_ins, m.account_export_sign_ins_what],
  [m.account_export_webhooks, m.account_export_webhooks_what],
  [m.account_export_log, m.account_export_log_what],
] as const

export default withProblemPage(async function AccountPage() {
  const viewer = await requireViewer('/account')
  const counts = await read('GET /beak/account/delete/preview')
  return (
    <>
      <PageHead title={m.account_data()} lead={m.account_page_intro()} />
      <SplitSection id="export" title={m.account_export()} lead={m.account_data_file_hint()}>
        <dl className="-mt-2 mb-6 divide-y divide-line text-sm">
          {exportedParts.map(([name, what]) => (
            <div key={name()} className="grid gap-x-6 py-2.5 sm:grid-cols-[8rem_minmax(0,1fr)]">
              <dt className="font-semibold">{name()}</dt>
              <dd className="text-soft">{what()}</dd>
            </div>
          ))}
        </dl>
        <ExportForm icon={<Icon of={Download} size={16} />} />
        <BuildersOnly>
          <div className="mt-4">
            <CheckItYourself kind="log" subject="beak-export.json" />
          </div>
        </BuildersOnly>
      </SplitSection>
      <FoldedSection
        id="close"
        title={m.account_close_your_account()}
        state={m.account_close_permanent_note()}
      >
        <p>{m.account_close_effects_lead()}</p>
        <div className="mt-5 mb-7">
          <ClosingList counts={counts} max={previewMax} />
        </div>
        <CloseAccount viewer={viewer} />
      </FoldedSection>
    </>
  )
})

function CloseAccount({ viewer }: { viewer: Viewer }) {
  return (
    <Confirm
      trigger={m.account_close_my_account()}
      title={m.account_close_question()}
      text={m.account_close_download_first()}
    >
      <p className="flex items-center gap-3">
        <Duck id={viewer.duckling_id} />
        <strong className="wrap-anywhere">
          <bdi translate="no">{personName(viewer)}</bdi>
        </strong>
      </p>
      <ActionForm
        action={closeAccount}
        label={m.account_close_your_account()}
        keepsDraft={false}
        countsOnce={false}
      >
        <TextField
          // Browsers and password managers fill in a field that calls itself an email address. Here, somebody must type.
          label={m.account_close_typed_label()}
          name="typed"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          hint={
            <Sentence of={m.account_close_email_hint} with={{ email: viewer.email ?? viewer.duckling_id }} />
          }
        />
        <ConfirmButtons>{m.account_close_permanently()}</ConfirmButtons>
      </ActionForm>
    </Confirm>
  )
}
