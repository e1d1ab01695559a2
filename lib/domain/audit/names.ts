import { db } from '@/lib/db/client'
import type { AuditEventInput } from './schema'

function idsIn(event: AuditEventInput): string[] {
  const { asker } = event.metadata
  const ids = [event.actor.id, ...event.targets.map(({ id }) => id), asker]
  return ids.filter((id): id is string => typeof id === 'string')
}

/**
 * Returns the current names of the ducklings and agents that the events mention, by id. The owner of the log has dealt with all of
 * them, and their pecks show these names.
 */
export async function namesIn(events: AuditEventInput[]): Promise<Record<string, string>> {
  const ids = [...new Set(events.flatMap(idsIn))]
  const of = (prefix: string) => ({ id: { in: ids.filter((id) => id.startsWith(prefix)) } })
  const ducklings = await db().duckling.findMany({
    where: of('DUCK-'),
    select: { id: true, displayName: true },
  })
  const agents = await db().agent.findMany({ where: of('AGT-'), select: { id: true, name: true } })
  return Object.fromEntries([
    ...ducklings.map(({ id, displayName }) => [id, displayName] as const),
    ...agents.map(({ id, name }) => [id, name] as const),
  ])
}
