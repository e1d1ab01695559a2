import { AnnouncedForm } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { SubmitButton } from '@/components/ui/form'
import { revokeGrant } from './actions'
import type { Peck } from './reads'
import { actionWords } from './words'

/** Takes a permission back, once asked again. */
export function Revoke({ peck }: { peck: Peck }) {
  return (
    <Confirm
      trigger="Revoke"
      title={`Revoke “${actionWords(peck.action)}”?`}
      text="It holds no longer from the next use on. What was done with it before stays done."
    >
      <AnnouncedForm action={revokeGrant} label={`Revoke: ${actionWords(peck.action)}`}>
        <input type="hidden" name="peck_id" value={peck.peck_id} />
        <SubmitButton kind="danger">Revoke it</SubmitButton>
      </AnnouncedForm>
    </Confirm>
  )
}
