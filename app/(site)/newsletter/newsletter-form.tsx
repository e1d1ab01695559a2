'use client'

import { Sentence } from '@/components/sentence'
import { ActionForm, SubmitButton, TextField } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { FormOutcome } from '../form-outcome'
import { subscribe, type Unconfirmed } from './actions'

/** Subscribes to the newsletter. The answer is the same for every email, so it does not reveal who is subscribed. */
export function NewsletterForm({ email }: { email: string | undefined }) {
  return (
    <ActionForm<Unconfirmed>
      action={subscribe}
      label={m.newsletter_subscribe_to_the_newsletter()}
      after={({ data }) => (data ? <ConfirmationSent {...data} /> : null)}
    >
      <TextField
        label={m.newsletter_your_email_address()}
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={email}
      />
      <TextField
        label={m.newsletter_im_a_partner()}
        name="partner_type"
        optional
        autoComplete="off"
        hint={m.newsletter_partner_kind_hint()}
      />
      <SubmitButton pending={m.newsletter_sending()}>{m.newsletter_subscribe()}</SubmitButton>
    </ActionForm>
  )
}

function ConfirmationSent({ email }: Unconfirmed) {
  return (
    <FormOutcome title={m.newsletter_check_your_email_to_confirm()}>
      <p>
        <Sentence
          of={m.newsletter_we_have_sent_link_email_open}
          with={{ email }}
          parts={{ strong: (children) => <strong className="text-ink wrap-anywhere">{children}</strong> }}
        />
      </p>
    </FormOutcome>
  )
}
