/**
 * Records when sessions, agents and keys were last used, so that authentication never waits for a write. Times are recorded in
 * memory. The worker writes them every few seconds, one statement for each table, and each row at most once a minute.
 */
import { db } from '@/lib/db/client'
import { singleton } from '@/lib/kernel/singleton'

type SeenKind = 'session' | 'agent' | 'key'

interface Seen {
  at: Date
  writtenAt: Date | null
}

/** Milliseconds between two writes of one row. */
const writePause = 60_000
const entriesMax = 50_000
const seen = () =>
  singleton('seen', () => ({
    session: new Map<string, Seen>(),
    agent: new Map<string, Seen>(),
    key: new Map<string, Seen>(),
  }))

/** Records a use in memory. */
export function recordSeen(kind: SeenKind, id: string, now: Date): void {
  const known = seen()[kind].get(id)
  if (known) known.at = now
  else seen()[kind].set(id, { at: now, writtenAt: null })
}

/** Returns the last use: the later one of the time in memory and the time in the row (`stored`). */
export function lastSeen(kind: SeenKind, id: string, stored: Date | null): Date | null {
  const at = seen()[kind].get(id)?.at
  return at !== undefined && (stored === null || at > stored) ? at : stored
}

function takeDue(kind: SeenKind): { ids: string[]; times: Date[] } {
  const ids: string[] = []
  const times: Date[] = []
  const map = seen()[kind]
  for (const [id, entry] of map) {
    if (entry.writtenAt !== null && entry.at.getTime() - entry.writtenAt.getTime() < writePause) continue
    entry.writtenAt = entry.at
    ids.push(id)
    times.push(entry.at)
  }
  if (map.size > entriesMax) map.clear()
  return { ids, times }
}

/** Writes the times that are due. Called by the worker. */
export async function writeSeen(): Promise<void> {
  const sessions = takeDue('session')
  if (sessions.ids.length > 0) {
    await db()
      .run`UPDATE "Session" t SET "lastSeenAt" = v.at FROM unnest(${sessions.ids}::text[], ${sessions.times}::timestamptz[]) AS v(id, at) WHERE t."id" = v.id`
  }
  const agents = takeDue('agent')
  if (agents.ids.length > 0) {
    await db()
      .run`UPDATE "Agent" t SET "lastSeenAt" = v.at FROM unnest(${agents.ids}::text[], ${agents.times}::timestamptz[]) AS v(id, at) WHERE t."id" = v.id`
  }
  const keys = takeDue('key')
  if (keys.ids.length > 0) {
    await db()
      .run`UPDATE "BeakKey" t SET "lastUsedAt" = v.at FROM unnest(${keys.ids}::text[], ${keys.times}::timestamptz[]) AS v(id, at) WHERE t."id" = v.id`
  }
}
