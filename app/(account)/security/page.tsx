import { SquareTerminal } from 'lucide'
import type { Metadata } from 'next'
import { headers } from 'next/headers'
import Link from 'next/link'
import { AddPasskey } from '@/app/_passkeys/add-passkey'
import { withProblemPage } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/page-read'
import { findPending } from '@/app/_web/passkeys'
import { requireViewer } from '@/app/_web/viewer'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { FocusTarget } from '@/components/focus-target'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm, Announcements } from '@/components/ui/announcements'
import { FoldedSection } from '@/components/ui/folded-section'
import { SubmitButton } from '@/components/ui/form'
import { Icon } from '@/components/ui/icon'
import { SplitSection } from '@/components/ui/split-section'
import { Notice, PageHead } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { knownDevice } from '@/lib/kernel/request/device'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { tierLabel, tierWords } from '@/lib/kernel/text/tier-words'
import { isConnected } from '../agents/read'
import { endSessions, keepNewEmail } from './actions'
import { ApproverSection } from './approver'
import { NextStep } from './next-step'
import { Passkeys } from './passkeys'
import { Recovery, RecoveryOutcome } from './recovery'
import { findRestored } from './restored/read'
import { Sessions } from './sessions'
import { SignedInSites } from './signed-in'
import { TierLadder } from './tier-ladder'

type Device = ResponseOf<'GET /beak/session/list'>['approved_devices'][number]

