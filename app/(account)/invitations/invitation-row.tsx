import type { ResponseOf } from '@/app/beak/_api/lines'
import { QrCode } from '@/components/qr-code'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { CopyBlock } from '@/components/ui/copy'
import { SubmitButton } from '@/components/ui/form'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { quotedAction } from '@/lib/kernel/text/shown-action'
import { revokeInvitation } from './actions'

type Invitation = ResponseOf<'GET /beak/invitation/list'>['items'][number]

const statusLabels: Record<Invitation['status'], () => string> = {
  active: m.invitations_status_active,
  revoked: m.invitations_status_revoked,
  used_up: m.invitations_status_used_up,
  expired: m.invitations_status_expired,
}

/** One link: what it allows, how often it was used and, while it works, the link itself. */
export function InvitationRow({ invitation, now }: { invitation: Invitation; now: Date }) {
  const { status, url, note, created_at: createdAt, expires_at: expiresAt } = invitation
  return (
    <li className="grid gap-4 border-t border-line py-6 first:border-t-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="min-w-0 text-lg wrap-anywhere">
          <bdi translate="no">{note ?? m.invitations_without_note()}</bdi>
        </h3>
        <Pill tone={status === 'active' ? 'good' : 'neutral'}>{statusLabels[status]()}</Pill>
      </div>
      <p className="text-sm text-soft wrap-anywhere">
        {allowsText(invitation)}{' '}
        <Sentence of={m.invitations_made_at} parts={{ time: () => <Time at={createdAt} now={now} /> }} />
        {expiresAt === null || status !== 'active' ? null : (
          <>
            {' '}
            <Sentence of={m.invitations_ends_at} parts={{ time: () => <Time at={expiresAt} now={now} /> }} />
          </>
        )}
      </p>
      {url === null ? null : <WorkingLink invitation={invitation} url={url} />}
    </li>
  )
}

function allowsText({ uses, used, action, agent_id: agentId }: Invitation): string {
  const counted = uses === null ? m.invitations_used({ used }) : m.invitations_used_of({ used, uses })
  const limits = [
    ...(action === null ? [] : [m.invitations_allows_action({ action: quotedAction(action, 'your') })]),
    ...(agentId === null ? [] : [m.invitations_allows_agent({ agent: agentId })]),
  ]
  return [counted, ...limits].join(' ')
}

function WorkingLink({ invitation, url }: { invitation: Invitation; url: string }) {
  return (
    <div className="flex flex-wrap items-start gap-4">
      <QrCode text={url} label={m.invitations_qr()} size={112} />
      <div className="grid min-w-0 grow gap-3">
        <CopyBlock text={url} label={m.invitations_link()} copyLabel={m.invitations_copy_link()} />
        <div>
          <Confirm
            trigger={m.invitations_revoke()}
            triggerKind="plain"
            title={m.invitations_revoke_title()}
            text={m.invitations_revoke_text()}
          >
            <AnnouncedForm action={revokeInvitation} label={m.invitations_revoke_title()}>
              <input type="hidden" name="invitation_id" value={invitation.invitation_id} />
              <SubmitButton kind="danger">{m.invitations_revoke()}</SubmitButton>
            </AnnouncedForm>
          </Confirm>
        </div>
      </div>
    </div>
  )
}
