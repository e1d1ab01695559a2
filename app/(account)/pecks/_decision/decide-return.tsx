'use client'

import type { ReactNode } from 'react'
import { ApproverReturn } from '@/app/_passkeys/approver-return'
import { ActionForm, SubmitButton, useAnswer } from '@/components/ui/form'
import { Notice } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { approvePeck, rejectPeck } from './actions'
import { rejectionFields } from './rejection-terms'

const decisions = {
  approve: {
    action: approvePeck,
    get label() {
      return m.decision_approve()
    },
    sent: ['grant_expires_in'],
  },
  reject: {
    action: rejectPeck,
    get label() {
      return m.decision_reject()
    },
    sent: rejectionFields,
  },
}

/** Sends the decision with the signature of the approver. `children` lead on. */
export function DecideReturn({ viewer, children }: { viewer: string; children: ReactNode }) {
  const links = <div className="flex flex-wrap gap-3">{children}</div>
  return (
    <ApproverReturn
      viewer={viewer}
      form={({ peck_id = '', credential = '', ...fields }, purpose) => {
        // The page of the settings takes the answer of an enrolment.
        if (purpose === 'enrol') return links
        const { action, label, sent } = decisions[purpose]
        return (
          <ActionForm
            action={action}
            label={label}
            keepsDraft={false}
            after={(state) => (
              <div className="grid justify-items-start gap-4">
                <Notice title={state.message || m.decision_answered()}>
                  {m.decision_your_approver_signed_it()}
                </Notice>
                {links}
              </div>
            )}
          >
            <input type="hidden" name="peck_id" value={peck_id} />
            <input type="hidden" name="passkey" value={credential} />
            {sent
              .filter((name) => fields[name])
              .map((name) => (
                <input key={name} type="hidden" name={name} value={fields[name]} />
              ))}
            <div className="flex flex-wrap gap-3">
              <SubmitButton>{label}</SubmitButton>
              <AfterFailure>{children}</AfterFailure>
            </div>
          </ActionForm>
        )
      }}
    >
      {links}
    </ApproverReturn>
  )
}

/** A challenge can be spent by a failure, so the person may have to start again. */
function AfterFailure({ children }: { children: ReactNode }) {
  return useAnswer().status === 'failed' ? children : null
}
