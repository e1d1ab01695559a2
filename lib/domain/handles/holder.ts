import { z } from 'zod'
import { db } from '@/lib/db/client'
import { leftJoinRow, type Sql, sql } from '@/lib/db/sql'
import { config } from '@/lib/kernel/config'
import type { AgentCaller, Context, Fails, SessionCaller } from '@/lib/kernel/request/context'
import { instant, tier } from '@/lib/kernel/request/fields'
import { handleIn } from '@/lib/kernel/request/handle'
import type { Tier } from '@/lib/kernel/request/tier'
import { day, hour, secondsAfter } from '@/lib/kernel/runtime/clock'
import { seal, unseal } from '@/lib/kernel/secrets/secrets'

/** How long a released handle is blocked, and how long a change counts: 365 days. */
export const handleYear = 365 * day
/** The first handle and two changes. */
const claimsMax = 3

/** Returns when the handle may change again, or null when it may change now. `claims`: when the account chose its handles, oldest first. */
export function nextHandleChange(claims: Date[], now: Date): Date | null {
  const counted = claims.slice(-claimsMax)
  const [, second] = counted
  // Two changes: with fewer than three claims, the oldest is the first handle, which does not count.
  if (counted.length < claimsMax || second === undefined) return null
  const next = secondsAfter(second, handleYear)
  return next > now ? next : null
}

/** Returns the times to store after another claim. */
export const withClaim = (claims: Date[], now: Date): Date[] => [...claims, now].slice(-claimsMax)

/** Returns the address of the page of a person. */
const handleUrl = (handle: string) => `${config().baseUrl}/@${handle}`

/** The caller's own handle. */
export const OwnHandle = z
  .object({
    success: z.literal(true),
    handle: z.string().nullable().meta({ description: 'Without `@`. Null after a release.' }),
    url: z.string().nullable().meta({ description: 'The public page of the handle.' }),
    next_handle_change_at: instant
      .nullable()
      .meta({ description: 'When you can choose another handle. Null: now.' }),
  })
  .meta({ id: 'OwnHandle' })

export type OwnHandleInput = z.input<typeof OwnHandle>

export function presentOwnHandle(handle: string | null, claims: Date[], now: Date): OwnHandleInput {
  return {
    success: true,
    handle,
    url: handle === null ? null : handleUrl(handle),
    next_handle_change_at: nextHandleChange(claims, now),
  }
}

/** What everybody sees of a person with a handle: as much as the public page shows. */
export const PublicPerson = z
  .object({
    handle: z.string().meta({ description: 'Without `@`, in small letters.' }),
    duckling_id: z.string().meta({
      description:
        'Compare it with the id that you know: a handle can belong to somebody else a year after its release.',
    }),
    display_name: z.string(),
    full_name: z.string().optional().meta({ description: 'The name in any script, if the person has one.' }),
    trust_tier: tier,
    certified: z.boolean(),
    cert_id: z.string().nullable().meta({ description: 'The active certificate.' }),
    since: z.string().meta({ description: 'Year and month of the sign-up, `YYYY-MM`.' }),
    listed: z
      .boolean()
      .meta({ description: 'False: only the person and people who got an answer from the person see this.' }),
    agents: z
      .array(z.object({ agent_id: z.string(), agent_name: z.string(), agent_type: z.string() }))
      .meta({ description: 'The bonded agents, oldest first.' }),
    url: z.string().meta({ description: 'The public page.' }),
  })
  .meta({ id: 'PublicPerson' })

type PublicPersonInput = z.input<typeof PublicPerson>

/** References to people that a search found. They name a person without showing the id, and only to the account that searched. */

/** A reference is valid for an hour: long enough to write a request. */
const foundSeconds = hour

const prefix = 'found_'
const labelOf = (searcherId: string) => `found:${searcherId}`

/** Returns a reference to `ducklingId` that only `searcherId` and their agents can use. */
export function foundRef(searcherId: string, ducklingId: string, now: Date): string {
  const until = secondsAfter(now, foundSeconds).getTime()
  return `${prefix}${seal(Buffer.from(`${ducklingId} ${until}`), labelOf(searcherId)).toString('base64url')}`
}

/** Whether a text has the form of a reference. */
const isFoundRef = (text: string): boolean => text.startsWith(prefix)

/** Returns the id in a reference. Null when it has expired, was changed, or was made for another account. */
function idInFoundRef(searcherId: string, ref: string, now: Date): string | null {
  try {
    const sealed = Buffer.from(ref.slice(prefix.length), 'base64url')
    const [id = '', until] = unseal(sealed, labelOf(searcherId)).toString().split(' ')
    return Number(until) > now.getTime() ? id : null
  } catch {
    return null
  }
}

/** Who may learn whose handle it is (contract F, Handles). */

type Viewer = SessionCaller | AgentCaller | null

/**
 * Tells in SQL whether a caller may see the handle of the duckling `d`: of a listed person everybody, of any other only the person and those
 * whom the person has answered and does not block. The agents of a caller count as the caller. An approval is found in the history of askers,
 * and a rejection in the index of the limits, because an asker may have thousands of decided pecks.
 *
 * Without a `d`, the same rows are looked for with an empty id: the time of the answer must not tell a hidden handle from an unknown one.
 */
