import { Monitor, Smartphone, SquareTerminal } from 'lucide'
import type { ReactNode } from 'react'
import { shownDevice } from '@/app/_shell/changes-banner'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { withBasePath } from '@/components/base-path'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { ConfirmButtons } from '@/components/ui/confirm-buttons'
import { CheckField, SubmitButton } from '@/components/ui/form'
import { Icon } from '@/components/ui/icon'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { deviceKind, deviceWords } from '@/lib/kernel/request/device'
import { keptText } from '@/lib/kernel/text/kept-values'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { endSessions, removePasskey } from './actions'
import { SignedOutDevice } from './signed-out-device'

type Session = ResponseOf<'GET /beak/session/list'>['items'][number]
type Passkey = ResponseOf<'GET /beak/passkey/list'>['items'][number]

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
  passkeys: Passkey[]
  /** How many programs are connected. */
  programs: number
  now: Date
}

export function Sessions({ sessions, passkeys, programs, now }: SessionsProps) {
  return (
    <>
      <ul className="-mt-4 divide-y divide-line border-b border-line">
        {sessions.map((session) => (
          <SessionItem
            key={session.session_id}
            session={session}
            passkey={passkeys.find(({ passkey_id }) => passkey_id === session.passkey_id)}
            isLast={passkeys.length === 1}
            now={now}
          />
        ))}
      </ul>
      {sessions.some(({ current }) => !current) || programs > 0 ? (
        <div className="mt-5">
          <Confirm
            trigger={m.security_sign_out_all_other_sessions()}
            title={m.security_sign_out_all_title()}
            text={m.security_sign_out_all_text()}
          >
            <AnnouncedForm action={endSessions} label={m.security_sign_out_all_title()}>
              <input type="hidden" name="all_others" value="yes" />
              {programs === 0 ? null : (
                <CheckField
                  name="connected_agents"
                  label={m.security_also_agents()}
                  hint={m.security_also_agents_hint({ count: programs })}
                />
              )}
              <ConfirmButtons>{m.security_sign_out_them()}</ConfirmButtons>
            </AnnouncedForm>
          </Confirm>
        </div>
      ) : null}
    </>
  )
}

interface SessionItemProps {
  session: Session
  /** That of the device. */
  passkey: Passkey | undefined
  /** The person has no other passkey. */
  isLast: boolean
  now: Date
}

function SessionItem({ session, passkey, isLast, now }: SessionItemProps) {
  const device = session.name ?? deviceWords(session.user_agent)
  const shown = shownDevice(session)
  const how = listWithAnd(
    session.amr.flatMap((method) =>
      method === 'pop' && passkey !== undefined
        ? keptText(m.security_method_named_passkey, { name: passkey.name })
        : (methods[method]?.() ?? []),
    ),
  )
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
        <LostDevice device={shown} session={session} passkey={passkey} isLast={isLast} now={now} />
      )}
      {session.current ? null : (
        <AnnouncedForm action={endSessions}>
          <input type="hidden" name="session_id" value={session.session_id} />
          <SignedOutDevice device={shown} session={session} />
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

/**
 * Ends both ways in of a lost device at once. Without a known passkey, it only signs the device out. Also when that is the last passkey: only a
 * copy of it on this device could confirm the removal, and then it would be gone here too.
 */
function LostDevice({ device, session, passkey, isLast, now }: SessionItemProps & { device: string }) {
  const { session_id, auth_time, ip } = session
  const parts = {
    strong: (children: ReactNode) => <strong className="text-ink">{children}</strong>,
    time: () => <Time at={auth_time} now={now} />,
  }
  const removed = isLast ? undefined : passkey
  return (
    <Confirm
      trigger={
        <Sentence
          of={m.security_lost_device}
          with={{ device }}
          parts={{ span: (children) => <span className="visually-hidden">{children}</span> }}
        />
      }
      triggerKind="plain"
      title={m.security_lost_device_question()}
      text={
        <>
          <p>
            {ip === null ? (
              <Sentence of={m.security_lost_device_signed_in} with={{ device }} parts={parts} />
            ) : (
              <Sentence of={m.security_lost_device_signed_in_from} with={{ device, ip }} parts={parts} />
            )}
          </p>
          <p className="mt-3">
            {removed === undefined ? (
              m.security_lost_device_signs_out()
            ) : (
              <>
                <Sentence
                  of={
                    removed.backed_up ? m.security_lost_device_passkey_synced : m.security_lost_device_passkey
                  }
                  with={{ name: removed.name }}
                />{' '}
                {m.security_removed_passkey_ends()}
              </>
            )}{' '}
            {passkey === undefined ? m.security_lost_device_no_passkey() : null}
          </p>
          {passkey !== undefined && isLast ? (
            <p className="mt-3">
              <Sentence
                of={m.security_last_passkey_needed}
                parts={{
                  link: (children) => (
                    // Another address than that of the page: the whole page loads, and the dialog is gone.
                    <a href={withBasePath('/security?lost=yes#recovery')} className="text-accent underline">
                      {children}
                    </a>
                  ),
                }}
              />
            </p>
          ) : null}
        </>
      }
    >
      <AnnouncedForm
        action={removed === undefined ? endSessions : removePasskey}
        label={m.security_lost_device_question()}
      >
        {removed === undefined ? (
          <>
            <input type="hidden" name="session_id" value={session_id} />
            <SignedOutDevice device={device} session={session} />
          </>
        ) : (
          <>
            <input type="hidden" name="passkey_id" value={removed.passkey_id} />
            <input type="hidden" name="end_sessions" value="yes" />
          </>
        )}
        <ConfirmButtons>
          {removed === undefined ? m.security_lost_device_sign_out() : m.security_lost_device_button()}
        </ConfirmButtons>
      </AnnouncedForm>
    </Confirm>
  )
}

function LastSeen({ at, now }: { at: string | null; now: Date }) {
  if (!at) return null
  return <Sentence of={m.security_session_seen} parts={{ time: () => <Time at={at} now={now} /> }} />
}
