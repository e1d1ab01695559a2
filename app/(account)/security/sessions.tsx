import { Monitor, Smartphone, SquareTerminal } from 'lucide-react'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { AnnouncedForm } from '@/components/ui/announcements'
import { SubmitButton } from '@/components/ui/form'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { deviceKind, deviceWords } from '@/lib/kernel/device'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { endSessions } from './actions'

type Session = ResponseOf<'GET /beak/session/list'>['items'][number]

const methods: Record<string, string> = {
  otp: 'an email code',
  pwd: 'a password',
  pop: 'a passkey',
  device: 'a code that you approved',
  link: 'a link of the host',
}
const icons = { phone: Smartphone, computer: Monitor, program: SquareTerminal }

export function Sessions({ sessions, now }: { sessions: Session[]; now: Date }) {
  return (
    <>
      <ul className="-mt-4 divide-y divide-line border-b border-line">
        {sessions.map((session) => (
          <SessionItem key={session.session_id} session={session} now={now} />
        ))}
      </ul>
      {sessions.some(({ current }) => !current) ? (
        <AnnouncedForm action={endSessions} className="mt-5" label="Sign out all other sessions">
          <input type="hidden" name="all_others" value="yes" />
          <SubmitButton kind="danger">Sign out all other sessions</SubmitButton>
        </AnnouncedForm>
      ) : null}
    </>
  )
}

function SessionItem({ session, now }: { session: Session; now: Date }) {
  const device = session.name ?? deviceWords(session.user_agent)
  const how = listWithAnd(session.amr.flatMap((method) => methods[method] ?? []))
  const Icon = icons[deviceKind(session.user_agent)]
  return (
    <li className="flex flex-wrap items-center gap-x-5 gap-y-3 py-4">
      <Icon aria-hidden="true" size={20} className="shrink-0 text-soft" />
      <div className="min-w-0 flex-1 basis-48">
        <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base">
          {session.name === null ? device : `“${device}”`}
          {session.current ? <Pill tone="good">This session</Pill> : null}
        </h3>
        <p className="text-sm text-soft wrap-anywhere">
          Signed in <Time at={session.auth_time} now={now} />
          {how ? ` with ${how}` : ''}
          {session.ip ? ` from ${session.ip}` : ''}
          {session.name === null ? '' : ', named by the device itself'}
          {session.last_seen_at ? (
            <>
              , last seen <Time at={session.last_seen_at} now={now} />
            </>
          ) : null}
        </p>
      </div>
      {session.current ? null : (
        <AnnouncedForm action={endSessions}>
          <input type="hidden" name="session_id" value={session.session_id} />
          <SubmitButton kind="plain">
            Sign out<span className="visually-hidden"> session: {device}</span>
          </SubmitButton>
        </AnnouncedForm>
      )}
    </li>
  )
}
