'use client'

import { ActionForm, SubmitButton, TextField } from '@/components/ui/form'
import { Outcome } from '../outcome'
import { type Asked, subscribe } from './actions'

/** Asks for the newsletter. What happens next is the same for every address, so the answer gives nobody away. */
export function NewsletterForm({ email }: { email: string | undefined }) {
  return (
    <ActionForm<Asked>
      action={subscribe}
      label="Subscribe to the newsletter"
      after={({ data }) => (data ? <Sent {...data} /> : null)}
    >
      <TextField
        label="Your e-mail address"
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={email}
      />
      <TextField
        label="You come as a partner"
        name="partner_type"
        optional
        autoComplete="off"
        hint="Then say as what, for instance press or ambassador, and you get that list."
      />
      <SubmitButton pending="Sending …">Subscribe</SubmitButton>
    </ActionForm>
  )
}

function Sent({ email }: Asked) {
  return (
    <Outcome title="One more step, in your mail.">
      <p>
        A letter is on its way to <strong className="text-ink wrap-anywhere">{email}</strong>. Follow its link
        to confirm; without that, nothing will come. At most one such letter leaves in an hour.
      </p>
    </Outcome>
  )
}
