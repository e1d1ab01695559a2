import { Sentence } from '@/components/sentence'
import { Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
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
    <Section id="reach" title={m.askers_reaching_you()}>
      <div className="grid justify-items-start gap-4">
        {pausedUntil === null ? null : (
          <>
            <p className="text-sm text-soft">
              <Sentence
                of={m.askers_after_your_rejections_they_cant_ask}
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
                of={m.askers_you_blocked_them_their_requests_dont}
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
