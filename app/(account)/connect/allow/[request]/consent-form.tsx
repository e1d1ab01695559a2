'use client'

import { useEffect } from 'react'
import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { ActionForm, SubmitButton, TextField } from '@/components/ui/form'
import { Card } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { ScopeTicks } from '../scope-ticks'
import { type Decided, decideConsent } from './actions'

interface ConsentFormProps {
  request: string
  agentName: string
  /** What the program asks for. */
  offered: Parameters<typeof ScopeTicks>[0]['offered']
}

/** What the program may do, as sentences to tick, and the decision. */
export function ConsentForm({ request, agentName, offered }: ConsentFormProps) {
  return (
    <ActionForm
      action={decideConsent}
      label={m.consent_may()}
      countsOnce={false}
      after={({ data }) => (data === undefined ? null : <Done {...data} name={agentName} />)}
    >
      <input type="hidden" name="request" value={request} />
      <ScopeTicks offered={offered} ticked={[]} />
      <TextField
        label={m.consent_agent_name()}
        hint={m.consent_agent_name_hint()}
        name="agent_name"
        defaultValue={agentName}
        autoComplete="off"
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton name="decision" value="allow">
          {m.consent_allow()}
        </SubmitButton>
        <SubmitButton kind="quiet" name="decision" value="deny">
          {m.consent_deny()}
        </SubmitButton>
      </div>
    </ActionForm>
  )
}

/**
 * Leads back to the program. A form that redirects to another site is stopped by the policy of the page (`form-action`), so the browser goes on
 * from here, or the person with the link.
 */
function Done({ decision, next, name }: Decided & { name: string }) {
  useEffect(() => window.location.assign(next), [next])
  return (
    <Card className="grid justify-items-start gap-4">
      <h2 role="status" className="wrap-anywhere">
        {decision === 'allowed' ? <Sentence of={m.consent_allowed} with={{ name }} /> : m.consent_denied()}
      </h2>
      <p>{decision === 'allowed' ? m.consent_allowed_next() : m.consent_denied_next()}</p>
      <ButtonLink href={next}>{m.consent_continue()}</ButtonLink>
    </Card>
  )
}
