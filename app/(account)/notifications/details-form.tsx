import { CheckField } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { changeDetails } from './actions'
import { FoldedForm } from './folded-form'
import type { Channel } from './read'
import { type MessageKind, readers } from './words'

/** The box that decides whether messages on a channel name the amount or the target. Says who can read them. */
export function DetailsField({ kind, details }: { kind: MessageKind; details: boolean }) {
  return (
    <CheckField
      label={m.notifications_include_amount_or_target()}
      name="details"
      defaultChecked={details}
      hint={readers[kind]()}
    />
  )
}

/** The folded form for the details of a channel. */
export function DetailsForm({
  channel: { channel_id, name, details },
  kind,
}: {
  channel: Pick<Channel, 'channel_id' | 'name' | 'details'>
  kind: MessageKind
}) {
  return (
    <FoldedForm
      channel_id={channel_id}
      name={name}
      action={changeDetails}
      label={m.notifications_details_of_name({ name })}
      title={m.notifications_details()}
      button={m.notifications_save_details()}
    >
      <DetailsField kind={kind} details={details} />
    </FoldedForm>
  )
}
