/** The site of an approver: which addresses can be one, and how its passkeys name it (docs/approver.md). */

import type { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import { unique } from '@/lib/db/conflict'
import { transaction } from '@/lib/db/transaction'
import { type AssertionContext, refusePasskey, verifySigned } from '@/lib/domain/passkeys/assertion'
import {
  type Ceremony,
  findStatement,
  type RelyingParty,
  readClientData,
  spendCeremony,
  storeCeremony,
} from '@/lib/domain/passkeys/ceremony'
import { type NewCredential, verifyRegistration } from '@/lib/domain/passkeys/register'
import type { AssertionCredential, RegistrationCredential } from '@/lib/domain/passkeys/schema'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { lockCaller } from '@/lib/domain/sessions/proof'
import { enqueuePasskey } from '@/lib/domain/tlog/enqueue'
import { record } from '@/lib/infrastructure/events/record'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { newId } from '@/lib/kernel/secrets/ids'
import { randomBytes } from '@/lib/kernel/secrets/random'
import { type ApproverEnrolment, type ApproverInput, presentApprover } from './schema'

/** Returns how the passkeys of an approver name its site. */
export function approverSite(origin: string): Pick<RelyingParty, 'id' | 'origin'> {
  return { id: new URL(origin).hostname, origin }
}

/** Returns why an address cannot be the origin of an approver, or null. */
function originFault(text: string): string | null {
  if (!URL.canParse(text) || new URL(text).origin !== text) return m.field_approver_origin_format()
  const { protocol, hostname } = new URL(text)
  const isLocal = hostname.endsWith('.localhost')
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal)) return m.field_approver_https_needed()
  if (/^[\d.]+$|:/.test(hostname)) return m.field_approver_host_needed()
  const service = new URL(config().baseUrl).hostname
  if (service === hostname || service.endsWith(`.${hostname}`)) return m.field_approver_site_same()
  return null
}

/** Verifies the signature of an approver's passkey over a decision. */

/** The passkey of an approver that signed. */
export interface SigningApprover {
  id: string
  origin: string
  credentialId: string
  publicKey: Uint8Array
}

/**
 * Spends the challenge and verifies its assertion, as `verifyAssertion` does for passkeys of the service. `origin`: the approver that the
 * signed statement names. Throws `passkey_assertion_invalid`.
 */
export async function verifyApprover(
  context: AssertionContext,
  credential: AssertionCredential,
  { ceremony, origin }: { ceremony: Ceremony & { ducklingId: string }; origin: string },
): Promise<SigningApprover> {
  const clientData = readClientData(credential.response.clientDataJSON)
  const isOurs = clientData !== null && (await spendCeremony(context.now, ceremony, clientData.challenge))
  if (clientData === null) throw refusePasskey(context, 'malformed')
  if (!isOurs) throw refusePasskey(context, 'challenge')
  const approver = await db().approver.findFirst({
    where: { ducklingId: ceremony.ducklingId, credentialId: credential.id, origin },
  })
  if (approver === null) throw refusePasskey(context, 'passkey_unknown')
  const verdict = await verifySigned(approver, credential, clientData, approverSite(origin))
  if (typeof verdict === 'string') throw refusePasskey(context, verdict)
  return approver
}

/** Sets the approver of an account in two steps: the approver makes a passkey of its own site, then the service stores it. */

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
