'use client'

import type { ReactNode } from 'react'
import { ActionForm } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { NewSecret } from '../webhooks/new-secret'
import { addChannel } from './actions'

/** Adds a webhook as a channel. Its signing secret is shown once, in place of the form. */
export function AddWebhook({ children }: { children: ReactNode }) {
  return (
    <ActionForm
      action={addChannel}
      label={m.notifications_kind_webhook()}
      keepsDraft={false}
      after={({ data }) =>
        data?.secret ? <NewSecret secret={data.secret} title={m.notifications_secret_shown_once()} /> : null
      }
    >
      {children}
    </ActionForm>
  )
}
