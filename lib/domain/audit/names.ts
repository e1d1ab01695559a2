import { db } from '@/lib/db/client'
import type { AuditEventOutput } from './schema'

type Names = Map<string, string>

function idsIn(event: AuditEventOutput): string[] {
  const { asker } = event.metadata
  const ids = [event.actor.id, ...event.targets.map(({ id }) => id), asker]
  return ids.filter((id): id is string => typeof id === 'string')
}

/**
 * Returns the names of the ducklings and agents in the events of an account, by id, with two queries. The owner of the account knows
 * these names from the pecks. Reads nothing else about them.
 */
export async function namesIn(events: AuditEventOutput[]): Promise<Names> {
  const ids = [...new Set(events.flatMap(idsIn))]
  const of = (prefix: string) => ({ id: { in: ids.filter((id) => id.startsWith(prefix)) } })
  const ducklings = await db().duckling.findMany({
    where: of('DUCK-'),
    select: { id: true, displayName: true },
  })
  const agents = await db().agent.findMany({ where: of('AGT-'), select: { id: true, name: true } })
  return new Map([
    ...ducklings.map(({ id, displayName }) => [id, displayName] as const),
    ...agents.map(({ id, name }) => [id, name] as const),
  ])
}
