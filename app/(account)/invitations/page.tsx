import type { Metadata } from 'next'
import { BuildersOnly } from '@/app/_shell/builders-only'
import { withProblemPage } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/page-read'
import { requireViewer } from '@/app/_web/viewer'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { KeptText } from '@/components/kept-text'
import { QrCode } from '@/components/qr-code'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm, Announcements } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { ConfirmButtons } from '@/components/ui/confirm-buttons'
import { ActionForm, SelectField, SubmitButton, TextField } from '@/components/ui/form'
import { Card, Empty, PageHead, Pill, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { keptText } from '@/lib/kernel/text/kept-values'
import { quotedAction } from '@/lib/kernel/text/shown-action'
import { ActionField } from '../pecks/_forms/action-field'
import { Pager } from '../pecks/_list/pager'
import { createInvitation, revokeInvitation } from './actions'
import { LinkToShare, MadeLink } from './made-link'

type Invitation = ResponseOf<'GET /beak/invitation/list'>['items'][number]

const statusLabels: Record<Invitation['status'], () => string> = {
  active: m.invitations_status_active,
  revoked: m.invitations_status_revoked,
  used_up: m.invitations_status_used_up,
  expired: m.invitations_status_expired,
}

/** One link: what it allows, how often it was used and, while it works, the link itself. */
function InvitationRow({ invitation, now }: { invitation: Invitation; now: Date }) {
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
        <KeptText text={allowsText(invitation)} />{' '}
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
    ...(action === null
      ? []
      : [keptText(m.invitations_allows_action, { action: quotedAction(action, 'your') })]),
    ...(agentId === null ? [] : [keptText(m.invitations_allows_agent, { agent: agentId })]),
  ]
  return [counted, ...limits].join(' ')
}

function WorkingLink({ invitation, url }: { invitation: Invitation; url: string }) {
  return (
    <div className="grid min-w-0 gap-3">
      <LinkToShare url={url} />
      <details>
        <summary className="inline-flex min-h-11 items-center text-sm underline decoration-line hover:decoration-ink">
          {m.invitations_qr_show()}
        </summary>
        <QrCode text={url} label={m.invitations_qr()} size={168} />
      </details>
      <div>
        <Confirm
          trigger={m.invitations_revoke()}
          triggerKind="plain"
          title={m.invitations_revoke_title()}
          text={m.invitations_revoke_text()}
        >
          <AnnouncedForm action={revokeInvitation} label={m.invitations_revoke_title()}>
            <input type="hidden" name="invitation_id" value={invitation.invitation_id} />
            <ConfirmButtons>{m.invitations_revoke()}</ConfirmButtons>
          </AnnouncedForm>
        </Confirm>
      </div>
    </div>
  )
}

export const generateMetadata = (): Metadata => ({
  title: m.invitations_invitation_links(),
  robots: { index: false },
})

/** The links with which strangers may ask the viewer. */
export default withProblemPage(async function InvitationsPage({
  searchParams,
}: {
  searchParams: Promise<{ cursor?: string }>
}) {
  await requireViewer('/invitations')
  const cursor = String((await searchParams).cursor ?? '')
  const { items, next_cursor: next } = await read('GET /beak/invitation/list', { query: { cursor } })
  const now = readClock()
  return (
    <>
      <PageHead title={m.invitations_invitation_links()} lead={m.invitations_lead()} />
      <Card className="mb-12 max-w-2xl">
        <NewInvitation />
      </Card>
      <Section id="links" title={m.invitations_your_links()}>
        <Announcements>
          {items.length === 0 ? (
            <Empty title={m.invitations_no_links_yet()}>{m.invitations_no_links_text()}</Empty>
          ) : (
            <ul aria-label={m.invitations_your_links()}>
              {items.map((invitation) => (
                <InvitationRow key={invitation.invitation_id} invitation={invitation} now={now} />
              ))}
            </ul>
          )}
        </Announcements>
        <Pager here="/invitations" cursor={cursor} next={next} />
      </Section>
    </>
  )
})

const times = [
  { seconds: 86_400, label: () => m.common_count_days({ count: 1 }) },
  { seconds: 604_800, label: () => m.common_count_days({ count: 7 }) },
  { seconds: 2_592_000, label: () => m.common_count_days({ count: 30 }) },
]

/** One tap makes a link that works for everybody who has it. What limits it is folded. */
function NewInvitation() {
  return (
    <ActionForm action={createInvitation} label={m.invitations_new_link()}>
      <SubmitButton pending={m.invitations_making()}>{m.invitations_make_link()}</SubmitButton>
      <MadeLink />
      <details>
        <summary className="inline-flex min-h-11 items-center text-sm underline decoration-line hover:decoration-ink">
          {m.invitations_more()}
        </summary>
        <div className="mt-3 grid gap-5">
          <TextField
            label={m.invitations_note()}
            name="note"
            optional
            maxLength={280}
            hint={m.invitations_note_hint()}
          />
          <Limits />
          <BuildersOnly>
            <ForPrograms />
          </BuildersOnly>
        </div>
      </details>
    </ActionForm>
  )
}

function Limits() {
  return (
    <>
      <SelectField label={m.invitations_uses()} name="uses" defaultValue="">
        <option value="">{m.invitations_any_number()}</option>
        <option value="1">{m.invitations_one_request()}</option>
        <option value="10">{m.invitations_ten_requests()}</option>
      </SelectField>
      <SelectField label={m.invitations_works_for()} name="expires_in" defaultValue="">
        <option value="">{m.invitations_until_revoked()}</option>
        {times.map(({ seconds, label }) => (
          <option key={seconds} value={seconds}>
            {label()}
          </option>
        ))}
      </SelectField>
    </>
  )
}

function ForPrograms() {
  return (
    <>
      <ActionField label={m.invitations_only_action()} hint={m.invitations_only_action_hint()} optional />
      <TextField
        label={m.invitations_only_agent()}
        name="agent_id"
        optional
        className="font-mono"
        autoComplete="off"
        spellCheck={false}
        maxLength={80}
        hint={m.invitations_only_agent_hint()}
      />
    </>
  )
}
