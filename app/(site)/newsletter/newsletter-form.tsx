'use client'

import { ActionForm, SubmitButton, TextField } from '@/components/ui/form'
import { FormOutcome } from '../form-outcome'
import { subscribe, type Unconfirmed } from './actions'

/** Subscribes to the newsletter. The answer is the same for every email, so it does not reveal who is subscribed. */
export function NewsletterForm({ email }: { email: string | undefined }) {
  return (
    <ActionForm<Unconfirmed>
      action={subscribe}
      label="Subscribe to the newsletter"
      after={({ data }) => (data ? <ConfirmationSent {...data} /> : null)}
    >
      <TextField
        label="Your email address"
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={email}
      />
      <TextField
        label="I'm a partner"
        name="partner_type"
        optional
        autoComplete="off"
        hint="Which kind, for example press or ambassador. You get the newsletter for that kind of partner."
      />
      <SubmitButton pending="Sending …">Subscribe</SubmitButton>
    </ActionForm>
  )
}

function ConfirmationSent({ email }: Unconfirmed) {
  return (
    <FormOutcome title="Check your email to confirm.">
      <p>
        We have sent a link to <strong className="text-ink wrap-anywhere">{email}</strong>. Open it to confirm
        your subscription. We send at most one such email per hour.
      </p>
    </FormOutcome>
  )
}
