import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { answerChanges } from '@/app/_shell/actions'
import { sessionDevice, shownDevice } from '@/app/_shell/changes-banner'
import { withProblemPage } from '@/app/_shell/problem-page'
import { atBeginning, changeOnPages, changeWords } from '@/app/_web/change-words'
import {
  bySession,
  changesToAsk,
  countChanges,
  type RecentChange,
  type SessionChanges,
} from '@/app/_web/changes'
import { read } from '@/app/_web/page-read'
import { findOverview, requireViewer } from '@/app/_web/viewer'
import { KeptText } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm, Announcements } from '@/components/ui/announcements'
import { BackLink } from '@/components/ui/back-link'
import { ButtonLink } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { SubmitButton } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Empty, PageHead, Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { endSessions } from '../actions'
import { SignedOutDevice } from '../signed-out-device'

export const generateMetadata = (): Metadata => ({
  title: m.security_changes_title(),
  robots: { index: false },
})

/** What other sessions changed in the last hour or what was reported, by session, newest first, even when the session has ended. */
export default withProblemPage(async function ChangesPage() {
  await requireViewer('/security/changes')
  const overview = await findOverview()
  const { all, isReported } =
    overview === null ? { all: [], isReported: false } : await changesToAsk(overview)
  const changes = all.toSorted((left, right) => right.at.localeCompare(left.at))
  const groups = bySession(changes)
  const undoHref = await undoHrefs(changes)
  const now = readClock()
  return (
    <>
      <BackLink href="/security">{m.security_security()}</BackLink>
      <PageHead title={m.security_changes_title()} lead={m.security_changes_lead()} />
      {groups.length === 0 ? null : <Steps isReported={isReported} />}
      <Announcements>
        {groups.length === 0 ? (
          <Empty title={m.security_changes_none()}>{m.security_changes_none_text()}</Empty>
        ) : (
          <ul data-all-changes className="divide-y divide-line border-y border-line">
            {groups.map((group) => (
              <SessionItem key={group.session?.session_id ?? ''} {...group} undoHref={undoHref} now={now} />
            ))}
          </ul>
        )}
      </Announcements>
      {isReported ? (
        <form action={answerChanges} className="mt-8">
          <input type="hidden" name="until" value={changes[0]?.at} />
          <button type="submit" className={buttonClass('primary')}>
            {m.security_changes_fixed()}
          </button>
        </form>
      ) : null}
      <p className="mt-8">
        <ButtonLink href="/audit">{m.security_changes_activity()}</ButtonLink>
      </p>
    </>
  )
})

const linkTo = (href: `/${string}`) => (children: ReactNode) => (
  <Link href={href} className="underline">
    {children}
  </Link>
)

/** What to do about changes of somebody else. */
function Steps({ isReported }: { isReported: boolean }) {
  return (
    <section aria-labelledby="steps" className="mb-8 rounded-card bg-sunken px-5 py-4">
      <h2 id="steps" className="text-base">
        {m.security_changes_steps()}
      </h2>
      <ol className="mt-1 list-decimal ps-5 text-sm">
        <li>{m.security_changes_step_sign_out()}</li>
        <li>{m.security_changes_step_undo()}</li>
        <li>
          <Sentence
            of={m.security_changes_step_rest}
            parts={{
              allowed: linkTo('/allowed#permissions'),
              links: linkTo('/invitations'),
              certificate: linkTo('/certificate'),
            }}
          />
        </li>
        {isReported ? <li>{m.security_changes_step_fixed()}</li> : null}
      </ol>
    </section>
  )
}

/** Returns the address where a change is undone, or null when there is nothing to undo. */
type UndoHref = (change: RecentChange) => string | null

