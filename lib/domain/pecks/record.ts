import type { Tx } from '@/lib/db/client'
import { announce } from '@/lib/infrastructure/events/changes'
import { type Actor, record, type Target } from '@/lib/infrastructure/events/record'
import type { Context } from '@/lib/kernel/context'
import type { PeckRow } from './rows'
import { presentPeck } from './schema'

type PeckEvent = `peck.${'sent' | 'approved' | 'rejected' | 'expired' | 'cancelled' | 'consumed' | 'revoked'}`

/** Returns the ducklings whose logs record a peck: asker and target, or only the asker when the target has blocked the asker. */
export function sidesOf(peck: PeckRow): string[] {
  return peck.blocked ? [peck.requesterDucklingId] : [peck.requesterDucklingId, peck.targetDucklingId]
}

/**
 * Records an event of a peck for its sides, notifies open long polls and streams, and enqueues webhooks with the peck as it is
 * now. The webhook data has no grant token, because both sides receive it.
 */
export function recordPeck(
  tx: Tx,
  context: Context,
  kind: PeckEvent,
  peck: PeckRow,
  details: { actor?: Actor; concerning?: string[]; metadata?: Record<string, string | number> } = {},
): void {
  const targets: Target[] = [
    { type: 'peck', id: peck.id },
    { type: 'duckling', id: peck.targetDucklingId },
  ]
  if (peck.requesterAgentId !== null) targets.push({ type: 'agent', id: peck.requesterAgentId })
  record(tx, context, kind, {
    concerning: details.concerning ?? sidesOf(peck),
    targets,
    metadata: { action: peck.action, scope: peck.scope, asker: peck.askerId, ...details.metadata },
    data: presentPeck(peck, context.now),
    ...(details.actor ? { actor: details.actor } : {}),
  })
  announce(tx, peck)
}
