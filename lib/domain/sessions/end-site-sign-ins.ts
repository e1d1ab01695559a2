import type { Tx } from '@/lib/db/client'
import type { Sql } from '@/lib/db/sql'
import { enqueue } from '@/lib/infrastructure/events/outbox'

interface EndedRow {
  url: string
  siteId: string
  sid: string
  subject: string
  alg: string
}

/**
 * Ends sign-ins at sites, with their codes and tokens, and tells the sites that want to know (OpenID Connect Back-Channel Logout). Records no
 * event. `condition` selects rows of `SiteSignIn`.
 */
export async function endSiteSignIns(tx: Tx, condition: Sql, now: Date): Promise<void> {
  const told = await tx.rows<EndedRow>`
    WITH ended AS (DELETE FROM "SiteSignIn" WHERE ${condition} RETURNING *),
      tokens AS (DELETE FROM "OAuthRecord" WHERE "grantHash" IN (SELECT "grantHash" FROM ended))
    SELECT site."logoutNoticeUri" AS "url", ended."siteId", ended."sid", subject."subject", site."idTokenAlg" AS "alg"
    FROM ended
      JOIN "Site" site ON site."id" = ended."siteId"
      JOIN "SiteSubject" subject ON subject."ducklingId" = ended."ducklingId" AND subject."host" = site."host"
    WHERE ended."usedAt" IS NOT NULL AND site."logoutNoticeUri" IS NOT NULL`
  // With the address, because the site may be deleted with its sign-ins.
  for (const { siteId, ...rest } of told) enqueue(tx, now, 'site_logout', { site_id: siteId, ...rest })
}
