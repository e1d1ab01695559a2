'use client'

import type { ReactNode } from 'react'
import { ButtonLink } from '@/components/ui/button'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { sendTestRequest } from './actions'

interface TestRequestProps {
  agentId: string
  agentName: string
  inboxQr: ReactNode
  /** Whether the test is the next step of the page. */
  isPrimary?: boolean
}

/** Has a test request sent, and then leads to it, on this device or on a phone. */
export function TestRequest({ agentId, agentName, inboxQr, isPrimary = false }: TestRequestProps) {
  return (
    <ActionForm
      action={sendTestRequest}
      label={m.agents_test_send()}
      after={({ data }) =>
        data ? (
          <div className="grid gap-4">
            <p role="status" className="font-semibold wrap-anywhere">
              {m.agents_test_arrived({ agentName })}
            </p>
            <p>
              <ButtonLink kind="primary" href={`/pecks/${data.peckId}`}>
                {m.agents_test_open()}
              </ButtonLink>
            </p>
            <div className="flex items-center gap-4 text-sm text-soft max-sm:hidden">
              {inboxQr}
              <p className="max-w-xs">{m.agents_test_scan()}</p>
            </div>
          </div>
        ) : null
      }
    >
      <p className="max-w-2xl text-sm text-soft">{m.agents_test_lead()}</p>
      <input type="hidden" name="agent_id" value={agentId} />
      <SubmitButton kind={isPrimary ? 'primary' : 'plain'} pending={m.agents_test_sending()}>
        {m.agents_test_send()}
      </SubmitButton>
    </ActionForm>
  )
}
