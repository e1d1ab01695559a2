/** Sets the approver of an account in two steps: the approver makes a passkey of its own site, then the service stores it. */
import type { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import { unique } from '@/lib/db/conflict'
import { transaction } from '@/lib/db/transaction'
import { refusePasskey } from '@/lib/domain/passkeys/assertion'
import { findStatement, spendCeremony, storeCeremony } from '@/lib/domain/passkeys/ceremony'
import { readClientData } from '@/lib/domain/passkeys/client-data'
import type { RegistrationCredential } from '@/lib/domain/passkeys/schema'
import { type NewCredential, verifyRegistration } from '@/lib/domain/passkeys/verify-registration'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { lockCaller } from '@/lib/domain/sessions/lock'
import { enqueuePasskey } from '@/lib/domain/tlog/enqueue'
import { record } from '@/lib/infrastructure/events/record'
import { config } from '@/lib/kernel/config'
import type { DucklingContext } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/ids'
import { randomBytes } from '@/lib/kernel/random'
import { type ApproverEnrolment, type ApproverInput, presentApprover } from './schema'
import { approverSite, originFault } from './site'

/**
 * Returns what the approver needs to make a passkey. The endpoint has asked for the proof. Throws `invalid_request` for an address that cannot
 * be an approver, or `approver_already_set`.
 */
export function startEnrolment(
  context: DucklingContext<'invalid_request' | 'approver_already_set'>,
  origin: string,
): Promise<z.input<typeof ApproverEnrolment>> {
  const { caller, now } = context
  const fault = originFault(origin)
  if (fault !== null) throw context.fail('invalid_request', { errors: [{ field: 'origin', message: fault }] })
  return transaction(async (tx) => {
    await requireNone(tx, context)
    const challenge = randomBytes(32)
    await storeCeremony(tx, now, ceremonyOf(context), challenge, origin)
    record(tx, context, 'passkey.challenged', { metadata: { purpose: 'approver' } })
    return {
      origin,
      issuer: config().baseUrl,
      duckling_id: caller.id,
      challenge: Buffer.from(challenge).toString('base64url'),
    }
  })
}

/**
 * Stores the approver with the passkey that it made, and tells the owner. The endpoint has asked for the proof. Throws
 * `passkey_assertion_invalid`, `passkey_already_registered`, `approver_already_set`, or `session_invalid` when the session has just ended.
 */
export async function finishEnrolment(
  context: DucklingContext<
    'passkey_assertion_invalid' | 'passkey_already_registered' | 'approver_already_set' | 'session_invalid'
  >,
  credential: RegistrationCredential,
  covers: 'high' | 'all',
): Promise<ApproverInput> {
  const clientData = readClientData(credential.response.clientDataJSON)
  if (clientData === null) throw refusePasskey(context, 'malformed')
  const ceremony = ceremonyOf(context)
  const origin = await findStatement(ceremony, clientData.challenge)
  if (origin === null || !(await spendCeremony(context.now, ceremony, clientData.challenge)))
    throw refusePasskey(context, 'challenge')
  const verdict = await verifyRegistration(credential, clientData, approverSite(origin))
  if (typeof verdict === 'string') throw refusePasskey(context, verdict)
  return transaction(async (tx) => {
    await lockCaller(tx, context)
    await requireNone(tx, context)
    return store(tx, context, { origin, covers, made: verdict })
  })
}

interface NewApprover {
  origin: string
  covers: 'high' | 'all'
  made: NewCredential
}

async function store(
  tx: Tx,
  context: DucklingContext<'passkey_already_registered'>,
  { origin, covers, made: { credentialId, publicKey } }: NewApprover,
): Promise<ApproverInput> {
  const { caller, now } = context
  const row = await unique(
    tx.approver.create({
      data: {
        id: newId('approver', now),
        ducklingId: caller.id,
        origin,
        covers,
        credentialId,
        publicKey,
        createdAt: now,
        sessionId: caller.sessionId,
      },
    }),
    context.fail('passkey_already_registered'),
  )
  await tx.duckling.update({ where: { id: caller.id }, data: { approverCovers: covers } })
  record(tx, context, 'approver.set', {
    metadata: { origin, covers, log_digest: enqueuePasskey(tx, 'passkey_enrolled', row) },
  })
  announceChange(tx, context, 'approver_set')
  return presentApprover(row)
}

const ceremonyOf = ({ caller }: DucklingContext) =>
  ({ purpose: 'approver', ducklingId: caller.id, sessionId: caller.sessionId }) as const

async function requireNone(tx: Tx, context: DucklingContext<'approver_already_set'>): Promise<void> {
  const found = await tx.approver.findUnique({
    where: { ducklingId: context.caller.id },
    select: { id: true },
  })
  if (found !== null) throw context.fail('approver_already_set')
}
