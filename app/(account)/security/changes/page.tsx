import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { sessionDevice } from '@/app/_shell/changes-banner'
import { withProblemPage } from '@/app/_shell/problem-page'
import type { RecentChange } from '@/app/_web/changes'
import { findOverview, requireViewer } from '@/app/_web/viewer'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm, Announcements } from '@/components/ui/announcements'
import { BackLink } from '@/components/ui/back-link'
import { ButtonLink } from '@/components/ui/button'
import { SubmitButton } from '@/components/ui/form'
import { Empty, PageHead } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { changeSentence } from '@/lib/infrastructure/mail/changes'
import { m } from '@/lib/kernel/messages'
import { quoted } from '@/lib/kernel/text/quote'
import { endSessions } from '../actions'

export const generateMetadata = (): Metadata => ({
  title: m.security_changes_title(),
  robots: { index: false },
})

/** What other sessions changed in the last hour, each with its session, also when the session has ended. */
export default withProblemPage(async function ChangesPage() {
  await requireViewer('/security/changes')
  const changes = (await findOverview())?.recent_changes ?? []
  return (
    <>
      <BackLink href="/security">{m.security_security()}</BackLink>
      <PageHead title={m.security_changes_title()} lead={m.security_changes_lead()} />
      <Announcements>
        {changes.length === 0 ? (
          <Empty title={m.security_changes_none()}>{m.security_changes_none_text()}</Empty>
        ) : (
          <ul className="divide-y divide-line border-y border-line">
            {changes.map((change) => (
              <ChangeItem key={`${change.change} ${change.at}`} change={change} />
            ))}
          </ul>
        )}
      </Announcements>
      <p className="mt-8">
        <ButtonLink href="/audit">{m.security_changes_activity()}</ButtonLink>
      </p>
    </>
  )
})

function ChangeItem({ change: { change, name, at, session } }: { change: RecentChange }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <h2 className="font-sans text-base font-semibold tracking-normal">
          <bdi translate="yes">{changeSentence(change, name, quoted)}</bdi>
        </h2>
        <p className="text-sm text-soft">
          <Time at={at} />.{' '}
          {session === null ? m.security_changes_unknown_session() : <SessionLine session={session} />}
        </p>
      </div>
      {session === null || session.ended_at !== null ? null : (
        <AnnouncedForm action={endSessions}>
          <input type="hidden" name="session_id" value={session.session_id} />
          <SubmitButton kind="danger">
            <Sentence
              of={m.security_sign_out_session_device}
              with={{ device: sessionDevice(session) }}
              parts={{ span: (children) => <span className="visually-hidden">{children}</span> }}
            />
          </SubmitButton>
        </AnnouncedForm>
      )}
    </li>
  )
}

function SessionLine({ session }: { session: NonNullable<RecentChange['session']> }) {
  const { ended_at: endedAt, auth_time, ip } = session
  const device = sessionDevice(session)
  const bdi = (children: ReactNode) => <bdi translate="no">{children}</bdi>
  const at = () => <Time at={auth_time} />
  return (
    <>
      {endedAt === null ? (
        <Sentence of={m.security_changes_session_live} with={{ device }} parts={{ bdi, at }} />
      ) : (
        <Sentence
          of={m.security_changes_session_ended}
          with={{ device }}
          parts={{ bdi, at, ended: () => <Time at={endedAt} /> }}
        />
      )}{' '}
      {ip === null ? '' : `${m.security_changes_ip({ ip })} `}
      {endedAt === null ? '' : m.security_changes_ended_advice()}
    </>
  )
}
