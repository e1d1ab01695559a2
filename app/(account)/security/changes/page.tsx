import { quoted } from '@beak/decision/quote'
import type { Metadata } from 'next'
import { sessionDevice } from '@/app/_shell/changes-banner'
import { withProblemPage } from '@/app/_shell/problem-page'
import { bySession, type RecentChange, type SessionChanges } from '@/app/_web/changes'
import { findOverview, requireViewer } from '@/app/_web/viewer'
import { KeptText } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm, Announcements } from '@/components/ui/announcements'
import { BackLink } from '@/components/ui/back-link'
import { ButtonLink } from '@/components/ui/button'
import { SubmitButton } from '@/components/ui/form'
import { Empty, PageHead, Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { changeSentence } from '@/lib/infrastructure/mail/changes'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { kept } from '@/lib/kernel/text/kept-values'
import { endSessions } from '../actions'

export const generateMetadata = (): Metadata => ({
  title: m.security_changes_title(),
  robots: { index: false },
})

/** What other sessions changed in the last hour, by session, even when the session has ended. */
export default withProblemPage(async function ChangesPage() {
  await requireViewer('/security/changes')
  const groups = bySession((await findOverview())?.recent_changes ?? [])
  const now = readClock()
  return (
    <>
      <BackLink href="/security">{m.security_security()}</BackLink>
      <PageHead title={m.security_changes_title()} lead={m.security_changes_lead()} />
      <Announcements>
        {groups.length === 0 ? (
          <Empty title={m.security_changes_none()}>{m.security_changes_none_text()}</Empty>
        ) : (
          <ul className="divide-y divide-line border-y border-line">
            {groups.map((group) => (
              <SessionItem key={group.session?.session_id ?? ''} {...group} now={now} />
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

/** A session, what it changed, and the button that ends it. */
function SessionItem({ session, changes, now }: SessionChanges & { now: Date }) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4 py-6">
      <div className="grid min-w-0 flex-1 basis-64 gap-3 wrap-anywhere">
        {session === null ? (
          <h2 className="text-lg">{m.security_changes_unknown_session()}</h2>
        ) : (
          <SessionHead session={session} now={now} />
        )}
        <ul className="grid gap-2 border-s-2 border-line ps-3">
          {changes.map(({ change, name, at }) => (
            <li key={`${change} ${at}`}>
              <bdi translate="yes">
                <KeptText text={changeSentence(change, name, (text) => kept(quoted(text)))} />
              </bdi>{' '}
              <span className="text-sm whitespace-nowrap text-soft">
                <Time at={at} now={now} />
              </span>
            </li>
          ))}
        </ul>
        {session?.ended_at ? <p className="text-sm">{m.security_changes_ended_advice()}</p> : null}
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

/** Which session it is, whether it is still live, and when and where it signed in. */
function SessionHead({ session, now }: { session: NonNullable<RecentChange['session']>; now: Date }) {
  const { ended_at: endedAt, auth_time: signedInAt, ip } = session
  const signedIn = () => <Time at={signedInAt} now={now} />
  return (
    <div>
      <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-lg">
        {/* A device that names itself could choose the name of another one. */}
        <bdi translate="no">{session.name === null ? sessionDevice(session) : `“${session.name}”`}</bdi>
        {endedAt === null ? (
          <Pill tone="warn">{m.security_changes_state_active()}</Pill>
        ) : (
          <Pill>{m.security_changes_state_ended()}</Pill>
        )}
      </h2>
      <p className="text-sm text-soft">
        {ip === null ? (
          <Sentence of={m.security_changes_signed_in} parts={{ time: signedIn }} />
        ) : (
          <Sentence of={m.security_changes_signed_in_from} with={{ ip }} parts={{ time: signedIn }} />
        )}
        {endedAt === null ? null : (
          <>
            {' '}
            <Sentence
              of={m.security_changes_ended_at}
              parts={{ time: () => <Time at={endedAt} now={now} /> }}
            />
          </>
        )}
      </p>
    </div>
  )
}
