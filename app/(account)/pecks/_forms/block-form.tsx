import { AnnouncedForm } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { SubmitButton } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import type { Peck } from '../_peck/reads'
import { blockDuckling } from './actions'
import { UnblockForm } from './unblock-form'

/** Blocks the requester, after a confirmation. Shows a link to the blocked people once that is done. */
export function BlockForm({ requester, isBlocked }: { requester: Peck['requester']; isBlocked: boolean }) {
  const { display_name: name, duckling_id: id } = requester
  if (isBlocked)
    return (
      <p className="text-sm text-soft">
        {name} is blocked.{' '}
        <Link href="/pecks/blocked" className="underline">
          View blocked people
        </Link>
      </p>
    )
  return (
    <Confirm
      trigger={`Block ${name}`}
      triggerKind="quiet"
      title={`Block ${name}?`}
      text="Requests from them and their agents no longer reach you, and their waiting requests are hidden. They aren't told. Active permissions stay valid until you revoke them."
    >
      <AnnouncedForm
        action={blockDuckling}
        label={`Block ${name}`}
        follow={<UnblockForm ducklingId={id} name={name} label="Undo block" />}
      >
        <input type="hidden" name="duckling_id" value={id} />
        <SubmitButton kind="danger">Block</SubmitButton>
      </AnnouncedForm>
    </Confirm>
  )
}
