/** What an export has about sites: those of the account, and those where it signs in. */
import { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import { instant } from '@/lib/kernel/request/fields'

export const exportedSites = {
  sites: z
    .array(
      z.object({
        client_id: z.string(),
        name: z.string(),
        host: z.string(),
        redirect_uris: z.array(z.string()),
        post_logout_redirect_uris: z.array(z.string()),
        backchannel_logout_uri: z.string().nullable(),
        id_token_signed_response_alg: z.string(),
        created_at: instant,
      }),
    )
    .meta({ description: 'The sites that you registered' }),
  site_consents: z
    .array(
      z.object({
        site_id: z.string(),
        name: z.string(),
        host: z.string(),
        scopes: z.array(z.string()),
        refused: z.array(z.string()),
        allowed_at: instant,
        last_used_at: instant.nullable(),
      }),
    )
    .meta({ description: 'The sites where you sign in, and what they may learn' }),
  site_subjects: z
    .array(z.object({ host: z.string(), subject: z.string() }))
    .meta({ description: 'Whom the sites of each host know you as' }),
}

const schema = z.object(exportedSites)

/** Reads them, lists by their ids or hosts. */
export async function exportSites(tx: Tx, ducklingId: string): Promise<z.input<typeof schema>> {
  const sites = await tx.site.findMany({ where: { ducklingId }, orderBy: { id: 'asc' } })
  const consents = await tx.siteConsent.findMany({
    where: { ducklingId },
    include: { site: { select: { name: true, host: true } } },
    orderBy: { siteId: 'asc' },
  })
  return {
    sites: sites.map((site) => ({
      client_id: site.id,
      name: site.name,
      host: site.host,
      redirect_uris: site.redirectUris,
      post_logout_redirect_uris: site.logoutUris,
      backchannel_logout_uri: site.logoutNoticeUri,
      id_token_signed_response_alg: site.idTokenAlg,
      created_at: site.createdAt,
    })),
    site_consents: consents.map(({ siteId, site, scopes, refused, createdAt, lastUsedAt }) => ({
      site_id: siteId,
      ...site,
      scopes,
      refused,
      allowed_at: createdAt,
      last_used_at: lastUsedAt,
    })),
    site_subjects: await tx.siteSubject.findMany({
      where: { ducklingId },
      select: { host: true, subject: true },
      orderBy: { host: 'asc' },
    }),
  }
}
