import { AnnouncedForm } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { SubmitButton } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { actionLabel } from '@/lib/kernel/text/shown-action'
import type { Peck } from '../_peck/reads'
import { revokePermission } from './actions'

/** Revokes a permission, after a confirmation. */
export function RevokeForm({ peck }: { peck: Peck }) {
  const title = actionLabel(peck.action)
  return (
    <Confirm
      trigger={m.requests_revoke()}
      title={m.requests_revoke_title({ title })}
      text={m.requests_permission_stops_working_immediately_what_was()}
    >
      <AnnouncedForm action={revokePermission} label={m.requests_revoke_title_2({ title })}>
        <input type="hidden" name="peck_id" value={peck.peck_id} />
        <SubmitButton kind="danger">{m.requests_revoke_permission()}</SubmitButton>
      </AnnouncedForm>
    </Confirm>
  )
}
