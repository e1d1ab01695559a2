import { db } from '@/lib/db/client'
import { leftJoinRow } from '@/lib/db/sql'
import type { AgentCaller, Context, SessionCaller } from '@/lib/kernel/context'
import type { Tier } from '@/lib/kernel/tier'
import { holderOf, maySee } from './holder'
import { handleUrl, type PublicPersonInput } from './schema'

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
        FROM "Agent" a WHERE a."ducklingId" = d."id" AND a."status" = 'bonded') AS "agents"
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
