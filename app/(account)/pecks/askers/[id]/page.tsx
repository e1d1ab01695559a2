import { isolated, personName } from '@beak/decision/person-name'
import { quotedName } from '@beak/decision/quote'
import type { Metadata } from 'next'
import { cache } from 'react'
import { MissingPage } from '@/app/_shell/missing-page'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { answerNotFound, find, read } from '@/app/_web/page-read'
import { requireViewer } from '@/app/_web/viewer'
import { Duck } from '@/components/duck'
import { ActionWords } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { Announcements } from '@/components/ui/announcements'
import { BackLink } from '@/components/ui/back-link'
import { Link } from '@/components/ui/link'
import { Pill, Section, type Tone } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { actionLabel } from '@/lib/kernel/text/shown-action'
import { BlockForm } from '../../_forms/block-form'
import { LiftPauseForm } from '../../_forms/lift-pause-form'
import { UnblockForm } from '../../_forms/unblock-form'
import { filteredPath } from '../../_list/filter'
import { type AskerCard, askedWords, decisionWords } from './card'
import { PersonFacts, PersonHead } from './person'

type Decision = AskerCard['decisions'][number]

const outcomes: Record<Decision['outcome'], { label: string; tone: Tone }> = {
  approved: {
    get label() {
      return m.askers_approved()
    },
    tone: 'good',
  },
  rejected: {
    get label() {
      return m.askers_rejected()
    },
    tone: 'bad',
  },
  // The asker may have ended it, too.
  revoked: {
    get label() {
      return m.askers_ended_early()
    },
    tone: 'neutral',
  },
}

