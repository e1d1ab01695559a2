import Link from 'next/link'
import { AnnouncedForm } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { SubmitButton } from '@/components/ui/form'
import { blockDuckling } from '../actions'
import type { Peck } from '../reads'

/** Lets nothing more of the asker reach one, once the request itself is settled. */
export function Block({ requester, isBlocked }: { requester: Peck['requester']; isBlocked: boolean }) {
  const { display_name: name, duckling_id: id } = requester
  if (isBlocked)
    return (
      <p className="text-sm text-soft">
        {name} is blocked.{' '}
        <Link href="/pecks/blocked" className="underline">
          See whom you have blocked
        </Link>
        .
      </p>
    )
  return (
    <Confirm
      trigger={`Block ${name}`}
      triggerKind="quiet"
      title={`Block ${name}?`}
      text="Nothing they or their agents ask reaches you any more. They are not told. What holds goes on until you revoke it."
    >
      <AnnouncedForm action={blockDuckling} label={`Block ${name}`}>
        <input type="hidden" name="duckling_id" value={id} />
        <SubmitButton kind="danger">Block them</SubmitButton>
      </AnnouncedForm>
    </Confirm>
  )
}
