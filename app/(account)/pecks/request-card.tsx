import { Check, X } from 'lucide-react'
import type { Viewer } from '@/app/_web/viewer'
import { Card } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { Answer } from './answer'
import { Asker } from './asker'
import { RequestFacts } from './facts'
import type { Peck, PeckWithDetails } from './reads'
import type { Settled } from './settled'
import { actionWords, lifetimes } from './words'

interface AnswerToProps extends PeckWithDetails {
  viewer: Viewer
  hasPasskey: boolean
  settled?: Settled | null
  isOnItsPage?: boolean
}

/** The forms that answer a request, as far as this viewer may use them. */
export function AnswerTo({ peck, details, viewer, hasPasskey, settled, isOnItsPage }: AnswerToProps) {
  const isOwnAgent = peck.requester.duckling_id === viewer.duckling_id
  return (
    <Answer
      peckId={peck.peck_id}
      subject={actionWords(peck.action)}
      askerName={isOwnAgent ? null : peck.requester.display_name}
      lifetimes={lifetimes(details.grant_seconds)}
      passkey={passkeyFor(peck, viewer, hasPasskey)}
      settled={settled}
      isOnItsPage={isOnItsPage}
      icons={{
        approve: <Check aria-hidden="true" size={18} />,
        reject: <X aria-hidden="true" size={18} />,
      }}
    />
  )
}

function passkeyFor(peck: Peck, viewer: Viewer, hasPasskey: boolean) {
  const isNeeded = peck.scope === 'standing' || viewer.require_passkey_for_pecks
  if (isNeeded) return hasPasskey ? 'required' : 'missing'
  return hasPasskey ? 'optional' : 'none'
}

/** A request that waits, whole: who, what, how long, in whose words, and the answer. */
export function RequestCard({ now, ...request }: AnswerToProps & { now: Date }) {
  const { peck } = request
  const heading = `request-${peck.peck_id}`
  return (
    <article aria-labelledby={heading}>
      <Card className="grid gap-6">
        <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <Asker {...request} />
          <p className="text-sm text-soft">
            asked <Time at={peck.created_at} now={now} />, runs out <Time at={peck.expires_at} now={now} />
          </p>
        </header>
        <div>
          <h2 id={heading} tabIndex={-1} className="mb-2 wrap-anywhere">
            {actionWords(peck.action)}
          </h2>
          <RequestFacts {...request} />
        </div>
        <footer className="border-t border-line pt-5">
          <AnswerTo {...request} />
        </footer>
      </Card>
    </article>
  )
}
