'use client'

import type { ReactNode } from 'react'
import { ApproverReturn } from '@/app/_passkeys/approver-return'
import { KeptText } from '@/components/kept-text'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Notice } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { finishApprover } from './approver-actions'

/** Stores the passkey that the approver made. */
export function EnrolReturn({ viewer, children }: { viewer: string; children: ReactNode }) {
  return (
    <ApproverReturn
      viewer={viewer}
      form={({ covers = 'high', credential = '' }) => (
        <ActionForm
          action={finishApprover}
          label={m.security_set_the_approver()}
          keepsDraft={false}
          after={(state) => (
            <div className="grid justify-items-start gap-4">
              <Notice title={m.security_your_approver_is_set()}>
                <KeptText text={state.message} />
              </Notice>
              {children}
            </div>
          )}
        >
          <input type="hidden" name="covers" value={covers} />
          <input type="hidden" name="credential" value={credential} />
          <SubmitButton>{m.security_set_the_approver()}</SubmitButton>
        </ActionForm>
      )}
    >
      {children}
    </ApproverReturn>
  )
}
