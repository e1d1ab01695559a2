import type { ResponseOf } from '@/app/beak/_api/lines'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm } from '@/components/ui/announcements'
import { SubmitButton } from '@/components/ui/form'
import { Notice } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
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
          <li>{m.security_approver_section_intro()}</li>
          <li>{m.security_approver_host_hint()}</li>
          <li>{m.security_approver_loss_note()}</li>
        </ul>
        <SetApprover viewer={viewer} />
      </>
    )
  const removesAt = approver.removes_at
  return (
    <div className="grid justify-items-start gap-4">
      <p>
        <Sentence
          of={
            approver.covers === 'all' ? m.security_approver_approves_all : m.security_approver_approves_high
          }
          parts={{
            origin: () => (
              <code translate="no" className="wrap-anywhere">
                {approver.origin}
              </code>
            ),
            time: () => <Time at={approver.created_at} now={now} />,
          }}
        />
      </p>
      {removesAt === null ? (
        <AnnouncedForm action={removeApprover} label={m.security_remove_the_approver()}>
          <SubmitButton kind="danger">{m.security_remove_it_in_24_hours()}</SubmitButton>
        </AnnouncedForm>
      ) : (
        <>
          <Notice tone="warn" title={m.security_a_removal_is_pending()}>
            <Sentence
              of={m.security_approver_removal_pending_note}
              parts={{ time: () => <Time at={removesAt} /> }}
            />
          </Notice>
          <AnnouncedForm action={keepApprover} label={m.security_keep_the_approver()}>
            <SubmitButton>{m.security_keep_it()}</SubmitButton>
          </AnnouncedForm>
        </>
      )}
    </div>
  )
}
