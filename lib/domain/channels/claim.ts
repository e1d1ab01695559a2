/**
 * Claims due messages to channels, fairly across hosts. One host has at most a quarter of the places of a worker, and after a timeout one place
 * until it answers. Hosts that have not answered this worker have a quarter together. So hosts that never answer hold few places.
 */
import { db } from '@/lib/db/client'
import { type ClaimedRow, claimSeconds } from '@/lib/infrastructure/worker/claim'
import { minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { singleton } from '@/lib/kernel/runtime/singleton'

/** Hosts that one claim looks at. The next claim goes on after them. */
const hostsMax = 100
/** Hosts that a worker knows something about. */
const knownMax = 10_000
const slowSeconds = 5 * minute

interface HostState {
  running: number
  hasAnswered: boolean
  slowUntil: Date | null
}

interface Hosts {
  states: Map<string, HostState>
  /** The host that was looked at last. */
  cursor: string
}

const hosts = () => singleton('channels.hosts', (): Hosts => ({ states: new Map(), cursor: '' }))

function stateOf(host: string): HostState {
  const { states } = hosts()
  const known = states.get(host) ?? { running: 0, hasAnswered: false, slowUntil: null }
  states.set(host, known)
  return known
}

/** Records whether a host answered in time, for its places. */
export function noteHost(host: string, isTimeout: boolean, now: Date): void {
  const state = stateOf(host)
  state.hasAnswered = !isTimeout
  state.slowUntil = isTimeout ? secondsAfter(now, slowSeconds) : null
}

function placesOf(host: string, places: number, unproven: number, now: Date): number {
  const state = hosts().states.get(host)
  const quarter = Math.max(1, Math.floor(places / 4))
  const running = state?.running ?? 0
  if (state?.slowUntil != null && state.slowUntil > now) return Math.max(0, 1 - running)
  if (state?.hasAnswered === true) return Math.max(0, quarter - running)
  return Math.max(0, Math.min(2 - running, quarter - unproven))
}

/** Returns hosts with waiting messages after the cursor, with one look into the index for each. */
async function findHosts(after: string): Promise<string[]> {
  const rows = await db().rows<{ host: string | null }>`
    WITH RECURSIVE present AS (
      (SELECT o."host" FROM "Outbox" o WHERE (o.host IS NOT NULL) AND (o."failedAt" IS NULL) AND o."host" > ${after}
        ORDER BY o."host" LIMIT 1)
      UNION ALL
      SELECT (SELECT o."host" FROM "Outbox" o WHERE (o.host IS NOT NULL) AND (o."failedAt" IS NULL) AND o."host" > present."host"
        ORDER BY o."host" LIMIT 1) FROM present WHERE present."host" IS NOT NULL
    ) SELECT "host" FROM present LIMIT ${hostsMax}::int`
  return rows.flatMap(({ host }) => host ?? [])
}

/** Claims up to `free` due messages for a worker with `places` places. */
export async function claimMessages(free: number, places: number, now: Date): Promise<ClaimedRow[]> {
  const state = hosts()
  const start = state.cursor
  const after = await findHosts(start)
  const found =
    after.length < hostsMax && start !== '' ? [...new Set([...after, ...(await findHosts(''))])] : after
  state.cursor = after.length < hostsMax ? '' : (after.at(-1) ?? '')
  let unproven = [...state.states.values()]
    .filter(({ hasAnswered }) => !hasAnswered)
    .reduce((sum, { running }) => sum + running, 0)
  const limits = found.map((host) => {
    const limit = placesOf(host, places, unproven, now)
    if (state.states.get(host)?.hasAnswered !== true) unproven += limit
    return limit
  })
  const rows = await db().rows<ClaimedRow & { host: string }>`
    WITH due AS MATERIALIZED (
      SELECT row."id" FROM unnest(${found}::text[], ${limits}::int[]) AS wanted ("host", "places") CROSS JOIN LATERAL (
        SELECT o."id", o."dueAt", row_number() OVER (ORDER BY o."dueAt") AS "turn" FROM (
          SELECT "id", "dueAt" FROM "Outbox"
          WHERE (host IS NOT NULL) AND ("failedAt" IS NULL) AND "host" = wanted."host" AND "dueAt" <= ${now}::timestamptz
            AND ("claimedUntil" IS NULL OR "claimedUntil" <= ${now}::timestamptz)
          ORDER BY "dueAt" LIMIT wanted."places" FOR UPDATE SKIP LOCKED) o
      ) row ORDER BY row."turn", row."dueAt" LIMIT ${free}::int
    )
    UPDATE "Outbox" o SET "claimedUntil" = ${secondsAfter(now, claimSeconds)}::timestamptz, "attempts" = o."attempts" + 1
    FROM due WHERE o."id" = due."id"
    RETURNING o."id", o."kind", o."payload", o."attempts", o."claimedUntil", o."host"`
  for (const { host } of rows) stateOf(host).running++
  return rows
}

/**
 * Frees the place of a message to a host. Owners choose the hosts, so their number has a limit: beyond it, an idle host is forgotten and begins
 * again as one that has not answered.
 */
export function releaseHost(host: string): void {
  const { states } = hosts()
  const state = stateOf(host)
  state.running = Math.max(0, state.running - 1)
  if (states.size > knownMax && state.running === 0) states.delete(host)
}
