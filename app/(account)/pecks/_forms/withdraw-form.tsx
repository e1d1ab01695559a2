import { AnnouncedForm } from '@/components/ui/announcements'
import { SubmitButton } from '@/components/ui/form'
import type { Peck } from '../_peck/reads'
import { actionTitle } from '../_peck/words'
import { withdrawRequest } from './actions'

/** Withdraws a pending request of the viewer. */
export function WithdrawForm({ peck }: { peck: Peck }) {
  return (
    <AnnouncedForm action={withdrawRequest} label={`Withdraw: ${actionTitle(peck.action)}`}>
      <input type="hidden" name="peck_id" value={peck.peck_id} />
      <SubmitButton kind="plain" pending="Withdrawing …">
        Withdraw
      </SubmitButton>
    </AnnouncedForm>
  )
}
