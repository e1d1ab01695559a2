import { isolated, personName } from '@beak/decision/person-name'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { ConfirmButtons } from '@/components/ui/confirm-buttons'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import type { Peck } from '../_peck/reads'
import { blockDuckling } from './actions'
import { UnblockForm } from './unblock-form'

type Requester = Pick<Peck['requester'], 'duckling_id' | 'display_name' | 'full_name'>

/** Blocks the requester, after a confirmation. Shows a link to the blocked people once that is done. */
export function BlockForm({ requester, isBlocked }: { requester: Requester; isBlocked: boolean }) {
  const id = requester.duckling_id
  const name = isolated(personName(requester))
  if (isBlocked)
    return (
      <p className="text-sm text-soft">
        <Sentence
          of={m.requests_name_is_blocked_view_blocked_people}
          with={{ name }}
          parts={{
            link: (children) => (
              <Link href="/pecks/blocked" className="underline">
                {children}
              </Link>
            ),
          }}
        />
      </p>
    )
  return (
    <Confirm
      trigger={<Sentence of={m.requests_block_name} with={{ name }} />}
      triggerKind="quiet"
      title={<Sentence of={m.requests_block_question} with={{ name }} />}
      text={m.requests_block_warning()}
    >
      <AnnouncedForm
        action={blockDuckling}
        label={m.requests_block_name({ name })}
        follow={<UnblockForm ducklingId={id} name={name} label={m.requests_undo_block()} />}
      >
        <input type="hidden" name="duckling_id" value={id} />
        <ConfirmButtons>{m.requests_block()}</ConfirmButtons>
      </AnnouncedForm>
    </Confirm>
  )
}
