import { TextField } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { renameChannel } from './actions'
import { FoldedForm } from './folded-form'
import type { Channel } from './read'

/** The folded form for the name of a channel. */
export function RenameForm(channel: Pick<Channel, 'channel_id' | 'name'>) {
  return (
    <FoldedForm
      {...channel}
      action={renameChannel}
      label={m.notifications_rename_name(channel)}
      title={m.notifications_rename()}
      button={m.notifications_save_name()}
    >
      <TextField
        label={m.notifications_name()}
        name="name"
        autoComplete="off"
        maxLength={64}
        defaultValue={channel.name}
        hint={m.notifications_name_hint()}
      />
    </FoldedForm>
  )
}