/** Nothing is left to undo of an agent or webhook that is gone. A change may have been kept without the id. */
async function undoHrefs(changes: RecentChange[]): Promise<UndoHref> {
  const has = (where: string) => changes.some(({ change }) => changeOnPages(change).where === where)
  const [agents, webhooks] = await Promise.all([
    has('agent') ? read('GET /beak/agent/list', { query: { limit: '100' } }) : null,
    has('webhook') ? read('GET /beak/webhook/list', { query: { limit: '100' } }) : null,
  ])
  const living = new Set([
    ...(agents?.items ?? []).flatMap(({ agent_id, status }) => (status === 'deregistered' ? [] : agent_id)),
    ...(webhooks?.items ?? []).map(({ webhook_id }) => webhook_id),
  ])
  return ({ change, id }) => {
    const { where, undo } = changeOnPages(change)
    if (undo === null) return null
    if (where !== 'agent' && where !== 'webhook') return where
    const [page, list, all] =
      where === 'agent' ? ['/agents/manage', '/allowed#agents', agents] : ['/webhooks', '/webhooks', webhooks]
    if (id !== null && living.has(id)) return `${page}/${id}`
    return id === null || all?.next_cursor ? list : null
  }
}

/** A session, the button that ends it, and what it changed. */
function SessionItem({
  session,
  changes,
  undoHref,
  now,
}: SessionChanges & { undoHref: UndoHref; now: Date }) {
  const more = countChanges(changes) - changes.length
  return (
    <li className="grid gap-4 py-6 wrap-anywhere">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        {session === null ? (
          <h2 className="text-lg">{m.security_changes_unknown_session()}</h2>
        ) : (
          <SessionHead session={session} now={now} />
        )}
        {session === null || session.ended_at !== null ? null : (
          <AnnouncedForm action={endSessions}>
            <input type="hidden" name="session_id" value={session.session_id} />
            <SignedOutDevice device={shownDevice(session)} session={session} />
            <SubmitButton kind="danger">
              <Sentence
                of={m.security_sign_out_session_device}
                with={{ device: sessionDevice(session) }}
                parts={{ span: (children) => <span className="visually-hidden">{children}</span> }}
              />
            </SubmitButton>
          </AnnouncedForm>
        )}
      </div>
      {session?.ended_at ? <p className="font-semibold">{m.security_changes_check_each()}</p> : null}
      <ul className="grid gap-1 border-s-2 border-line ps-3">
        {alike(changes).map(({ change, times }) => (
          <ChangeItem
            key={`${change.change} ${change.at}`}
            {...{ change, times, now }}
            href={undoHref(change)}
          />
        ))}
        {more === 0 ? null : (
          <li>
            <Sentence
              of={m.security_changes_more}
              with={{ count: more }}
              parts={{
                link: (children) => (
                  <Link href="/audit" className="text-accent underline">
                    {children}
                  </Link>
                ),
              }}
            />
          </li>
        )}
      </ul>
    </li>
  )
}

/** Returns changes that say and undo the same once, with how often they were made. */
function alike(changes: RecentChange[]): { change: RecentChange; times: number }[] {
  const found = new Map<string, { change: RecentChange; times: number }>()
  for (const change of changes) {
    const key = JSON.stringify([change.change, change.name, change.id])
    found.set(key, { change: found.get(key)?.change ?? change, times: (found.get(key)?.times ?? 0) + 1 })
  }
  return [...found.values()]
}

interface ChangeItemProps {
  change: RecentChange
  times: number
  href: string | null
  now: Date
}

function ChangeItem({ change, times, href, now }: ChangeItemProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6">
      <span className="min-w-0">
        <bdi translate="yes">
          <KeptText text={atBeginning(changeWords(change))} />
        </bdi>{' '}
        <span className="text-sm whitespace-nowrap text-soft">
          {times === 1 ? null : `${m.security_changes_times({ count: times })} `}
          <Time at={change.at} now={now} />
        </span>
      </span>
      {href === null ? (
        <span className="inline-flex min-h-11 items-center text-sm text-soft">
          {m.security_changes_nothing_to_undo()}
        </span>
      ) : (
        <Link
          href={href}
          className="inline-flex min-h-11 items-center text-sm font-semibold text-accent underline"
        >
          {changeOnPages(change.change).undo?.()}
        </Link>
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
        <bdi translate="no">{shownDevice(session)}</bdi>
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
