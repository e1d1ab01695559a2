import type { Metadata } from 'next'
import { headers } from 'next/headers'
import Link from 'next/link'
import { AddPasskey } from '@/app/_passkeys/add-passkey'
import { withProblemPage } from '@/app/_shell/problem-page'
import { findPending } from '@/app/_web/passkeys'
import { read } from '@/app/_web/read'
import { requireViewer } from '@/app/_web/viewer'
import { FocusTarget } from '@/components/focus-target'
import { Sentence } from '@/components/sentence'
import { Announcements } from '@/components/ui/announcements'
import { SplitSection } from '@/components/ui/split-section'
import { Notice, PageHead } from '@/components/ui/surface'
import { day, readClock, secondsAfter } from '@/lib/kernel/clock'
import { knownDevice } from '@/lib/kernel/device'
import { m } from '@/lib/kernel/messages'
import { ApprovedDevices } from './approved-devices'
import { ApproverSection } from './approver'
import { NextStep } from './next-step'
import { Passkeys } from './passkeys'
import { PendingUndo } from './pending-undo'
import { Recovery, RecoveryOutcome } from './recovery'
import { findRestored } from './restored/read'
import { Sessions } from './sessions'
import { TierLadder } from './tier-ladder'

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
  ] = await Promise.all([
    read('GET /beak/passkey/list', { query: { limit: '100' } }),
    read('GET /beak/session/list', { query: { limit: '100' } }),
    findRestored(),
    read('GET /beak/approver/view'),
  ])
  const { emailUndo } = await findPending()
  const now = readClock()
  const restored = newest !== null && isRecent(newest.at, now) ? newest : null
  const tier = viewer.trust_tier
  const hasPasskey = passkeys.length > 0
  return (
    <>
      <PageHead title={m.security_security()} lead={m.security_your_trust_tier_your_passkeys_where()} />
      <PendingUndo restoresAt={emailUndo?.restores_at ?? null} />
      <RecoveryOutcome outcome={String((await searchParams).recovery)} pending={recovery} />
      {restored === null ? null : (
        <div className="mb-8">
          <Notice title={m.security_your_earlier_email_address_was_restored()}>
            <Sentence
              of={m.security_see_what_was_stopped_keep_what}
              parts={{ link: (children) => <Link href="/security/restored">{children}</Link> }}
            />
          </Notice>
        </div>
      )}
      <SplitSection
        id="tier"
        title={m.security_trust_tier()}
        lead={m.security_youre_at_tier_each_tier_unlocks({ tier })}
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
      </SplitSection>
      <SplitSection
        id="passkeys"
        title={m.security_passkeys()}
        lead={m.security_they_sign_you_in_without_code()}
      >
        <Announcements>
          <Passkeys passkeys={passkeys} now={now} />
          <div className="mt-6 max-w-md">
            <FocusTarget id="add-passkey">
              <AddPasskey
                suggestedName={await suggestedName()}
                kind={tier === 'T2' && !hasPasskey ? 'primary' : 'plain'}
                hasOlder={hasPasskey}
              />
            </FocusTarget>
          </div>
        </Announcements>
      </SplitSection>
      <SplitSection
        id="approver"
        title={m.security_approver()}
        lead={m.security_page_on_site_your_choice_that()}
      >
        <Announcements>
          <ApproverSection approver={approver} viewer={viewer.duckling_id} now={now} />
        </Announcements>
      </SplitSection>
      {hasPasskey || recovery !== null ? (
        <SplitSection
          id="recovery"
          title={m.security_lost_your_passkeys()}
          lead={m.security_some_changes_need_passkey_if_you()}
        >
          <Recovery pending={recovery} now={now} />
        </SplitSection>
      ) : null}
      <SplitSection
        id="sessions"
        title={m.security_sessions()}
        lead={m.security_where_you_are_signed_in_sign()}
      >
        <Announcements>
          <ApprovedDevices devices={devices} now={now} />
          <Sessions sessions={sessions} now={now} />
          <p className="mt-5">
            <Link href="/security/changes" className="underline">
              {m.security_changes_link()}
            </Link>
          </p>
        </Announcements>
      </SplitSection>
    </>
  )
})

/** The page points to what an undo has stopped for a week. */
const isRecent = (at: string, now: Date) => now < secondsAfter(new Date(at), 7 * day)

/** Suggests the name of this device, because people recognise a passkey by the device that made it. */
async function suggestedName(): Promise<string> {
  return knownDevice((await headers()).get('user-agent')) ?? m.security_passkey()
}
