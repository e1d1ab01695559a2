import { Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { isolated, personName } from '@/lib/kernel/text/person-name'
import { BlockForm } from '../../_forms/block-form'
import { LiftPauseForm } from '../../_forms/lift-pause-form'
import { UnblockForm } from '../../_forms/unblock-form'
import type { AskerCard } from './card'

interface CardActionsProps {
  card: AskerCard
  isOwn: boolean
  now: Date
}

/** Blocks or unblocks the person, and ends a pause after rejections. */
export function CardActions({ card, isOwn, now }: CardActionsProps) {
  const { person, blocked_at: blockedAt, paused_until: pausedUntil } = card
  if (isOwn && pausedUntil === null) return null
  return (
    <Section id="reach" title="Reaching you">
      <div className="grid justify-items-start gap-4">
        {pausedUntil === null ? null : (
          <>
            <p className="text-sm text-soft">
              After your rejections they can't ask for some or all things. This ends{' '}
              <Time at={pausedUntil} now={now} />.
            </p>
            <LiftPauseForm requester={person} />
          </>
        )}
        {isOwn ? null : blockedAt === null ? (
          <BlockForm requester={person} isBlocked={false} />
        ) : (
          <>
            <p className="text-sm text-soft">
              You blocked them <Time at={blockedAt} now={now} />. Their requests don't reach you, and they
              aren't told.
            </p>
            <UnblockForm ducklingId={person.duckling_id} name={isolated(personName(person))} />
          </>
        )}
      </div>
    </Section>
  )
}
