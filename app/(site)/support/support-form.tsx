'use client'

import { useState } from 'react'
import { withBasePath } from '@/app/_web/base-path'
import { buttonClass } from '@/components/ui/button'
import { ActionForm, SubmitButton, TextArea, TextField } from '@/components/ui/form'
import { Outcome } from '../outcome'
import { contactSupport, type Ticket } from './actions'

const most = 5000

/** Writes to support, and says under which number the letter has arrived. */
export function SupportForm({ email }: { email: string | undefined }) {
  return (
    <ActionForm<Ticket>
      action={contactSupport}
      label="Write to support"
      after={({ data }) => (data ? <Arrived ticket={data} /> : null)}
    >
      <TextField
        label="Your e-mail address"
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={email}
        hint="We answer there."
      />
      <MessageField />
      <SubmitButton pending="Sending …">Send</SubmitButton>
    </ActionForm>
  )
}

/** Counts along, and takes what is too long as well: nobody's text is cut while they paste it. */
function MessageField() {
  const [length, setLength] = useState(0)
  const excess = length - most
  return (
    <div>
      <TextArea
        label="Message"
        name="message"
        rows={9}
        hint="Never a code, a key or a password: we do not need them."
        onInput={(event) => setLength(event.currentTarget.value.trim().length)}
      />
      <p
        aria-hidden="true"
        className={`mt-1.5 text-end text-sm tabular-nums ${excess > 0 ? 'text-bad' : 'text-soft'}`}
      >
        {length.toLocaleString('en-GB')} of {most.toLocaleString('en-GB')} characters
      </p>
      <p role="status" className="visually-hidden">
        {excess > 0 ? `Too long: at most ${most} characters.` : ''}
      </p>
    </div>
  )
}

function Arrived({ ticket }: { ticket: Ticket }) {
  return (
    <Outcome title="Your letter has arrived.">
      <p>
        We answer to <strong className="text-ink wrap-anywhere">{ticket.email}</strong>. If you write again
        about this, name its number:
      </p>
      <p className="mt-4 font-mono text-ink wrap-anywhere">{ticket.ticketId}</p>
      <a href={withBasePath('/support')} className={buttonClass('plain', 'mt-6')}>
        Write another
      </a>
    </Outcome>
  )
}
