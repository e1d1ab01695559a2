import { AnnouncedForm } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { SubmitButton } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { isolated, personName } from '@/lib/kernel/text/person-name'
import type { Peck } from '../_peck/reads'
import { blockDuckling } from './actions'
import { blockWarning } from './outcome-words'
import { UnblockForm } from './unblock-form'

type Requester = Pick<Peck['requester'], 'duckling_id' | 'display_name' | 'full_name'>

/** Blocks the requester, after a confirmation. Shows a link to the blocked people once that is done. */
export function BlockForm({ requester, isBlocked }: { requester: Requester; isBlocked: boolean }) {
  const id = requester.duckling_id
  const name = isolated(personName(requester))
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
    <Confirm trigger={`Block ${name}`} triggerKind="quiet" title={`Block ${name}?`} text={blockWarning}>
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