export function maySee(viewer: Viewer): Sql {
  if (viewer === null) return sql`d."listed"`
  const { id } = viewer
  const holder = sql`coalesce(d."id", '')`
  return sql`(d."listed" OR d."id" = ${id} OR (
    NOT EXISTS (SELECT 1 FROM "PeckBlock" b WHERE b."ducklingId" = ${holder} AND b."blockedDucklingId" = ${id})
    AND (EXISTS (SELECT 1 FROM "Peck" p
        WHERE p."requesterDucklingId" = ${id} AND p."targetDucklingId" = ${holder} AND p."status" = 'rejected')
      OR EXISTS (SELECT 1 FROM (SELECT ${id} AS "id" UNION ALL SELECT a."id" FROM "Agent" a WHERE a."ducklingId" = ${id}) asker
        CROSS JOIN LATERAL (SELECT 1 FROM "AskerHistory" h
          WHERE h."targetDucklingId" = ${holder} AND h."askerId" = asker."id" AND h."approved" > 0 LIMIT 1) known))))`
}

/**
 * Selects the duckling that has a handle, as `d`, and a row without one when nobody has it: then `maySee` does the same work and is not true.
 * Closing an account releases its handle.
 */
export const holderOf = (handle: string): Sql =>
  sql`(SELECT 1) one LEFT JOIN (SELECT * FROM "Duckling" WHERE "handle" = ${handle} LIMIT 1) d ON true`

/**
 * Returns the id that a request names with an id, with `@` and a handle, or with the reference of a search. Null for a handle that nobody has and for one that the
 * caller may not see, with the same work. An id is returned as it is: the command checks whether the account exists.
 */
export async function findNamedDuckling(
  caller: SessionCaller | AgentCaller,
  ref: string,
  now: Date,
): Promise<string | null> {
  if (isFoundRef(ref)) return idInFoundRef(caller.id, ref, now)
  const handle = handleIn(ref)
  if (handle === null) return ref
  const [holder] = await db().rows<{ id: string }>`
    SELECT d."id" FROM ${holderOf(handle)} WHERE ${maySee(caller)}`
  return holder?.id ?? null
}

/** More people whom the caller has approved are not looked through. The id always works. */
const approvedMax = 1000

/**
 * Does the same for commands about people who asked the caller: they may be named with the handle that their requests show, even when the
 * directory does not list them. Looks through what the caller has approved and not through the agents of the holder: the time must not
 * tell a hidden handle from an unknown one.
 */
export async function resolveAsker<F extends 'duckling_not_found' | 'duckling_not_blocked'>(
  { caller, fail }: Fails<F> & { caller: SessionCaller },
  ref: string,
  failure: F,
): Promise<string> {
  const handle = handleIn(ref)
  if (handle === null) return ref
  const holder = sql`coalesce(d."id", '')`
  const [found] = await db().rows<{ id: string }>`
    SELECT d."id" FROM ${holderOf(handle)} WHERE ${maySee(caller)}
      OR EXISTS (SELECT 1 FROM "Peck" p WHERE p."requesterDucklingId" = ${holder} AND p."targetDucklingId" = ${caller.id}
        AND p."status" IN ('pending', 'rejected') AND (NOT p."blocked" OR p."hiddenAt" IS NOT NULL))
      OR EXISTS (SELECT 1 FROM (SELECT "askerId" FROM "AskerHistory"
          WHERE "targetDucklingId" = ${caller.id} AND "approved" > 0 LIMIT ${approvedMax}) known
        ${leftJoinRow('Agent', 'a', 'known."askerId"')}
        WHERE coalesce(a."ducklingId", known."askerId") = ${holder})`
  if (found === undefined) throw fail(failure)
  return found.id
}

interface Row {
  id: string
  displayName: string
  fullName: string | null
  trustTier: Tier
  createdAt: Date
  listed: boolean
  /** The active certificate. */
  certId: string | null
  agents: PublicPersonInput['agents']
}

/** Returns what the page of a handle shows. Throws `handle_not_found`, the same for a handle that the caller may not see. */
export async function viewHandle(
  { caller, fail }: Context<SessionCaller | AgentCaller | null, 'handle_not_found'>,
  handle: string,
): Promise<PublicPersonInput> {
  const [row] = await db().rows<Row>`
    SELECT d."id", d."displayName", d."fullName", d."trustTier", d."createdAt", d."listed", c."id" AS "certId",
      (SELECT coalesce(json_agg(json_build_object('agent_id', a."id", 'agent_name', a."name", 'agent_type', a."type") ORDER BY a."id"), '[]')
        FROM "Agent" a WHERE a."ducklingId" = d."id" AND a."status" = 'bonded' AND d."suspendedAt" IS NULL) AS "agents"
    FROM ${holderOf(handle)}
    ${leftJoinRow('Certificate', 'c', 'd."id"', 'activeFor')}
    WHERE ${maySee(caller)}`
  if (row === undefined) throw fail('handle_not_found')
  return {
    handle,
    duckling_id: row.id,
    display_name: row.displayName,
    ...(row.fullName === null ? {} : { full_name: row.fullName }),
    trust_tier: row.trustTier,
    certified: row.certId !== null,
    cert_id: row.certId,
    since: row.createdAt.toISOString().slice(0, 7),
    listed: row.listed,
    agents: row.agents,
    url: handleUrl(handle),
  }
}
