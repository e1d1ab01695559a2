import { Confirm } from '@/components/ui/confirm'
import { SubmitButton } from '@/components/ui/form'
import { SayingForm } from '@/components/ui/said'
import { blockDuckling } from '../actions'
import type { Peck } from '../reads'

/** Lets nothing more of the asker reach one, once the request itself is settled. */
export function Block({ requester }: { requester: Peck['requester'] }) {
  const { display_name: name, duckling_id: id } = requester
  return (
    <Confirm
      trigger={`Block ${name}`}
      triggerKind="quiet"
      title={`Block ${name}?`}
      text="Nothing they or their agents ask reaches you any more. They are not told. What holds goes on until you revoke it."
    >
      <SayingForm action={blockDuckling} label={`Block ${name}`}>
        <input type="hidden" name="duckling_id" value={id} />
        <SubmitButton kind="danger">Block them</SubmitButton>
      </SayingForm>
    </Confirm>
  )
}
