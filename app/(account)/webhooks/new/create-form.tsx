'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { ActionForm } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { createWebhook, type WebhookSecret } from '../actions'
import { NewSecret } from '../new-secret'

/** The form for a new webhook. After success, it shows the secret and `receiver`, which explains how to use the secret. */
export function CreateForm({ receiver, children }: { receiver: ReactNode; children: ReactNode }) {
  return (
    <ActionForm
      action={createWebhook}
      label={m.webhooks_add_a_webhook()}
      after={({ data }) => (data ? <Created webhook={data}>{receiver}</Created> : null)}
    >
      {children}
    </ActionForm>
  )
}

function Created({ webhook, children }: { webhook: WebhookSecret; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="grid min-w-0 gap-10">
      <header>
        <h1 ref={heading} tabIndex={-1} className="wrap-anywhere">
          <Sentence of={m.webhooks_webhook_to_host_added} with={{ host: new URL(webhook.url).host }} />
        </h1>
        <p className="mt-2 max-w-2xl text-soft">{m.webhooks_added_next_step()}</p>
      </header>
      <NewSecret secret={webhook.secret} title={m.webhooks_shown_only_once()} keepsFocus />
      <section aria-labelledby="receiver" className="min-w-0">
        <h2 id="receiver" className="mb-5">
          {m.webhooks_verify_messages()}
        </h2>
        {children}
      </section>
      <p>
        <ButtonLink kind="primary" href={`/webhooks/${webhook.webhookId}`}>
          {m.webhooks_continue_to_the_test()}
        </ButtonLink>
      </p>
    </div>
  )
}
