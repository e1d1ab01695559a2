/** Words for a peck in a list. */

import { visible } from '@beak/decision/visible'
import { Fragment, type ReactNode } from 'react'
import { Duck } from '@/components/duck'
import { ActionWords } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { Parties } from '../_peck/parties'
import type { Peck, PeckDetails, PeckWithDetails, ShownPeck } from '../_peck/reads'
import { badgesOf, grantStatusOf, isByRule, usesWords } from '../_peck/words'
import { ValuesLine } from './values-line'

const decidedWords: Record<Peck['status'], () => string> = {
  pending: m.requests_sent,
  approved: m.requests_approved,
  rejected: m.requests_rejected,
  cancelled: m.requests_withdrawn,
  expired: m.requests_expired,
}

const ruleWords: Partial<typeof decidedWords> = {
  approved: m.requests_approved_by_a_rule,
  rejected: m.requests_rejected_by_a_rule,
}

/** Returns what last happened to the request, and when: "Approved" and the time of the approval. */
export function decidedAt(
  peck: Pick<Peck, 'status' | 'created_at' | 'decided_at' | 'expires_at' | 'decided_by'>,
): { word: string; at: string } {
  const { status, created_at, decided_at, expires_at } = peck
  const at = status === 'expired' ? expires_at : (decided_at ?? created_at)
  const words = (isByRule(peck) ? ruleWords[status] : undefined) ?? decidedWords[status]
  return { word: words(), at }
}

/** Returns how often a permission was used, and when last. Null when it was not approved. */
export function lastUse(peck: Peck): { words: string; at: string | null } | null {
  const { uses, last_used_at } = peck
  if (grantStatusOf(peck) === null) return null
  if (last_used_at === null || uses === 0) return { words: usesWords(peck), at: null }
  return {
    words: m.requests_used_times_last({ count: uses }),
    at: last_used_at,
  }
}

/** Returns when a permission ends or has ended. Null when that says nothing: it is used up, or was not approved. */
export function endOf(
  peck: Pick<Peck, 'action' | 'grant_status' | 'grant_expires_at'>,
  { grant_revoked_at }: Pick<PeckDetails, 'grant_revoked_at'>,
): { words: string; at: string | null } | null {
  const { grant_expires_at } = peck
  const status = grantStatusOf(peck)
  if (status === null || status === 'consumed') return null
  if (status === 'revoked') return { words: m.requests_revoked(), at: grant_revoked_at }
  if (grant_expires_at === null) return { words: m.requests_valid_until_revoked(), at: null }
  return {
    words: status === 'active' ? m.requests_expires() : m.requests_expired(),
    at: grant_expires_at,
  }
}

interface RowFactsProps extends PeckWithDetails {
  now: Date
  /** Who asked whom. */
  parties: ReactNode
}

/** Who asked whom, when the request was answered, and the state of its permission. */
function RowFacts({ peck, details, now, parties }: RowFactsProps) {
  const facts = factsOf({ peck, details }, now)
  return (
    <p className="text-sm text-soft wrap-anywhere">
      {parties}
      {facts.map(({ name, words }) => (
        <Fragment key={name}>
          <span aria-hidden="true"> · </span>
          <span>{words}</span>
        </Fragment>
      ))}
    </p>
  )
}

function factsOf({ peck, details }: PeckWithDetails, now: Date): { name: string; words: ReactNode }[] {
  const decided = decidedAt(peck)
  const [use, end] = [lastUse(peck), endOf(peck, details)]
  const timed = ({ words, at }: { words: string; at: string | null }) => (
    <>
      {words} {at === null ? null : <Time at={at} now={now} />}
    </>
  )
  return [
    { name: 'decided', words: timed({ words: decided.word, at: decided.at }) },
    peck.status === 'pending' && {
      name: 'due',
      words: timed({ words: m.requests_expires(), at: peck.expires_at }),
    },
    use !== null && { name: 'use', words: timed(use) },
    end !== null && { name: 'end', words: timed(end) },
    peck.audience !== undefined && {
      name: 'audience',
      words: <Sentence of={m.requests_for_service} with={{ audience: visible(peck.audience) }} />,
    },
    details.signed && { name: 'signed', words: m.requests_signed_with_a_passkey() },
    peck.reason !== null && {
      name: 'reason',
      words: (
        <Sentence
          of={m.requests_reason}
          parts={{ reason: () => <bdi translate="no">“{visible(peck.reason ?? '')}”</bdi> }}
        />
      ),
    },
  ].filter((fact) => fact !== false)
}

interface PeckRowProps extends ShownPeck {
  viewerId: string
  now: Date
  /** The buttons for this peck. */
  actions?: ReactNode
}

/** A peck in a list, with a link to its page: what was asked, the values that decide, who asked, and the outcome. */
export function PeckRow({ viewerId, now, actions, ...request }: PeckRowProps) {
  const { peck, details, words } = request
  const isReceived = peck.target_duckling_id === viewerId
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line py-3 first:border-t-0 sm:flex-nowrap">
      <div className="flex min-w-0 max-w-full items-start gap-3 sm:flex-1">
        <Duck id={duckOf(peck, isReceived)} size={32} />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Link
              href={`/pecks/${peck.peck_id}`}
              className="inline-flex min-h-6 items-center font-semibold no-underline wrap-anywhere hover:underline"
            >
              <ActionWords words={words.title} />
            </Link>
            <Badges peck={peck} />
          </p>
          <ValuesLine display={details.display} />
          <RowFacts {...request} now={now} parties={<Parties peck={peck} viewerId={viewerId} now={now} />} />
        </div>
      </div>
      {actions}
    </li>
  )
}

function Badges({ peck }: Pick<PeckWithDetails, 'peck'>) {
  return badgesOf(peck).map(({ label, tone }) => (
    <Pill key={label} tone={tone}>
      {label}
    </Pill>
  ))
}

/** Returns whose picture the row shows: the asker of a request that the viewer received, else the person who was asked. */
function duckOf({ requester, target_duckling_id }: PeckWithDetails['peck'], isReceived: boolean): string {
  return isReceived ? (requester.agent_id ?? requester.duckling_id) : target_duckling_id
}
