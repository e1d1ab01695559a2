'use client'

import type { ReactNode } from 'react'
import { ApproverReturn } from '@/app/_passkeys/approver-return'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Notice } from '@/components/ui/surface'
import { approvePeck } from './actions'

/** Approves with the signature of the approver. `children` lead on. */
export function DecideReturn({ viewer, children }: { viewer: string; children: ReactNode }) {
  const links = <div className="flex flex-wrap gap-3">{children}</div>
  return (
    <ApproverReturn
      viewer={viewer}
      form={({ peck_id = '', grant_expires_in = '', credential = '' }) => (
        <ActionForm
          action={approvePeck}
          label="Approve"
          keepsDraft={false}
          after={(state) => (
            <div className="grid justify-items-start gap-4">
              <Notice title={state.message || 'Answered'}>Your approver signed it.</Notice>
              {links}
            </div>
          )}
        >
          <input type="hidden" name="peck_id" value={peck_id} />
          <input type="hidden" name="grant_expires_in" value={grant_expires_in} />
          <input type="hidden" name="passkey" value={credential} />
          <SubmitButton>Approve</SubmitButton>
        </ActionForm>
      )}
    >
      {links}
    </ApproverReturn>
  )
}
