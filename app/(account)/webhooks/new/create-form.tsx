'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { ButtonLink } from '@/components/ui/button'
import { ActionForm } from '@/components/ui/form'
import { createWebhook, type WebhookSecret } from '../actions'
import { SecretOnce } from '../secret'

/** The form, and once it has been answered: the secret, and `receiver`, which shows what to do with it. */
export function CreateForm({ receiver, children }: { receiver: ReactNode; children: ReactNode }) {
  return (
    <ActionForm
      action={createWebhook}
      label="Add a webhook"
      after={({ data }) => (data ? <Created made={data}>{receiver}</Created> : null)}
    >
      {children}
    </ActionForm>
  )
}

function Created({ made, children }: { made: WebhookSecret; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="grid min-w-0 gap-10">
      <header>
        <h1 ref={heading} tabIndex={-1}>
          We will tell {new URL(made.url).host}
        </h1>
        <p className="mt-2 max-w-2xl text-soft">
          Give the secret to your receiver. Then send it a test and see what it answers.
        </p>
      </header>
      <SecretOnce secret={made.secret} title="Shown this once" isBelowFocus />
      <section aria-labelledby="receiver" className="min-w-0">
        <h2 id="receiver" className="mb-5">
          Check what arrives
        </h2>
        {children}
      </section>
      <p>
        <ButtonLink kind="primary" href={`/webhooks/${made.webhookId}`}>
          Go on to the test
        </ButtonLink>
      </p>
    </div>
  )
}