/** The devices that the person approved and that have not signed in yet. Shows nothing without one. */
function ApprovedDevices({ devices, now }: { devices: Device[]; now: Date }) {
  if (devices.length === 0) return null
  return (
    <section aria-labelledby="approved-devices" className="mb-8">
      <h3 id="approved-devices" className="text-base">
        {m.security_approved_not_signed_in_yet()}
      </h3>
      <ul className="divide-y divide-line border-b border-line">
        {devices.map(({ device_request_id: id, client_name: name, ip, expires_at }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-5 gap-y-3 py-4">
            <Icon of={SquareTerminal} size={20} className="shrink-0 text-soft" />
            <div className="min-w-0 flex-1 basis-48">
              <h4 translate="no" className="text-base wrap-anywhere">
                “{name}”
              </h4>
              <p className="text-sm text-soft wrap-anywhere">
                <Sentence
                  of={ip ? m.security_can_sign_in_until_from : m.security_can_sign_in_until}
                  with={{ ip: ip ?? '' }}
                  parts={{ time: () => <Time at={expires_at} now={now} /> }}
                />
              </p>
            </div>
            <AnnouncedForm action={endSessions}>
              <input type="hidden" name="device_request_id" value={id} />
              <SubmitButton kind="plain">
                <Sentence
                  of={m.security_take_back_approval_name}
                  with={{ name }}
                  parts={{ span: (children) => <span className="visually-hidden">{children}</span> }}
                />
              </SubmitButton>
            </AnnouncedForm>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The waiting undo of a change of address: what will happen, and the form that cancels it with an older passkey. */
function PendingUndo({ restoresAt }: { restoresAt: string | null }) {
  return (
    <Announcements>
      {restoresAt === null ? null : (
        <SplitSection
          id="email-undo"
          title={m.security_undo_of_your_email_change()}
          lead={m.security_email_undo_pending_origin()}
        >
          <p className="mb-5">
            <Sentence
              of={m.security_email_undo_pending_body}
              parts={{ time: () => <Time at={restoresAt} /> }}
            />
          </p>
          <AnnouncedForm action={keepNewEmail} label={m.security_keep_my_email()}>
            <SubmitButton>{m.security_keep_my_current_email()}</SubmitButton>
          </AnnouncedForm>
        </SplitSection>
      )}
    </Announcements>
  )
}

export const generateMetadata = (): Metadata => ({ title: m.security_security(), robots: { index: false } })

interface PageProps {
  /** `recovery`: the outcome of requesting or cancelling the removal of all passkeys. */
  searchParams: Promise<{ recovery?: string | string[] }>
}

export default withProblemPage(async function SecurityPage({ searchParams }: PageProps) {
  const viewer = await requireViewer('/security')
  const [
    { items: passkeys, recovery },
    { items: sessions, approved_devices: devices },
    newest,
    { approver },
    { items: agents },
    { items: consents },
  ] = await Promise.all([
    read('GET /beak/passkey/list', { query: { limit: '100' } }),
    read('GET /beak/session/list', { query: { limit: '100' } }),
    findRestored(),
    read('GET /beak/approver/view'),
    read('GET /beak/agent/list', { query: { limit: '100' } }),
    read('GET /beak/consent/list', { query: { limit: '100' } }),
  ])
  const { emailUndo } = await findPending()
  const now = readClock()
  const restored = newest !== null && isRecent(newest.at, now) ? newest : null
  const tier = viewer.trust_tier
  const hasPasskey = passkeys.length > 0
  const passkeysSection = (
    <SplitSection
      key="passkeys"
      id="passkeys"
      title={m.security_passkeys()}
      lead={m.security_passkeys_section_intro()}
    >
      <Announcements>
        <Passkeys
          passkeys={passkeys}
          showsVouching={viewer.builder}
          signedIn={sessions.filter(({ current }) => !current).map(({ passkey_id }) => passkey_id)}
          now={now}
        />
        <div className="mt-6 max-w-md">
          <FocusTarget id="add-passkey">
            <AddPasskey
              suggestedName={await suggestedName()}
              kind={tier === 'T2' && !hasPasskey ? 'primary' : 'plain'}
              hasOlder={hasPasskey && viewer.builder}
            />
          </FocusTarget>
        </div>
      </Announcements>
    </SplitSection>
  )
  const devicesSection = (
    <SplitSection
      key="sessions"
      id="sessions"
      title={m.security_sessions()}
      lead={m.security_sessions_section_intro()}
    >
      <Announcements>
        <ApprovedDevices devices={devices} now={now} />
        <Sessions
          sessions={sessions}
          passkeys={passkeys}
          programs={agents.filter((agent) => isConnected(agent, now)).length}
          now={now}
        />
        <p className="mt-5">
          <Link href="/security/changes" className="text-accent underline">
            {m.security_changes_title()}
          </Link>
        </p>
      </Announcements>
    </SplitSection>
  )
  return (
    <>
      <PageHead title={m.security_security()} lead={m.security_page_intro()} />
      <PendingUndo restoresAt={emailUndo?.restores_at ?? null} />
      <RecoveryOutcome outcome={String((await searchParams).recovery)} pending={recovery} />
      {restored === null ? null : (
        <div className="mb-8">
          <Notice title={m.security_your_earlier_email_address_was_restored()}>
            <Sentence
              of={m.security_restored_notice_body}
              parts={{ link: (children) => <Link href="/security/restored">{children}</Link> }}
            />
          </Notice>
        </div>
      )}
      {sessions.length > 1 ? [devicesSection, passkeysSection] : [passkeysSection, devicesSection]}
      <FoldedSection
        id="tier"
        title={m.security_trust_tier()}
        state={tierLabel(tier)}
        lead={m.security_what_you_confirmed_lead({ tier: tierWords(tier) })}
        isOpen={tier === 'T0'}
      >
        <Announcements>
          <TierLadder
            tier={tier}
            next={
              <NextStep
                tier={tier}
                email={viewer.email ?? m.security_your_address()}
                hasPasskey={hasPasskey}
              />
            }
          />
        </Announcements>
      </FoldedSection>
      <FoldedSection
        id="signed-in"
        title={m.security_sites()}
        state={consents.length === 0 ? m.security_none() : listWithAnd(consents.map(({ host }) => host))}
        lead={m.security_sites_section_intro()}
      >
        <Announcements>
          <SignedInSites consents={consents} now={now} />
        </Announcements>
      </FoldedSection>
      {hasPasskey || recovery !== null ? (
        <FoldedSection
          id="recovery"
          title={m.security_lost_your_passkeys()}
          state={recovery === null ? m.security_recovery_state() : m.security_a_removal_is_pending()}
          lead={m.security_recovery_section_intro()}
          isOpen={recovery !== null}
        >
          <Recovery pending={recovery} now={now} />
        </FoldedSection>
      ) : null}
      {viewer.builder || approver !== null ? (
        <FoldedSection
          id="approver"
          title={m.security_approver()}
          state={
            approver === null ? m.security_approver_state() : <bdi translate="no">{approver.origin}</bdi>
          }
          lead={m.security_page_on_site_your_choice_that()}
          isOpen={approver?.removes_at != null}
        >
          <Announcements>
            <ApproverSection approver={approver} viewer={viewer.duckling_id} now={now} />
          </Announcements>
        </FoldedSection>
      ) : null}
    </>
  )
})

/** The page points to what an undo has stopped for a week. */
const isRecent = (at: string, now: Date) => now < secondsAfter(new Date(at), 7 * day)

/** Suggests the name of this device, because people recognise a passkey by the device that made it. */
async function suggestedName(): Promise<string> {
  return knownDevice((await headers()).get('user-agent')) ?? m.security_passkey()
}
