'use client'

import { useState } from 'react'
import { withBasePath } from '@/components/base-path'
import { Sentence } from '@/components/sentence'
import { buttonClass } from '@/components/ui/button'
import { ActionForm, SubmitButton, TextArea, TextField } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'
import { FormOutcome } from '../form-outcome'
import { contactSupport, type Ticket } from './actions'

const most = 5000

/** Sends a message to support, and shows the number of its ticket. */
export function SupportForm({ email }: { email: string | undefined }) {
  return (
    <ActionForm<Ticket>
      action={contactSupport}
      label={m.support_contact_support()}
      after={({ data }) => (data ? <MessageSent ticket={data} /> : null)}
    >
      <TextField
        label={m.support_your_email_address()}
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={email}
        hint={m.support_we_answer_there()}
      />
      <MessageField />
      <SubmitButton pending={m.support_sending()}>{m.support_send_message()}</SubmitButton>
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
        label={m.support_message()}
        name="message"
        rows={9}
        hint={m.support_secrets_warning()}
        onInput={(event) => setLength(event.currentTarget.value.trim().length)}
      />
      <p
        aria-hidden="true"
        className={`mt-1.5 text-end text-sm tabular-nums ${excess > 0 ? 'text-bad' : 'text-soft'}`}
      >
        {m.support_count_of_most_characters({
          count: length.toLocaleString(readersLocale()),
          most: most.toLocaleString(readersLocale()),
        })}
      </p>
      <p role="status" className="visually-hidden">
        {excess > 0 ? m.support_too_long_at_most_most_characters({ most }) : ''}
      </p>
    </div>
  )
}

function MessageSent({ ticket }: { ticket: Ticket }) {
  return (
    <FormOutcome title={m.support_we_got_your_message()}>
      <p>
        <Sentence
          of={m.support_we_will_answer_email_if_you}
          with={{ email: ticket.email }}
          parts={{ strong: (children) => <strong className="text-ink wrap-anywhere">{children}</strong> }}
        />
      </p>
      <p translate="no" className="mt-4 font-mono text-ink wrap-anywhere">
        {ticket.ticketId}
      </p>
      <a href={withBasePath('/support')} className={buttonClass('plain', 'mt-6')}>
        {m.support_write_another_message()}
      </a>
    </FormOutcome>
  )
}
