import { AnnouncedForm } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { SubmitButton } from '@/components/ui/form'
import type { Peck } from '../_peck/reads'
import { actionTitle } from '../_peck/words'
import { revokePermission } from './actions'

/** Revokes a permission, after a confirmation. */
export function RevokeForm({ peck }: { peck: Peck }) {
  const title = actionTitle(peck.action)
  return (
    <Confirm
      trigger="Revoke"
      title={`Revoke “${title}”?`}
      text="The permission stops working immediately. What was already done with it stays done."
    >
      <AnnouncedForm action={revokePermission} label={`Revoke: ${title}`}>
        <input type="hidden" name="peck_id" value={peck.peck_id} />
        <SubmitButton kind="danger">Revoke permission</SubmitButton>
      </AnnouncedForm>
    </Confirm>
  )
}
