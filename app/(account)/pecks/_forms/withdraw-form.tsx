import { AnnouncedForm } from '@/components/ui/announcements'
import { SubmitButton } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { actionLabel } from '@/lib/kernel/text/shown-action'
import type { Peck } from '../_peck/reads'
import { withdrawRequest } from './actions'

/** Withdraws a pending request of the viewer. */
export function WithdrawForm({ peck }: { peck: Peck }) {
  return (
    <AnnouncedForm
      action={withdrawRequest}
      label={m.requests_withdraw_action({ action: actionLabel(peck.action) })}
    >
      <input type="hidden" name="peck_id" value={peck.peck_id} />
      <SubmitButton kind="plain" pending={m.requests_withdrawing()}>
        {m.requests_withdraw()}
      </SubmitButton>
    </AnnouncedForm>
  )
}
