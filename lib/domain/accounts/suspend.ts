/** Suspends accounts by commands of the host (contract E, Suspended accounts). Nothing ends but sessions, so that resuming loses nothing. */

import { db } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { transaction, withCurrentTime } from '@/lib/db/transaction'
import { liveStatuses } from '@/lib/domain/agents/schema'
import { updateListing } from '@/lib/domain/identity/update-profile'
import { lockAccount, takeAway } from '@/lib/domain/revocation/kinds'
import { lockDuckling } from '@/lib/domain/sessions/proof'
import { wakeAccount } from '@/lib/domain/webhooks/queue'
import { suspendChain } from '@/lib/infrastructure/events/chain'
import { enqueueNotice } from '@/lib/infrastructure/events/outbox'
import { record } from '@/lib/infrastructure/events/record'
import type { AnonymousContext, DucklingContext } from '@/lib/kernel/request/context'
import type { Tier } from '@/lib/kernel/request/tier'
import { email } from '@/lib/kernel/typed/email'

/**
 * Suspends the account, ends its sessions and cancels the waiting removal of passkeys or of an approver, which the owner could not stop now.
 * Returns the number of sessions, or null when the account is closed or suspended already.
 */
export function suspendAccount(given: DucklingContext, reason: string | null): Promise<number | null> {
  const { id } = given.caller
  return transaction(async (tx) => {
    if ((await lockAccount(tx, id, given.now)) === null) return null
    const context = withCurrentTime(given)
    const { now } = context
    const { count } = await tx.duckling.updateMany({
      where: { id, suspendedAt: null, deletedAt: null },
      data: { suspendedAt: now },
    })
    if (count === 0) return null
    await updateListing(tx, id)
    const { sessions } = await takeAway(tx, { occasion: 'suspension', context, ducklingId: id })
    record(tx, context, 'account.suspended', {
      targets: [{ type: 'duckling', id }],
      metadata: reason === null ? {} : { stated: reason },
    })
    enqueueNotice(tx, now, id, 'account_suspended', {
      at: now.toISOString(),
      ...(reason === null ? {} : { reason }),
    })
    return sessions.length
  })
}

/** Lets the account work again. Returns false when it is closed or not suspended. */
export function resumeAccount(context: DucklingContext): Promise<boolean> {
  const { caller, now } = context
  const { id } = caller
  return transaction(async (tx) => {
    await lockDuckling(tx, id)
    const { count } = await tx.duckling.updateMany({
      where: { id, suspendedAt: { not: null }, deletedAt: null },
      data: { suspendedAt: null },
    })
    if (count === 0) return false
    await suspendChain(tx, id, false)
    await updateListing(tx, id)
    await wakeAccount(tx, id, now)
    record(tx, context, 'account.resumed', { targets: [{ type: 'duckling', id }] })
    enqueueNotice(tx, now, id, 'account_resumed', { at: now.toISOString() })
    return true
  })
}

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

/** Returns an account for the host. A closed account is found by its id only. Throws `duckling_not_found`. */
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
