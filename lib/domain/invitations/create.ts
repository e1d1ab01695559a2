import type { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { lockCaller } from '@/lib/domain/sessions/lock'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import { secondsAfter } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/ids'
import { randomSecret, seal, sha256 } from '@/lib/kernel/secrets'
import { reaches } from '@/lib/kernel/tier'
import { type InvitationInput, type InvitationRequest, presentInvitation } from './schema'

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
