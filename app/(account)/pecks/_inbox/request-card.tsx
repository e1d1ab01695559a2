import { Card } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { PeckDecision, type PeckDecisionProps } from '../_decision/peck-decision'
import { RequestFacts } from '../_peck/request-facts'
import { Requester } from '../_peck/requester'
import { actionTitle } from '../_peck/words'

/** A pending request with all its facts and the decision. */
export function RequestCard({ now, ...request }: PeckDecisionProps & { now: Date }) {
  const { peck, viewer } = request
  const heading = `request-${peck.peck_id}`
  return (
    <article aria-labelledby={heading}>
      <Card className="grid gap-6">
        <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <Requester {...request} viewerId={viewer.duckling_id} />
          <p className="text-sm text-soft">
            Sent <Time at={peck.created_at} now={now} />, expires <Time at={peck.expires_at} now={now} />
          </p>
        </header>
        <div>
          <h2 id={heading} tabIndex={-1} className="mb-2 wrap-anywhere">
            {actionTitle(peck.action)}
          </h2>
          <RequestFacts {...request} viewerId={viewer.duckling_id} />
        </div>
        <footer className="border-t border-line pt-5">
          <PeckDecision {...request} />
        </footer>
      </Card>
    </article>
  )
}
