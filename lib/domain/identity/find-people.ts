/**
 * Finds people to ask. Everybody with an account can search, so the answer must not tell whether an address has an
 * account: an unknown address, one whose owner does not want to be found, and one whose owner blocks the searcher get the same answer
 * after the same work.
 */
import { z } from 'zod'
import { db } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { foundRef, holderOf, maySee } from '@/lib/domain/handles/holder'
import { spendToken } from '@/lib/infrastructure/budgets/budget'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { text, tier } from '@/lib/kernel/request/fields'
import { handleField } from '@/lib/kernel/request/handle'
import type { Tier } from '@/lib/kernel/request/tier'
import { maskId } from '@/lib/kernel/secrets/ids'
import { asciiWidth, trimmed } from '@/lib/kernel/typed/digits'
import { email } from '@/lib/kernel/typed/email'
import { tidyName } from './names'

/** More people with one name are not listed: whoever knows the person can ask for the handle. */
const namesakesMax = 5

export const FindPeople = z.strictObject({
  q: text(1, 254).meta({
    description: '`@` and a handle, a whole display name or full name, or an email address.',
  }),
})

const FoundPerson = z
  .object({
    to: z.string().meta({
      description:
        'Send it as `target_duckling_id` of POST /beak/peck/request. Valid for an hour, for you and your agents.',
    }),
    duckling_id: z.string().meta({ description: '`DUCK-…` and the last four characters' }),
    display_name: z.string(),
    full_name: z.string().optional(),
    handle: z.string().optional().meta({ description: 'Without `@`, if the directory shows it.' }),
    trust_tier: tier,
    certified: z.boolean(),
    joined: z.string().meta({ description: 'Year and month, `YYYY-MM`' }),
  })
  .meta({ id: 'FoundPerson' })

export const FoundPeople = z
  .object({
    found_by: z.enum(['handle', 'name', 'email']).meta({ description: 'What `q` was taken for.' }),
    items: z.array(FoundPerson).meta({
      description:
        'At most one for a handle or an address. Names are not unique: at most five, the oldest accounts first.',
    }),
    has_more: z.boolean().meta({ description: 'More people have this name.' }),
  })
  .meta({ id: 'FoundPeople' })

type FoundPeopleInput = z.input<typeof FoundPeople>
type FindContext = DucklingContext<'rate_limited'>

interface FoundRow {
  id: string
  displayName: string
  fullName: string | null
  handle: string | null
  trustTier: Tier
  createdAt: Date
  certified: boolean
}

const columns = sql`d."id", d."displayName", d."fullName", d."trustTier", d."createdAt",
  CASE WHEN d."listed" THEN d."handle" END AS "handle",
  EXISTS (SELECT 1 FROM "Certificate" c WHERE c."activeFor" = coalesce(d."id", '')) AS "certified"`

/** Returns the people whom the caller can ask under that handle, name or address. Throws `rate_limited`. */
export async function findPeople(context: FindContext, q: string): Promise<FoundPeopleInput> {
  // A search that finds nobody costs as much as one that finds somebody.
  await spendToken(context, 'find', context.caller.id)
  const [foundBy, rows] = await search(context, q)
  const { caller, now } = context
  const items = rows.slice(0, namesakesMax).map((row) => ({
    to: foundRef(caller.id, row.id, now),
    duckling_id: maskId(row.id),
    display_name: row.displayName,
    ...(row.fullName === null ? {} : { full_name: row.fullName }),
    ...(row.handle === null ? {} : { handle: row.handle }),
    trust_tier: row.trustTier,
    certified: row.certified,
    joined: row.createdAt.toISOString().slice(0, 7),
  }))
  return { found_by: foundBy, items, has_more: rows.length > namesakesMax }
}

async function search(
  { caller }: FindContext,
  typed: string,
): Promise<[FoundPeopleInput['found_by'], FoundRow[]]> {
  const q = asciiWidth(trimmed(typed))
  if (q.startsWith('@')) {
    const handle = handleField.safeParse(q).data
    return ['handle', handle === undefined ? [] : await db().rows`${byHandle(caller, handle)}`]
  }
  if (!q.includes('@')) return ['name', await db().rows`${byName(tidyName(q))}`]
  const address = email.safeParse(q).data
  const owners = address === undefined ? [] : await db().rows<AddressRow>`${byEmail(caller.id, address)}`
  return ['email', owners.filter(({ isFindable, isBlocked }) => isFindable === true && !isBlocked)]
}

const byHandle = (caller: FindContext['caller'], handle: string): Sql =>
  sql`SELECT ${columns} FROM ${holderOf(handle)} WHERE ${maySee(caller)}`

/** Finds people whom the directory lists. It lists them for people whom they block too, so a block changes nothing here. */
function byName(name: string): Sql {
  // Each part has its own index. One condition with OR would read all of the directory.
  const having = (condition: Sql) => sql`(SELECT * FROM "Duckling" WHERE "listed" AND ${condition}
    ORDER BY "id" LIMIT ${namesakesMax + 1})`
  return sql`
    SELECT ${columns} FROM (
      ${having(sql`lower("displayName") = lower(${name}::text)`)}
      UNION ${having(sql`lower("fullName") = lower(${name}::text)`)}) d
    ORDER BY d."id" LIMIT ${namesakesMax + 1}`
}

/** The owner of an address. Without one, all columns but `isBlocked` are null or false. */
interface AddressRow extends FoundRow {
  isFindable: boolean | null
  isBlocked: boolean
}

/**
 * Finds the owner of an address. Looks for the block and the certificate even when nobody has the address or the owner does not want to be
 * found, so that the time tells nothing. The conditions are columns, because the database would skip what follows a condition that fails.
 */
export function byEmail(callerId: string, address: string): Sql {
  return sql`
    SELECT ${columns},
      (d."findableByEmail" AND d."emailVerifiedAt" IS NOT NULL AND d."suspendedAt" IS NULL) AS "isFindable",
      EXISTS (SELECT 1 FROM "PeckBlock" b
        WHERE b."ducklingId" = coalesce(d."id", '') AND b."blockedDucklingId" = ${callerId}) AS "isBlocked"
    FROM (SELECT 1) one LEFT JOIN (SELECT * FROM "Duckling" WHERE "email" = ${address} LIMIT 1) d ON true`
}
