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
  const rows = await db().rows<{ id: string; name: string }>`
    SELECT "id", coalesce("fullName", "displayName") AS "name" FROM "Duckling" WHERE "id" = ANY(${ids}::text[])
    UNION ALL SELECT "id", "name" FROM "Agent" WHERE "id" = ANY(${ids}::text[])`
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]))
}
