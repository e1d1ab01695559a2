import { db } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { liveStatuses } from '@/lib/domain/agents/schema'
import type { AnonymousContext } from '@/lib/kernel/context'
import type { Tier } from '@/lib/kernel/tier'
import { email } from '@/lib/kernel/typed/email'

export interface FoundAccount {
  id: string
  handle: string | null
  displayName: string
  fullName: string | null
  email: string | null
  trustTier: Tier
  createdAt: Date
  emailVerifiedAt: Date | null
  deletedAt: Date | null
  suspendedAt: Date | null
  lastSeenAt: Date | null
  sessions: number
  agents: number
  passkeys: number
}

/** An id, a handle with or without `@`, or an address. */
function named(who: string): Sql {
  const [, handle] = /^@?([^@]+)$/.exec(who) ?? []
  if (handle === who && who.startsWith('DUCK-')) return sql`d."id" = ${who}`
  return handle === undefined
    ? sql`d."email" = ${email.safeParse(who).data ?? who}`
    : sql`d."handle" = ${handle.toLowerCase()}`
}

/** Finds an account for the host, also a closed one, which only has its id. Throws `duckling_not_found`. */
export async function findAccount(
  { now, fail }: AnonymousContext<'duckling_not_found'>,
  who: string,
): Promise<FoundAccount> {
  const [found] = await db().rows<FoundAccount>`
    SELECT d."id", d."handle", d."displayName", d."fullName", d."email", d."trustTier", d."createdAt", d."emailVerifiedAt", d."deletedAt", d."suspendedAt",
      (SELECT max("lastSeenAt") FROM "Session" WHERE "ducklingId" = d."id") AS "lastSeenAt",
      (SELECT count(*)::int FROM "Session" WHERE "ducklingId" = d."id" AND "revokedAt" IS NULL AND "expiresAt" > ${now}::timestamptz) AS "sessions",
      (SELECT count(*)::int FROM "Agent" WHERE "ducklingId" = d."id" AND "status"::text = ANY(${liveStatuses}::text[])) AS "agents",
      (SELECT count(*)::int FROM "Passkey" WHERE "ducklingId" = d."id") AS "passkeys"
    FROM "Duckling" d WHERE ${named(who)}`
  if (found === undefined) throw fail('duckling_not_found')
  return found
}
