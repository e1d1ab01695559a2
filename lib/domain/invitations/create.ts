import type { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import { leftJoinRow, type Sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { verifyUrl } from '@/lib/domain/certs/credential'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { lockCaller, type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import { config } from '@/lib/kernel/config'
import type { AnonymousContext, DucklingContext, Fails } from '@/lib/kernel/request/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/request/page'
import { reaches, type Tier } from '@/lib/kernel/request/tier'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'
import { randomSecret, seal, sha256 } from '@/lib/kernel/secrets/secrets'
import {
  type InvitationInput,
  type InvitationRequest,
  type InvitationState,
  invitationUrl,
  type OpenInvitation,
  presentInvitation,
  statusOfInvitation,
} from './schema'

/** An account has at most so many links that work, and so many rows with those that ended in the last 30 days. */
const workingMax = 50
const keptMax = 500

/** The tier that is enough for an asker whom the person wants to be reached by (contract F, Askers). */
export const invitedTier = 'T1'

/**
 * Requires a proof when the account accepts only askers above the lowest tier: whom the change lets in could not ask before. Returns whether
 * the change weakens that rule. Locks the account, so that the rule does not change meanwhile.
 */
export async function requireProofToAdmit(
  tx: Tx,
  context: DucklingContext<ProofFailure | 'session_invalid'>,
): Promise<boolean> {
  await lockCaller(tx, context)
  const { minPeckTier } = await tx.duckling.findUniqueOrThrow({
    where: { id: context.caller.id },
    select: { minPeckTier: true },
  })
  if (reaches(invitedTier, minPeckTier)) return false
  await requireProof(tx, context)
  return true
}

/**
 * Makes an invitation link. Throws `agent_not_registered`, `too_many_invitations`, `session_invalid` or the failures of `requireProof`.
 */
export function createInvitation(
  context: DucklingContext<
    'agent_not_registered' | 'too_many_invitations' | 'session_invalid' | ProofFailure
  >,
  request: z.output<typeof InvitationRequest>,
): Promise<InvitationInput> {
  const { caller, now } = context
  const id = newId('invitation', now)
  const token = randomSecret(16)
  return transaction(async (tx) => {
    const isWeakened = await requireProofToAdmit(tx, context)
    await checkAgent(tx, context, request.agent_id)
    await checkNumber(tx, context)
    const row = await tx.invitation.create({
      data: {
        id,
        ducklingId: caller.id,
        tokenHash: new Uint8Array(sha256(token)),
        sealed: new Uint8Array(seal(Buffer.from(token), id)),
        agentId: request.agent_id ?? null,
        action: request.action ?? null,
        maxUses: request.uses ?? null,
        note: request.note ?? null,
        createdAt: now,
        expiresAt: request.expires_in === undefined ? null : secondsAfter(now, request.expires_in),
        sessionId: caller.sessionId,
      },
    })
    record(tx, context, 'invitation.created', { targets: [{ type: 'invitation', id }] })
    if (isWeakened) announceChange(tx, context, 'rules_weakened')
    return presentInvitation(row, now)
  })
}

async function checkAgent(
  tx: Tx,
  context: DucklingContext<'agent_not_registered'>,
  id: string | undefined,
): Promise<void> {
  if (id === undefined) return
  const found = await tx.agent.findFirst({
    where: { id, status: { not: 'deregistered' } },
    select: { id: true },
  })
  if (found === null) throw context.fail('agent_not_registered')
}

async function checkNumber(
  tx: Tx,
  { caller, now, fail }: DucklingContext<'too_many_invitations'>,
): Promise<void> {
  const [{ kept, working } = { kept: 0, working: 0 }] = await tx.rows<{ kept: number; working: number }>`
    SELECT count(*)::int AS "kept",
      (count(*) FILTER (WHERE "endedAt" IS NULL AND ("expiresAt" IS NULL OR "expiresAt" > ${now}::timestamptz)))::int AS "working"
    FROM "Invitation" WHERE "ducklingId" = ${caller.id}`
  if (working >= workingMax || kept >= keptMax) throw fail('too_many_invitations')
}

/** Returns a page of the caller's invitations, newest first, with those that ended in the last 30 days. */
export async function listInvitations(
  { caller, now }: DucklingContext,
  page: PageRequest,
): Promise<Page<InvitationInput>> {
  const rows = await db().invitation.findMany({
    where: { ducklingId: caller.id, ...(page.after === null ? {} : { id: { lt: page.after } }) },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  })
  return pageOf(
    rows,
    page,
    ({ id }) => id,
    (row) => presentInvitation(row, now),
  )
}

/**
 * Ends an invitation of the caller at once. Requests that came with it stay. One that has ended stays as it is. Throws `invitation_not_found`.
 */
export function revokeInvitation(
  context: DucklingContext<'invitation_not_found'>,
  id: string,
): Promise<InvitationInput> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const { count } = await tx.invitation.updateMany({
      where: { id, ducklingId: caller.id, endedAt: null },
      data: { endedAt: now, sealed: null },
    })
    const row = await tx.invitation.findFirst({ where: { id, ducklingId: caller.id } })
    if (row === null) throw context.fail('invitation_not_found')
    if (count > 0) record(tx, context, 'invitation.revoked', { targets: [{ type: 'invitation', id }] })
    return presentInvitation(row, now)
  })
}

/** Ends those invitations of an account that `where` selects, when another person may have made them. Returns their ids. */
export async function endInvitations(tx: Tx, ducklingId: string, where: Sql, now: Date): Promise<string[]> {
  const ended = await tx.rows<{ id: string }>`
    UPDATE "Invitation" SET "endedAt" = ${now}::timestamptz, "sealed" = NULL
    WHERE "ducklingId" = ${ducklingId} AND "endedAt" IS NULL AND ${where} RETURNING "id"`
  return ended.map(({ id }) => id).sort()
}

/** Uses of an invitation: reading the page of the link, and asking with it. */

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
 * Returns the invitation with that token, whether it still works or not. Throws `invitation_not_found` when there is none, even when its owner
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
