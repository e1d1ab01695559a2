'use client'

import { ActionForm, SubmitButton, TextField, useAnswer } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { renameChannel } from './actions'
import type { Channel } from './read'

/** The folded form for the name of a channel. It stays open after an answer, so that the focus is not lost. */
export function RenameForm({ channel_id: id, name }: Pick<Channel, 'channel_id' | 'name'>) {
  return (
    <ActionForm
      action={renameChannel}
      label={m.notifications_rename_name({ name })}
      className="has-[details[open]]:basis-full"
    >
      <input type="hidden" name="channel_id" value={id} />
      <Folded name={name} />
    </ActionForm>
  )
}

function Folded({ name }: { name: string }) {
  const { status } = useAnswer()
  return (
    <details open={status !== 'idle'}>
      <summary className="inline-flex min-h-11 cursor-pointer list-none items-center px-1 text-sm font-semibold underline decoration-line hover:decoration-ink [&::-webkit-details-marker]:hidden">
        {m.notifications_rename()}
        <span className="sr-only"> {name}</span>
      </summary>
      <div className="mt-2 grid max-w-md gap-4">
        <TextField
          label={m.notifications_name()}
          name="name"
          autoComplete="off"
          maxLength={64}
          defaultValue={name}
          hint={m.notifications_name_hint()}
        />
        <SubmitButton kind="plain">{m.notifications_save_name()}</SubmitButton>
      </div>
    </details>
  )
}
