/** Who may learn whose handle it is (contract F, Handles). */
import { db } from '@/lib/db/client'
import { leftJoinRow, type Sql, sql } from '@/lib/db/sql'
import type { AgentCaller, Fails, SessionCaller } from '@/lib/kernel/context'
import { handleIn } from '@/lib/kernel/handle'
import { idInFoundRef, isFoundRef } from './found'

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
 * Returns the id that a request names with an id, with `@` and a handle, or with the reference of a search. Throws `failure` for a handle that nobody has and for one that the
 * caller may not see, with the same work. An id is returned as it is: the command checks whether the account exists.
 */
export async function resolveDuckling<F extends 'duckling_not_found' | 'duckling_not_blocked'>(
  { caller, now, fail }: Fails<F> & { caller: SessionCaller | AgentCaller; now: Date },
  ref: string,
  failure: F,
): Promise<string> {
  if (isFoundRef(ref)) {
    const id = idInFoundRef(caller.id, ref, now)
    if (id === null) throw fail(failure)
    return id
  }
  const handle = handleIn(ref)
  if (handle === null) return ref
  const [holder] = await db().rows<{ id: string }>`
    SELECT d."id" FROM ${holderOf(handle)} WHERE ${maySee(caller)}`
  if (holder === undefined) throw fail(failure)
  return holder.id
}

/** More people whom the caller has approved are not looked through. The id always works. */
const approvedMax = 1000

/**
 * Does the same for commands about people who asked the caller: they may be named with the handle that their requests show, also when the
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
