'use client'

import type { ReactNode } from 'react'
import { ActionForm, SubmitButton, useAnswer } from '@/components/ui/form'
import type { changeDetails, renameChannel } from './actions'
import type { Channel } from './read'

interface Props extends Pick<Channel, 'channel_id' | 'name'> {
  action: typeof changeDetails | typeof renameChannel
  /** What the form is called, with the name of the channel. */
  label: string
  title: string
  button: string
  children: ReactNode
}

/** A folded form about a channel. It stays open after an answer, so that the focus is not lost. */
export function FoldedForm({ channel_id: id, action, label, ...folded }: Props) {
  return (
    <ActionForm action={action} label={label} className="has-[details[open]]:basis-full">
      <input type="hidden" name="channel_id" value={id} />
      <Folded {...folded} />
    </ActionForm>
  )
}

function Folded({ name, title, button, children }: Omit<Props, 'channel_id' | 'action' | 'label'>) {
  const { status } = useAnswer()
  return (
    <details open={status !== 'idle'}>
      <summary className="inline-flex min-h-11 cursor-pointer list-none items-center px-1 text-sm font-semibold underline decoration-line hover:decoration-ink [&::-webkit-details-marker]:hidden">
        {title}
        <span translate="no" className="sr-only">
          {' '}
          {name}
        </span>
      </summary>
      <div className="mt-2 grid max-w-md gap-4">
        {children}
        <SubmitButton kind="plain">{button}</SubmitButton>
      </div>
    </details>
  )
}
