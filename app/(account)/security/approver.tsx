import type { ResponseOf } from '@/app/beak/_api/lines'
import { AnnouncedForm } from '@/components/ui/announcements'
import { SubmitButton } from '@/components/ui/form'
import { Notice } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { keepApprover, removeApprover } from './approver-actions'
import { SetApprover } from './set-approver'

type Approver = ResponseOf<'GET /beak/approver/view'>['approver']

/** The approver of the account, or the form that sets one. */
export function ApproverSection({
  approver,
  viewer,
  now,
}: {
  approver: Approver
  viewer: string
  now: Date
}) {
  if (approver === null)
    return (
      <>
        <ul className="mb-6 grid max-w-prose list-disc gap-1.5 ps-5 text-sm marker:text-soft">
          <li>The approver shows what you really sign. No page of Beak can change that.</li>
          <li>It needs a host that is not Beak's: your own computer (npm run approver), or any web host.</li>
          <li>If you lose it, its removal takes 24 hours.</li>
        </ul>
        <SetApprover viewer={viewer} />
      </>
    )
  return (
    <div className="grid justify-items-start gap-4">
      <p>
        <code className="wrap-anywhere">{approver.origin}</code> approves{' '}
        {approver.covers === 'all' ? 'everything' : 'high risks'}, since{' '}
        <Time at={approver.created_at} now={now} />.
      </p>
      {approver.removes_at === null ? (
        <AnnouncedForm action={removeApprover} label="Remove the approver">
          <SubmitButton kind="danger">Remove it in 24 hours</SubmitButton>
        </AnnouncedForm>
      ) : (
        <>
          <Notice tone="warn" title="A removal is pending">
            The approver will be removed on <Time at={approver.removes_at} />. We have told all your sessions,
            email addresses and webhooks.
          </Notice>
          <AnnouncedForm action={keepApprover} label="Keep the approver">
            <SubmitButton>Keep it</SubmitButton>
          </AnnouncedForm>
        </>
      )}
    </div>
  )
}
