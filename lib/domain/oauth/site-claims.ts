/** What a site learns of a person. */
import { randomBytes } from 'node:crypto'
import type { Account } from 'oidc-provider'
import { db, type Tx } from '@/lib/db/client'
import type { Tier } from '@/lib/db/generated/client'
import { config } from '@/lib/kernel/config'
import { picturePath } from '@/lib/kernel/request/oauth-paths'
import { latest } from '@/lib/kernel/runtime/clock'

/** Returns whom the sites of a host know a person as, and chooses that at the first time. */
export async function subjectAt(tx: Tx, ducklingId: string, host: string): Promise<string> {
  const known = await tx.siteSubject.findUnique({ where: { ducklingId_host: { ducklingId, host } } })
  if (known !== null) return known.subject
  const subject = randomBytes(16).toString('base64url')
  const [row] = await tx.rows<{ subject: string }>`
    INSERT INTO "SiteSubject" ("ducklingId", "host", "subject") VALUES (${ducklingId}, ${host}, ${subject})
    ON CONFLICT ("ducklingId", "host") DO UPDATE SET "host" = EXCLUDED."host" RETURNING "subject"`
  return row?.subject ?? subject
}

interface PersonRow {
  fullName: string | null
  displayName: string
  email: string | null
  handle: string | null
  tier: Tier
  createdAt: Date
  emailVerifiedAt: Date | null
  phoneVerifiedAt: Date | null
  passkeyAt: Date | null
  certificateId: string | null
}

/** Returns the day since which an account has what its tier needs. The time would tell two sites that they know the same person. */
function tierSince({ tier, createdAt, emailVerifiedAt, phoneVerifiedAt, passkeyAt }: PersonRow): string {
  const needed = [createdAt, emailVerifiedAt, phoneVerifiedAt, passkeyAt].slice(0, Number(tier[1]) + 1)
  return latest(needed.filter((at) => at !== null))
    .toISOString()
    .slice(0, 10)
}

/**
 * Returns an account with its claims, or undefined for one that is closed or suspended. `sub` is the id, which the library replaces. The picture is
 * a duck that only the sites of this host get, because the duck of the public pages would tell sites who somebody is.
 */
export async function findPerson(id: string, host: string): Promise<Account | undefined> {
  const [person] = await db().rows<PersonRow>`
    SELECT d."fullName", d."displayName", d."email", d."handle", d."trustTier" AS "tier", d."createdAt", d."emailVerifiedAt",
      d."phoneVerifiedAt", (SELECT min(p."createdAt") FROM "Passkey" p WHERE p."ducklingId" = d."id") AS "passkeyAt",
      (SELECT c."id" FROM "Certificate" c WHERE c."activeFor" = d."id") AS "certificateId"
    FROM "Duckling" d WHERE d."id" = ${id} AND d."deletedAt" IS NULL AND d."suspendedAt" IS NULL`
  if (person === undefined) return undefined
  return {
    accountId: id,
    claims: async () => ({
      sub: id,
      name: person.fullName ?? person.displayName,
      picture: `${config().baseUrl}${picturePath}${await subjectAt(db(), id, host)}`,
      ...(person.email !== null && {
        email: person.email,
        email_verified: person.emailVerifiedAt !== null,
      }),
      tier: person.tier,
      tier_since: tierSince(person),
      ...(person.handle !== null && { preferred_username: person.handle }),
      ...(person.certificateId !== null && { certificate_id: person.certificateId }),
    }),
  }
}
