import { personName } from '@beak/decision/person-name'
import { BadgeCheck, History } from 'lucide'
import { Sentence } from '@/components/sentence'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { TimeText } from '@/components/ui/time-text'
import { m } from '@/lib/kernel/messages'
import { FirstContact, OwnerLine } from '../_peck/owner-line'
import { TargetName } from '../_peck/parties'
import type { PeckWithDetails } from '../_peck/reads'
import { ShortValue } from '../_values/value'
import { type AskerHistory, historyWords } from './request-notes'

interface AskerProps extends PeckWithDetails {
  viewer: { duckling_id: string }
  now: Date
  zone: string | null
}

/** Who stands behind a request (the operator of an agent, the trust tier, the certificate), whom it asks when that is not the viewer, and until when the request waits. */
export function Asker({ peck, details, viewer, now, zone }: AskerProps) {
  const { requester } = peck
  const isOwn = requester.duckling_id === viewer.duckling_id
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft sm:gap-x-1 sm:[&>:not(:last-child)]:after:content-['\00a0·']">
      <Who requester={requester} viewerId={viewer.duckling_id} now={now} />
      {peck.target_duckling_id === viewer.duckling_id ? null : (
        <span className="wrap-anywhere">
          <Sentence of={m.decision_to_target} parts={{ target: () => <TargetName peck={peck} /> }} />
        </span>
      )}
      {details.first_contact && !isOwn && peck.status === 'pending' ? <FirstContact /> : null}
      {isOwn ? null : (
        <span>
          <CertificateLink certificateId={details.requester_cert_id} isAgent={requester.type === 'agent'} />
        </span>
      )}
      <span>
        {peck.status === 'pending' ? (
          <Sentence
            of={m.decision_answer_until}
            parts={{ until: () => <TimeText at={peck.expires_at} now={now} zone={zone} /> }}
          />
        ) : (
          <Sentence
            of={m.decision_sent_at}
            parts={{ at: () => <TimeText at={peck.created_at} now={now} zone={zone} /> }}
          />
        )}
      </span>
    </p>
  )
}

interface WhoProps {
  requester: PeckWithDetails['peck']['requester']
  viewerId: string
  now: Date
}

/** Whose agent asks, and what tells another person from others with the same name. */
function Who({ requester, viewerId, now }: WhoProps) {
  if (requester.duckling_id === viewerId)
    return requester.agent_name === undefined ? null : <span>{m.decision_your_agent()}</span>
  return (
    <span className="wrap-anywhere">
      {requester.agent_name === undefined ? null : (
        <>
          <Sentence
            of={m.decision_an_agent_of_requester}
            with={{ requester: personName(requester) }}
            parts={{
              link: (children) => (
                <Link
                  href={`/pecks/askers/${requester.duckling_id}`}
                  className="text-ink underline decoration-line hover:decoration-ink"
                >
                  {children}
                </Link>
              ),
            }}
          />
          {' · '}
        </>
      )}
      <OwnerLine owner={requester} now={now.getTime()} />
    </span>
  )
}

interface CertificateLinkProps {
  certificateId: string | null
  isAgent: boolean
}

/** The certificate of the person who asks, or of the owner of the agent. */
function CertificateLink({ certificateId, isAgent }: CertificateLinkProps) {
  if (certificateId === null)
    return isAgent ? m.decision_owner_has_no_certificate() : m.decision_no_certificate()
  return (
    <Link
      href={`/verify/${certificateId}`}
      className="inline-flex min-h-6 items-center gap-1.5 underline decoration-line hover:decoration-ink"
    >
      <Icon of={BadgeCheck} size={16} className="text-good" />
      {m.decision_certified()}
    </Link>
  )
}

interface AskerHistoryLineProps {
  history: AskerHistory
  now: Date
  zone: string | null
}

/** What the viewer did with earlier requests of this asker: "Asked 14 times, you approved 12. Last time, 3 days ago: €38.00". */
export function AskerHistoryLine({ history, now, zone }: AskerHistoryLineProps) {
  const value = history.approved_values.find(({ decides }) => decides)
  const lastTime =
    history.approved_at === null ? null : <TimeText at={history.approved_at} now={now} zone={zone} />
  return (
    <p className="flex items-start gap-2.5 text-sm text-soft">
      <Icon of={History} size={16} className="mt-1 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {historyWords(history)}
        {history.approved_at === null ? null : (
          <>
            {' '}
            {value === undefined ? (
              <Sentence of={m.decision_last_time_plain} parts={{ time: () => lastTime }} />
            ) : (
              <Sentence
                of={m.decision_last_time_value}
                parts={{ time: () => lastTime, value: () => <ShortValue value={value} /> }}
              />
            )}
          </>
        )}
      </span>
    </p>
  )
}
