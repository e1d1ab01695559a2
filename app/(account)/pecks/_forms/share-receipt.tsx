import { isolated, personName } from '@beak/decision/person-name'
import type { ReactNode } from 'react'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { ConfirmButtons } from '@/components/ui/confirm-buttons'
import { CopyBlock } from '@/components/ui/copy'
import { CheckField, SubmitButton } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import type { PeckWithDetails } from '../_peck/reads'
import { shareReceipt, unshareReceipt } from './actions'

/** Shares the receipt of a request on a public page, or shows its link while it is shared. */
export function ShareReceipt({ peck, details }: PeckWithDetails) {
  const { shared, shared_by_requester: byRequester } = details
  const name = isolated(personName(peck.requester))
  return (
    <>
      {shared === null ? <ShareForm peckId={peck.peck_id} /> : null}
      {shared === null && byRequester === null ? null : (
        <div className="grid w-full max-w-2xl gap-3">
          {shared === null ? null : (
            <PublicPage
              label={shared.values ? m.requests_public_page_with_values() : m.requests_public_page()}
              url={shared.url}
            />
          )}
          {byRequester === null ? null : (
            <PublicPage
              label={
                byRequester.values ? (
                  <Sentence of={m.requests_public_page_of_name_with_values} with={{ name }} />
                ) : (
                  <Sentence of={m.requests_public_page_of_name} with={{ name }} />
                )
              }
              url={byRequester.url}
            />
          )}
          <AnnouncedForm action={unshareReceipt} label={m.requests_stop_sharing()}>
            <input type="hidden" name="peck_id" value={peck.peck_id} />
            <SubmitButton kind="plain">{m.requests_stop_sharing()}</SubmitButton>
          </AnnouncedForm>
        </div>
      )}
    </>
  )
}

function PublicPage({ label, url }: { label: ReactNode; url: string }) {
  return <CopyBlock label={label} text={url} copyLabel={m.requests_copy_link()} />
}

function ShareForm({ peckId }: { peckId: string }) {
  return (
    <Confirm
      trigger={m.requests_share_receipt()}
      triggerKind="plain"
      title={m.requests_share_this_receipt()}
      text={m.requests_share_receipt_warning()}
    >
      <AnnouncedForm action={shareReceipt} label={m.requests_share_receipt()}>
        <input type="hidden" name="peck_id" value={peckId} />
        <CheckField
          label={m.requests_also_show_details_message()}
          name="values"
          hint={m.requests_share_values_hint()}
        />
        <ConfirmButtons kind="primary">{m.requests_share_receipt()}</ConfirmButtons>
      </AnnouncedForm>
    </Confirm>
  )
}
