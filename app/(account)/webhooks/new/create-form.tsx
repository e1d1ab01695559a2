'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { ButtonLink } from '@/components/ui/button'
import { ActionForm } from '@/components/ui/form'
import { createWebhook, type WebhookSecret } from '../actions'
import { NewSecret } from '../new-secret'

/** The form for a new webhook. After success, it shows the secret and `receiver`, which explains how to use the secret. */
export function CreateForm({ receiver, children }: { receiver: ReactNode; children: ReactNode }) {
  return (
    <ActionForm
      action={createWebhook}
      label="Add a webhook"
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
          Webhook to {new URL(webhook.url).host} added
        </h1>
        <p className="mt-2 max-w-2xl text-soft">
          Give the secret to your receiver. Then send a test and see what the receiver answers.
        </p>
      </header>
      <NewSecret secret={webhook.secret} title="Shown only once" keepsFocus />
      <section aria-labelledby="receiver" className="min-w-0">
        <h2 id="receiver" className="mb-5">
          Verify messages
        </h2>
        {children}
      </section>
      <p>
        <ButtonLink kind="primary" href={`/webhooks/${webhook.webhookId}`}>
          Continue to the test
        </ButtonLink>
      </p>
    </div>
  )
}
