import type { Metadata } from 'next'
import type { z } from 'zod'
import { GET as passkeyList } from '@/app/beak/passkey/list/route'
import { GET as sessionList } from '@/app/beak/session/list/route'
import { FreshSignIn } from '@/components/fresh-sign-in'
import { Confirm } from '@/components/ui/confirm'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Card, Empty, PageHead, Pill, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { readClock } from '@/lib/kernel/clock'
import type { ListedPasskey } from '@/lib/passkeys/schema'
import type { Session } from '@/lib/sessions/schema'
import { callApi } from '@/lib/web/call-api'
import { PageProblem, requireViewer } from '@/lib/web/viewer'
import { confirmPhone, endSessions, removePasskey } from './actions'
import { deviceWords } from './device'
import { Ladder } from './ladder'
import { PhoneSteps } from './phone-steps'

export const metadata: Metadata = { title: 'Security', robots: { index: false } }

const all = { query: { limit: '100' } }

export default async function SecurityPage() {
  const viewer = await requireViewer('/security')
  const passkeys = await callApi(passkeyList, 'GET', all)
  const sessions = await callApi(sessionList, 'GET', all)
  if (!passkeys.ok) throw new PageProblem(passkeys.problem)
  if (!sessions.ok) throw new PageProblem(sessions.problem)
  const now = readClock()
  const others = sessions.data.items.filter(({ current }) => !current).length
  const tier = viewer.trust_tier
  return (
    <>
      <PageHead title="Security" lead="How far you are trusted, and what can sign in as you." />
      <Section id="tier" title="Trust tier" lead={`You stand at ${tier}.`}>
        <Ladder tier={tier} next={tier === 'T1' ? <Phone /> : null} />
      </Section>
      <Section id="passkeys" title="Passkeys" lead="They sign you in without a code, and sign approvals.">
        {passkeys.data.items.length === 0 ? (
          <Empty title="No passkeys yet">You sign in with a code from your e-mail.</Empty>
        ) : (
          <ul className="grid gap-3">
            {passkeys.data.items.map((passkey) => (
              <Passkey key={passkey.passkey_id} passkey={passkey} now={now} />
            ))}
          </ul>
        )}
      </Section>
      <Section id="sessions" title="Sessions" lead="Where you are signed in. End what you do not know.">
        <ul className="grid gap-3">
          {sessions.data.items.map((session) => (
            <SessionItem key={session.session_id} session={session} now={now} />
          ))}
        </ul>
        {others > 0 ? (
          <ActionForm action={endSessions} className="mt-5" label="End all other sessions">
            <input type="hidden" name="all_others" value="yes" />
            <SubmitButton kind="danger">End all others</SubmitButton>
          </ActionForm>
        ) : null}
      </Section>
    </>
  )
}

function Phone() {
  return (
    <ActionForm action={confirmPhone} label="Confirm your phone">
      <PhoneSteps />
    </ActionForm>
  )
}

function Passkey({ passkey, now }: { passkey: z.output<typeof ListedPasskey>; now: Date }) {
  return (
    <li>
      <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h3 className="text-base wrap-anywhere">{passkey.name}</h3>
          <p className="mt-1 text-sm text-soft">
            Added <Time at={passkey.created_at} dateOnly />,{' '}
            {passkey.last_used_at === null ? (
              'not used yet'
            ) : (
              <>
                last used <Time at={passkey.last_used_at} now={now} />
              </>
            )}
            {passkey.backed_up ? '. Synced between your devices.' : '. On one device only.'}
          </p>
        </div>
        <Confirm
          trigger="Remove"
          title={`Remove ${passkey.name}?`}
          text="It signs in nobody from then on. Sessions it started go on until you end them."
        >
          <ActionForm action={removePasskey} label={`Remove ${passkey.name}`}>
            <input type="hidden" name="passkey_id" value={passkey.passkey_id} />
            <SubmitButton kind="danger">Remove it</SubmitButton>
            <FreshSignIn next="/security" />
          </ActionForm>
        </Confirm>
      </Card>
    </li>
  )
}

const methods: Record<string, string> = {
  otp: 'e-mail code',
  pwd: 'password',
  pop: 'passkey',
}

function SessionItem({ session, now }: { session: z.output<typeof Session>; now: Date }) {
  const device = deviceWords(session.user_agent)
  const how = session.amr.flatMap((method) => methods[method] ?? []).join(' and ')
  return (
    <li>
      <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base">
            {device}
            {session.current ? <Pill tone="good">This one</Pill> : null}
          </h3>
          <p className="mt-1 text-sm text-soft wrap-anywhere">
            Signed in <Time at={session.auth_time} now={now} />
            {how ? ` by ${how}` : ''}
            {session.ip ? ` from ${session.ip}` : ''}
            {session.last_seen_at ? (
              <>
                , last seen <Time at={session.last_seen_at} now={now} />
              </>
            ) : null}
          </p>
        </div>
        {session.current ? null : (
          <ActionForm action={endSessions} label={`End the session of ${device}`}>
            <input type="hidden" name="session_id" value={session.session_id} />
            <SubmitButton kind="plain">End it</SubmitButton>
          </ActionForm>
        )}
      </Card>
    </li>
  )
}
