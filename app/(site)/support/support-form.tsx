'use client'

import { useState } from 'react'
import { withBasePath } from '@/components/base-path'
import { buttonClass } from '@/components/ui/button'
import { ActionForm, SubmitButton, TextArea, TextField } from '@/components/ui/form'
import { FormOutcome } from '../form-outcome'
import { contactSupport, type Ticket } from './actions'

const most = 5000

/** Sends a message to support, and shows the number of its ticket. */
export function SupportForm({ email }: { email: string | undefined }) {
  return (
    <ActionForm<Ticket>
      action={contactSupport}
      label="Contact support"
      after={({ data }) => (data ? <MessageSent ticket={data} /> : null)}
    >
      <TextField
        label="Your email address"
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={email}
        hint="We answer there."
      />
      <MessageField />
      <SubmitButton pending="Sending …">Send message</SubmitButton>
    </ActionForm>
  )
}

/** Counts characters. Accepts text that is too long, so that pasting never cuts it. */
function MessageField() {
  const [length, setLength] = useState(0)
  const excess = length - most
  return (
    <div>
      <TextArea
        label="Message"
        name="message"
        rows={9}
        hint="Don't send codes, keys or passwords. We never need them."
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

function MessageSent({ ticket }: { ticket: Ticket }) {
  return (
    <FormOutcome title="We got your message.">
      <p>
        We will answer to <strong className="text-ink wrap-anywhere">{ticket.email}</strong>. If you write
        again about this, include this number:
      </p>
      <p className="mt-4 font-mono text-ink wrap-anywhere">{ticket.ticketId}</p>
      <a href={withBasePath('/support')} className={buttonClass('plain', 'mt-6')}>
        Write another message
      </a>
    </FormOutcome>
  )
}
