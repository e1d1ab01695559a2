import type { Metadata } from 'next'
import { headers } from 'next/headers'
import Link from 'next/link'
import { AddPasskey } from '@/app/_passkeys/add-passkey'
import { withProblemPage } from '@/app/_shell/problem-page'
import { findPending } from '@/app/_web/passkeys'
import { read } from '@/app/_web/read'
import { requireViewer } from '@/app/_web/viewer'
import { FocusTarget } from '@/components/focus-target'
import { Announcements } from '@/components/ui/announcements'
import { SplitSection } from '@/components/ui/split-section'
import { Notice, PageHead } from '@/components/ui/surface'
import { day, readClock, secondsAfter } from '@/lib/kernel/clock'
import { knownDevice } from '@/lib/kernel/device'
import { ApprovedDevices } from './approved-devices'
import { ApproverSection } from './approver'
import { NextStep } from './next-step'
import { Passkeys } from './passkeys'
import { PendingUndo } from './pending-undo'
import { Recovery, RecoveryOutcome } from './recovery'
import { findRestored } from './restored/read'
import { Sessions } from './sessions'
import { TierLadder } from './tier-ladder'

export const metadata: Metadata = { title: 'Security', robots: { index: false } }

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
      <PageHead title="Security" lead="Your trust tier, your passkeys, and where you are signed in." />
      <PendingUndo restoresAt={emailUndo?.restores_at ?? null} />
      <RecoveryOutcome outcome={String((await searchParams).recovery)} pending={recovery} />
      {restored === null ? null : (
        <div className="mb-8">
          <Notice title="Your earlier email address was restored">
            <Link href="/security/restored">See what was stopped</Link>, and keep what you recognise.
          </Notice>
        </div>
      )}
      <SplitSection id="tier" title="Trust tier" lead={`You're at ${tier}. Each tier unlocks more.`}>
        <Announcements>
          <TierLadder
            tier={tier}
            next={<NextStep tier={tier} email={viewer.email ?? 'your address'} hasPasskey={hasPasskey} />}
          />
        </Announcements>
      </SplitSection>
      <SplitSection
        id="passkeys"
        title="Passkeys"
        lead="They sign you in without a code and sign what you approve. No fake website can steal them."
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
        title="Approver"
        lead="A page on a site of your choice that approves for you, so that you need not believe the pages of Beak."
      >
        <Announcements>
          <ApproverSection approver={approver} viewer={viewer.duckling_id} now={now} />
        </Announcements>
      </SplitSection>
      {hasPasskey || recovery !== null ? (
        <SplitSection
          id="recovery"
          title="Lost your passkeys?"
          lead="Some changes need a passkey. If you have lost all of yours, you can have them removed."
        >
          <Recovery pending={recovery} now={now} />
        </SplitSection>
      ) : null}
      <SplitSection
        id="sessions"
        title="Sessions"
        lead="Where you are signed in. Sign out anything you don't recognise."
      >
        <Announcements>
          <ApprovedDevices devices={devices} now={now} />
          <Sessions sessions={sessions} now={now} />
        </Announcements>
      </SplitSection>
    </>
  )
})

/** The page points to what an undo has stopped for a week. */
const isRecent = (at: string, now: Date) => now < secondsAfter(new Date(at), 7 * day)

/** Suggests the name of this device, because people recognise a passkey by the device that made it. */
async function suggestedName(): Promise<string> {
  return knownDevice((await headers()).get('user-agent')) ?? 'Passkey'
}
