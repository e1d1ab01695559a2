'use client'

import { useEffect } from 'react'
import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { ActionForm, CheckField, SubmitButton, TextField } from '@/components/ui/form'
import { Card } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { type Decided, decideConsent } from './actions'

interface ConsentFormProps {
  request: string
  agentName: string
  /** What the program asks for besides asking. */
  optional: readonly (keyof typeof scopeWords)[]
}

const scopeWords = {
  'ask:others': { label: m.consent_ask_others, hint: m.consent_ask_others_hint },
  profile: { label: m.consent_profile, hint: m.consent_profile_hint },
  activity: { label: m.consent_activity, hint: m.consent_activity_hint },
}

/** What the program may do, as sentences to tick, and the decision. */
export function ConsentForm({ request, agentName, optional }: ConsentFormProps) {
  return (
    <ActionForm
      action={decideConsent}
      label={m.consent_may()}
      countsOnce={false}
      after={({ data }) => (data === undefined ? null : <Done {...data} name={agentName} />)}
    >
      <input type="hidden" name="request" value={request} />
      <fieldset className="grid gap-4">
        <legend className="mb-3 font-semibold">{m.consent_may()}</legend>
        <p className="grid gap-1">
          <span className="text-sm font-semibold">{m.consent_ask()}</span>
          <span className="text-sm text-soft">{m.consent_ask_hint()}</span>
        </p>
        {optional.map((scope) => (
          <CheckField
            key={scope}
            name={`scopes:${scope}`}
            label={scopeWords[scope].label()}
            hint={scopeWords[scope].hint()}
          />
        ))}
      </fieldset>
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
