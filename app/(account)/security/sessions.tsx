import { Monitor, Smartphone, SquareTerminal } from 'lucide'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm } from '@/components/ui/announcements'
import { CheckField, SubmitButton } from '@/components/ui/form'
import { Icon } from '@/components/ui/icon'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { deviceKind, deviceWords } from '@/lib/kernel/request/device'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { endSessions } from './actions'

type Session = ResponseOf<'GET /beak/session/list'>['items'][number]

const methods: Record<string, () => string> = {
  otp: m.security_method_code,
  pwd: m.security_method_password,
  pop: m.security_method_passkey,
  device: m.security_method_device,
  link: m.security_method_link,
}
const icons = { phone: Smartphone, computer: Monitor, program: SquareTerminal }

interface SessionsProps {
  sessions: Session[]
  /** How many programs are connected. */
  programs: number
  now: Date
}

export function Sessions({ sessions, programs, now }: SessionsProps) {
  return (
    <>
      <ul className="-mt-4 divide-y divide-line border-b border-line">
        {sessions.map((session) => (
          <SessionItem key={session.session_id} session={session} now={now} />
        ))}
      </ul>
      {sessions.some(({ current }) => !current) || programs > 0 ? (
        <AnnouncedForm action={endSessions} className="mt-5" label={m.security_sign_out_all_other_sessions()}>
          <input type="hidden" name="all_others" value="yes" />
          {programs === 0 ? null : (
            <CheckField
              name="connected_agents"
              label={m.security_also_agents()}
              hint={m.security_also_agents_hint({ count: programs })}
            />
          )}
          <SubmitButton kind="danger">{m.security_sign_out_all_other_sessions()}</SubmitButton>
        </AnnouncedForm>
      ) : null}
    </>
  )
}

function SessionItem({ session, now }: { session: Session; now: Date }) {
  const device = session.name ?? deviceWords(session.user_agent)
  const how = listWithAnd(session.amr.flatMap((method) => methods[method]?.() ?? []))
  return (
    <li className="flex flex-wrap items-center gap-x-5 gap-y-3 py-4">
      <Icon of={icons[deviceKind(session.user_agent)]} size={20} className="shrink-0 text-soft" />
      <div className="min-w-0 flex-1 basis-48">
        <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base">
          {session.name === null ? device : <bdi translate="no">“{device}”</bdi>}
          {session.current ? <Pill tone="good">{m.security_this_session()}</Pill> : null}
        </h3>
        <p className="text-sm text-soft wrap-anywhere">
          <Sentence
            of={how ? m.security_signed_in_with : m.security_signed_in}
            with={{ methods: how }}
            parts={{ time: () => <Time at={session.auth_time} now={now} /> }}
          />
          {session.ip ? (
            <>
              {' '}
              <Sentence of={m.security_session_from} with={{ ip: session.ip }} />
            </>
          ) : null}
          {session.name === null ? '' : `, ${m.security_session_named()}`}
          {session.last_seen_at ? ', ' : ''}
          <LastSeen at={session.last_seen_at} now={now} />
        </p>
      </div>
      {session.current ? null : (
        <AnnouncedForm action={endSessions}>
          <input type="hidden" name="session_id" value={session.session_id} />
          <SubmitButton kind="plain">
            <Sentence
              of={m.security_sign_out_session_device}
              with={{ device }}
              parts={{ span: (children) => <span className="visually-hidden">{children}</span> }}
            />
          </SubmitButton>
        </AnnouncedForm>
      )}
    </li>
  )
}

function LastSeen({ at, now }: { at: string | null; now: Date }) {
  if (!at) return null
  return <Sentence of={m.security_session_seen} parts={{ time: () => <Time at={at} now={now} /> }} />
}