/** The requests of the person and the person's agents that wait for the viewer: first what can be answered. */
async function Waiting({ card: { person, agents }, now }: { card: AskerCard; now: Date }) {
  const askers = [person.duckling_id, ...agents.slice(0, askersMax).map(({ agent_id }) => agent_id)]
  const pages = await Promise.all(
    askers.map((asker) =>
      read('GET /beak/peck/history', { query: { asker, status: 'pending', direction: 'received' } }),
    ),
  )
  const waiting = pages.flatMap(({ items }) => items)
  if (waiting.length === 0) return null
  return (
    <Section id="waiting" title={m.askers_waiting()}>
      <ul aria-labelledby="waiting">
        {waiting.map(({ peck_id, action, created_at: at }) => (
          <li
            key={peck_id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line text-sm first:border-t-0"
          >
            <Link
              href={`/pecks/${peck_id}`}
              className="inline-flex min-h-11 items-center font-semibold underline wrap-anywhere"
            >
              <ActionWords words={actionLabel(action)} />
            </Link>
            <span className="ms-auto text-soft">
              <Time at={at} now={now} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** More agents of one person are rare, and each is a read. */
const askersMax = 9

/** What the viewer decided on requests of the person and the person's agents: the numbers and the newest decisions. */
function Decisions({ card, now }: { card: AskerCard; now: Date }) {
  return (
    <Section id="decisions" title={m.askers_your_decisions()} lead={decisionWords(card)}>
      {card.decisions.length === 0 ? null : (
        <ul aria-labelledby="decisions">
          {card.decisions.map((decision) => (
            <DecisionRow key={decision.peck_id} decision={decision} now={now} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function DecisionRow({
  decision: { peck_id, action, outcome, by_rule, at },
  now,
}: {
  decision: Decision
  now: Date
}) {
  const { label, tone } = outcomes[outcome]
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line py-2.5 text-sm first:border-t-0">
      <Link
        href={`/pecks/${peck_id}`}
        className="inline-flex min-h-6 items-center font-semibold no-underline wrap-anywhere hover:underline"
      >
        <ActionWords words={actionLabel(action)} />
      </Link>
      <Pill tone={tone}>{label}</Pill>
      {by_rule ? <span className="text-soft">{m.askers_by_your_rule()}</span> : null}
      <span className="ms-auto text-soft">
        <Time at={at} now={now} />
      </span>
    </li>
  )
}

interface AskingAgentsProps {
  agents: AskerCard['agents']
  isOwn: boolean
  now: Date
}

/** The agents of the person that asked the viewer. */
function AskingAgents({ agents, isOwn, now }: AskingAgentsProps) {
  if (agents.length === 0) return null
  return (
    <Section
      id="agents"
      title={isOwn ? m.askers_your_agents_that_asked_you() : m.askers_their_agents_that_asked_you()}
    >
      <ul aria-labelledby="agents">
        {agents.map((agent) => (
          <li
            key={agent.agent_id}
            className="flex items-center gap-3 border-t border-line py-3 first:border-t-0"
          >
            <Duck id={agent.agent_id} size={32} />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <Link
                  href={`/agents/${agent.agent_id}`}
                  className="inline-flex min-h-6 items-center font-semibold no-underline wrap-anywhere hover:underline"
                >
                  <bdi translate="no">{quotedName(agent.agent_name)}</bdi>
                </Link>
                {agent.status === 'deregistered' ? <Pill>{m.askers_deregistered()}</Pill> : null}
              </p>
              <p className="text-sm text-soft">
                <Link
                  href={filteredPath('/pecks/history', { asker: agent.agent_id, direction: 'received' })}
                  className="inline-flex min-h-6 items-center underline decoration-line hover:decoration-ink"
                >
                  {askedWords(agent)}
                </Link>
                <LastAsked at={agent.last_asked_at} now={now} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function LastAsked({ at, now }: { at: string | null; now: Date }) {
  if (at === null) return null
  return (
    <>
      , <Sentence of={m.askers_last_asked} parts={{ time: () => <Time at={at} now={now} /> }} />
    </>
  )
}

interface CardActionsProps {
  card: AskerCard
  isOwn: boolean
  now: Date
}

/** Blocks or unblocks the person, and ends a pause after rejections. */
function CardActions({ card, isOwn, now }: CardActionsProps) {
  const { person, blocked_at: blockedAt, paused_until: pausedUntil } = card
  if (isOwn && pausedUntil === null) return null
  return (
    <Section id="reach" title={m.askers_reaching_you()}>
      <div className="grid justify-items-start gap-4">
        {pausedUntil === null ? null : (
          <>
            <p className="text-sm text-soft">
              <Sentence
                of={m.askers_cooldown_note}
                parts={{ time: () => <Time at={pausedUntil} now={now} /> }}
              />
            </p>
            <LiftPauseForm requester={person} />
          </>
        )}
        {isOwn ? null : blockedAt === null ? (
          <BlockForm requester={person} isBlocked={false} />
        ) : (
          <>
            <p className="text-sm text-soft">
              <Sentence
                of={m.askers_blocked_note}
                parts={{ time: () => <Time at={blockedAt} now={now} /> }}
              />
            </p>
            <UnblockForm ducklingId={person.duckling_id} name={isolated(personName(person))} />
          </>
        )}
      </div>
    </Section>
  )
}

interface AskerProps {
  params: Promise<{ id: string }>
}

export const generateMetadata = withProblemTitle(async function generateMetadata({
  params,
}: AskerProps): Promise<Metadata> {
  const { id } = await params
  await requireViewer(addressOf(id))
  const card = await findCard(id)
  return {
    title: card === null ? m.askers_asker() : isolated(personName(card.person)),
    robots: { index: false },
  }
})

/** The card of somebody who asked the viewer: who it is, and what the viewer decided before. */
export default withProblemPage(async function AskerPage({ params }: AskerProps) {
  const { id } = await params
  const viewer = await requireViewer(addressOf(id))
  const card = await findCard(id)
  if (card === null) {
    answerNotFound()
    return <MissingPage kind="asker" viewer={viewer} />
  }
  const now = readClock()
  const isOwn = card.person.duckling_id === viewer.duckling_id
  return (
    <div className="max-w-3xl">
      <BackLink href="/pecks">{m.askers_inbox()}</BackLink>
      <PersonHead person={card.person} now={now} />
      <Waiting card={card} now={now} />
      <Section id="person" title={isOwn ? m.askers_you() : m.askers_who_this_is()}>
        <PersonFacts card={card} now={now} />
      </Section>
      <AskingAgents agents={card.agents} isOwn={isOwn} now={now} />
      <Decisions card={card} now={now} />
      <Announcements>
        <CardActions card={card} isOwn={isOwn} now={now} />
      </Announcements>
    </div>
  )
})

const addressOf = (id: string) => `/pecks/askers/${encodeURIComponent(id)}`

/** Returns the card, or null when the viewer has seen no request of that asker. Cached, because the page and its title both read it. */
const findCard = cache((id: string) => find('GET /beak/peck/asker', { query: { asker: id } }))
