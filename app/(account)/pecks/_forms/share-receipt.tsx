import { AnnouncedForm } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { CopyBlock } from '@/components/ui/copy'
import { CheckField, SubmitButton } from '@/components/ui/form'
import { isolated, personName } from '@/lib/kernel/text/person-name'
import type { PeckWithDetails } from '../_peck/reads'
import { shareReceipt, unshareReceipt } from './actions'

/** Shares the receipt of a request on a public page, or shows its link while it is shared. */
export function ShareReceipt({ peck, details }: PeckWithDetails) {
  const { shared, shared_by_requester: byRequester } = details
  return (
    <>
      {shared === null ? <ShareForm peckId={peck.peck_id} /> : null}
      {shared === null && byRequester === null ? null : (
        <div className="grid w-full max-w-2xl gap-3">
          {shared === null ? null : <PublicPage label="Public page of this receipt" {...shared} />}
          {byRequester === null ? null : (
            <PublicPage
              label={`Public page that ${isolated(personName(peck.requester))} shares`}
              {...byRequester}
            />
          )}
          <AnnouncedForm action={unshareReceipt} label="Stop sharing">
            <input type="hidden" name="peck_id" value={peck.peck_id} />
            <SubmitButton kind="plain">Stop sharing</SubmitButton>
          </AnnouncedForm>
        </div>
      )}
    </>
  )
}

function PublicPage({ label, url, values }: { label: string; url: string; values: boolean }) {
  return (
    <CopyBlock
      label={`${label}, ${values ? 'with its values' : 'without its values'}`}
      text={url}
      copyLabel="Copy link"
    />
  )
}

function ShareForm({ peckId }: { peckId: string }) {
  return (
    <Confirm
      trigger="Share receipt"
      title="Share this receipt?"
      text="Everybody who has the link sees both names, the action and the outcome. You can stop sharing at any time."
    >
      <AnnouncedForm action={shareReceipt} label="Share receipt">
        <input type="hidden" name="peck_id" value={peckId} />
        <CheckField
          label="Also show the parameters and the message"
          name="values"
          hint="Secret values are never shown. Without any values, the receipt is still valid."
        />
        <SubmitButton kind="primary">Share receipt</SubmitButton>
      </AnnouncedForm>
    </Confirm>
  )
}
