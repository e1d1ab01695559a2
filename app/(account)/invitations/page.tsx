import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/read'
import { requireViewer } from '@/app/_web/viewer'
import { Announcements } from '@/components/ui/announcements'
import { ActionForm, SelectField, SubmitButton, TextField } from '@/components/ui/form'
import { Card, Empty, PageHead, Section } from '@/components/ui/surface'
import { readClock } from '@/lib/kernel/clock'
import { m } from '@/lib/kernel/messages'
import { ActionField } from '../pecks/_forms/action-field'
import { Pager } from '../pecks/_list/pager'
import { createInvitation } from './actions'
import { InvitationRow } from './invitation-row'

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

function NewInvitation() {
  return (
    <ActionForm action={createInvitation} label={m.invitations_new_link()}>
      <TextField
        label={m.invitations_note()}
        name="note"
        optional
        maxLength={280}
        hint={m.invitations_note_hint()}
      />
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
      <SubmitButton pending={m.invitations_making()}>{m.invitations_make_link()}</SubmitButton>
    </ActionForm>
  )
}
