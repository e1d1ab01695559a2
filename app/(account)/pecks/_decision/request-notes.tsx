/** Calm lines around a request: facts that help to decide and are no danger by themselves. */
import { Ban, Clock3, Fingerprint, Repeat2, Server, Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'
import { TimeText } from '@/components/ui/time-text'
import { visible } from '@/lib/kernel/text/visible'
import type { Peck, PeckWithDetails } from '../_peck/reads'
import { requesterName } from '../_peck/words'
import type { AskerHistory } from './history-words'
import { usedWords } from './used-words'

/** Says that the service does not know the action. */
export function UnknownAction({ peck, details }: PeckWithDetails) {
  if (!details.display.sentence.startsWith('“')) return null
  const whose = peck.requester.agent_name === undefined ? "the requester's" : "the agent's"
  return <p className="mt-2 text-sm">Beak doesn't know this action. The words are {whose} own.</p>
}

/** Says whose words they are, beside words of the asker that sound like the service. */
export function ImitationWarning() {
  return (
    <p className="flex items-start gap-2 text-sm font-semibold text-bad">
      <Ban aria-hidden="true" size={16} className="mt-1 shrink-0" />
      Beak never writes here. These are the requester's own words.
    </p>
  )
}

/** What is new about the asker, the action or the values. */
export function NoveltyLines({
  peck,
  novelty,
}: {
  peck: Peck
  novelty: NonNullable<Peck['risk']>['novelty']
}) {
  return novelty.map(({ rule, text }) => (
    <Line key={rule} icon={<Sparkles aria-hidden="true" size={16} />}>
      {rule === 'first_time_asker' ? (
        <>
          You've never approved anything from <bdi>{requesterName(peck.requester)}</bdi>.
        </>
      ) : (
        text
      )}
    </Line>
  ))
}

/** Where the permission will be used. Only the requester says so. */
export function AudienceLine({ audience }: { audience: string }) {
  return (
    <Line icon={<Server aria-hidden="true" size={16} />}>
      Will be used at <code>{visible(audience)}</code> (named by the requester)
    </Line>
  )
}

/** That only a signed approval counts. Beak demands the passkey, too. */
export function SignatureLine() {
  return (
    <Line icon={<Fingerprint aria-hidden="true" size={16} />}>
      The service that will act accepts only an approval signed with a passkey.
    </Line>
  )
}

/** What the asker did with earlier approvals. */
export function UsedLine({ used, now, zone }: { used: AskerHistory['used'] } & Times) {
  if (used === null || used.approvals === 0) return null
  const { last_used_at: at } = used
  return (
    <Line icon={<Repeat2 aria-hidden="true" size={16} />}>
      {usedWords(used)}
      {at === null ? (
        '.'
      ) : (
        <>
          , last <TimeText at={at} now={now} zone={zone} />.
        </>
      )}
    </Line>
  )
}

interface Times {
  now: Date
  zone: string | null
}

/** What happens when the person does nothing. */
export function ExpiryLine({ peck, now, zone }: { peck: Peck } & Times) {
  return (
    <Line icon={<Clock3 aria-hidden="true" size={16} />}>
      If nobody answers, the request expires <TimeText at={peck.expires_at} now={now} zone={zone} /> and
      nothing happens.
    </Line>
  )
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex items-start gap-2.5 text-sm text-soft">
      <span className="mt-1 shrink-0">{icon}</span>
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  )
}
