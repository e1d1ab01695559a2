import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { api } from '@/app/_web/api'
import { PageProblem } from '@/app/_web/page-problem'
import { readPasskeys } from '@/app/_web/passkeys'
import { requireViewer } from '@/app/_web/viewer'
import { AddPasskey } from '@/components/add-passkey'
import { withProblemPage } from '@/components/problem-page'
import { Announcements } from '@/components/ui/announcements'
import { SplitSection } from '@/components/ui/split-section'
import { PageHead } from '@/components/ui/surface'
import { readClock } from '@/lib/kernel/clock'
import { deviceKind, deviceWords } from '@/lib/kernel/device'
import { Ladder } from './ladder'
import { NextStep } from './next-step'
import { Passkeys } from './passkeys'
import { Recovery, RecoveryOutcome } from './recovery'
import { Sessions } from './sessions'

export const metadata: Metadata = { title: 'Security', robots: { index: false } }

interface PageProps {
  /** `recovery`: what came of asking for the removal of the passkeys. */
  searchParams: Promise<{ recovery?: string | string[] }>
}

export default withProblemPage(async function SecurityPage({ searchParams }: PageProps) {
  const viewer = await requireViewer('/security')
  const { items: passkeys, recovery } = await readPasskeys()
  const sessions = await api('GET /beak/session/list', { query: { limit: '100' } })
  if (!sessions.ok) throw new PageProblem(sessions.problem)
  const now = readClock()
  const tier = viewer.trust_tier
  const hasPasskey = passkeys.length > 0
  return (
    <>
      <PageHead title="Security" lead="How far you are trusted, and what can sign in as you." />
      <RecoveryOutcome outcome={String((await searchParams).recovery)} pending={recovery} />
      <SplitSection
        id="tier"
        title="Trust tier"
        lead={`You stand at ${tier}. Each step says more of who you are.`}
      >
        <Announcements>
          <Ladder
            tier={tier}
            next={<NextStep tier={tier} email={viewer.email ?? 'your address'} hasPasskey={hasPasskey} />}
          />
        </Announcements>
      </SplitSection>
      <SplitSection
        id="passkeys"
        title="Passkeys"
        lead="They sign you in without a code, and sign what you approve. No page can trick them out of you."
      >
        <Announcements>
          <Passkeys passkeys={passkeys} now={now} />
        </Announcements>
        <div className="mt-6 max-w-md">
          <AddPasskey
            suggestedName={await suggestedName()}
            kind={tier === 'T2' && !hasPasskey ? 'primary' : 'plain'}
          />
        </div>
      </SplitSection>
      {hasPasskey ? (
        <SplitSection
          id="recovery"
          title="Lost your passkeys?"
          lead="Some changes need a passkey. If you have none left, you can have all of them removed."
        >
          <Recovery pending={recovery} now={now} />
        </SplitSection>
      ) : null}
      <SplitSection id="sessions" title="Sessions" lead="Where you are signed in. End what you do not know.">
        <Announcements>
          <Sessions sessions={sessions.data.items} now={now} />
        </Announcements>
      </SplitSection>
    </>
  )
})

/** A passkey is best known by the device it was made on. */
async function suggestedName(): Promise<string> {
  const userAgent = (await headers()).get('user-agent')
  return deviceKind(userAgent) === 'program' ? 'Passkey' : deviceWords(userAgent)
}
