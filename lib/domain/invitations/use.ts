/** Uses of an invitation: reading the page of the link, and asking with it. */
import type { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import { leftJoinRow } from '@/lib/db/sql'
import { verifyUrl } from '@/lib/domain/certs/verify-url'
import { config } from '@/lib/kernel/config'
import type { AnonymousContext, Fails } from '@/lib/kernel/context'
import { sha256 } from '@/lib/kernel/secrets'
import type { Tier } from '@/lib/kernel/tier'
import { invitationUrl } from './link'
import { type InvitationState, type OpenInvitation, statusOfInvitation } from './schema'

/** What the holder of a link that does not work learns: only why. */
export const linkFailures = [
  'invitation_not_found',
  'invitation_revoked',
  'invitation_used_up',
  'invitation_expired',
] as const
export type EndedFailure = Exclude<(typeof linkFailures)[number], 'invitation_not_found'>

const endedFailures = {
  revoked: 'invitation_revoked',
  used_up: 'invitation_used_up',
  expired: 'invitation_expired',
} as const

/** An invitation of an account that is open and not suspended. */
export interface FoundInvitation extends InvitationState {
  id: string
  ducklingId: string
  agentId: string | null
  action: string | null
}

interface OwnedRow extends FoundInvitation {
  displayName: string
  fullName: string | null
  handle: string | null
  trustTier: Tier
  certId: string | null
}

/**
 * Returns the invitation with that token, whether it still works or not. Throws `invitation_not_found` when there is none, also when its owner
 * has closed the account or is suspended.
 */
export async function findInvitation(
  { fail }: Fails<'invitation_not_found'>,
  token: string,
): Promise<OwnedRow> {
  const [row] = await db().rows<OwnedRow>`
    SELECT i."id", i."ducklingId", i."agentId", i."action", i."maxUses", i."uses", i."endedAt", i."expiresAt",
      d."displayName", d."fullName", CASE WHEN d."listed" THEN d."handle" END AS "handle",
      d."trustTier"::text AS "trustTier", c."id" AS "certId"
    FROM "Invitation" i JOIN "Duckling" d ON d."id" = i."ducklingId"
    ${leftJoinRow('Certificate', 'c', 'd."id"', 'activeFor')}
    WHERE i."tokenHash" = ${sha256(token)} AND d."deletedAt" IS NULL AND d."suspendedAt" IS NULL`
  if (row === undefined) throw fail('invitation_not_found')
  return row
}

/** Returns what the page of a link shows. Throws `invitation_not_found`, or says why the link does not work any more. */
export async function viewInvitation(
  context: AnonymousContext<'invitation_not_found' | EndedFailure>,
  token: string,
): Promise<z.input<typeof OpenInvitation>> {
  const row = await findInvitation(context, token)
  requireActive(context, row, context.now)
  const { baseUrl } = config()
  return {
    person: {
      duckling_id: row.ducklingId,
      display_name: row.displayName,
      ...(row.fullName === null ? {} : { full_name: row.fullName }),
      ...(row.handle === null ? {} : { handle: row.handle }),
      trust_tier: row.trustTier,
      cert_id: row.certId,
      verify_url: row.certId === null ? null : verifyUrl(row.certId),
    },
    action: row.action,
    one_agent: row.agentId !== null,
    expires_at: row.expiresAt,
    target: invitationUrl(token),
    request_url: `${baseUrl}/beak/peck/request`,
    openapi_url: `${baseUrl}/beak/openapi.json`,
  }
}

function requireActive({ fail }: Fails<EndedFailure>, row: InvitationState, now: Date): void {
  const status = statusOfInvitation(row, now)
  if (status !== 'active') throw fail(endedFailures[status])
}

/** Throws `invitation_mismatch` when the link is for another agent or another action. */
export function requireMatch(
  { fail }: Fails<'invitation_mismatch'>,
  invitation: FoundInvitation,
  request: { requesterAgentId: string | null; action: string },
): void {
  const isOther = invitation.agentId !== null && invitation.agentId !== request.requesterAgentId
  if (isOther || (invitation.action !== null && invitation.action !== request.action))
    throw fail('invitation_mismatch')
}

/**
 * Spends one use, in one guarded statement: simultaneous requests cannot take more uses than there are. The last one ends the link. Throws
 * why the link does not work any more.
 */
export async function spendInvitation(
  tx: Tx,
  { now, fail }: Fails<EndedFailure> & { now: Date },
  { id }: FoundInvitation,
): Promise<void> {
  const spent = await tx.run`
    UPDATE "Invitation" SET "uses" = "uses" + 1, "lastUsedAt" = ${now}::timestamptz,
      "endedAt" = CASE WHEN "uses" + 1 >= "maxUses" THEN ${now}::timestamptz END,
      "sealed" = CASE WHEN "uses" + 1 >= "maxUses" THEN NULL ELSE "sealed" END
    WHERE "id" = ${id} AND "endedAt" IS NULL AND ("expiresAt" IS NULL OR "expiresAt" > ${now}::timestamptz)
      AND ("maxUses" IS NULL OR "uses" < "maxUses")`
  if (spent === 1) return
  const row = await tx.invitation.findUnique({ where: { id } })
  const status = row === null ? 'revoked' : statusOfInvitation(row, now)
  throw fail(status === 'active' ? 'invitation_revoked' : endedFailures[status])
}
