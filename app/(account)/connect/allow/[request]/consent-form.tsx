'use client'

import { useEffect, useRef } from 'react'
import { withBasePath } from '@/components/base-path'
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
  /** Whether the program runs on this device, so that its page may open in a tab of its own. */
  isHere: boolean
  /** What the program asks for. */
  offered: Parameters<typeof ScopeTicks>[0]['offered']
  /** What it may do already. */
  ticked: Parameters<typeof ScopeTicks>[0]['ticked']
}

/** What the program may do, as sentences to tick, and the decision. */
export function ConsentForm({ request, agentName, isHere, offered, ticked }: ConsentFormProps) {
  return (
    <ActionForm
      action={decideConsent}
      label={m.consent_may()}
      countsOnce={false}
      after={({ data }) => (data === undefined ? null : <Done {...data} name={agentName} isHere={isHere} />)}
    >
      <input type="hidden" name="request" value={request} />
      <ScopeTicks offered={offered} ticked={ticked}>
        <TextField
          label={m.consent_agent_name()}
          hint={m.consent_agent_name_hint()}
          name="agent_name"
          defaultValue={agentName}
          autoComplete="off"
        />
      </ScopeTicks>
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
 * from here, or the person with the link. A program on this device only says that its tab can be closed, so it gets a tab of its own, and this
 * one says what to say to the program.
 */
function Done({ decision, next, agentId, name, isHere }: Decided & { name: string; isHere: boolean }) {
  const hasLeft = useRef(false)
  useEffect(() => {
    if (hasLeft.current) return
    hasLeft.current = true
    // Null when the browser opens no tab, because the last tap was too long ago.
    const tab = isHere && agentId !== null ? window.open(next) : null
    if (tab !== null) tab.opener = null
    window.location.assign(tab === null ? next : withBasePath(`/connect/first/${agentId}`))
  }, [next, agentId, isHere])
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
