import { randomBytes } from 'node:crypto'
import { canonicalText } from '@beak/proofs/canonical'
import { checkAssertion } from '@beak/proofs/receipts/assertion'
import type { EndorsementStatement } from '@beak/proofs/receipts/endorsement'
import { DecisionProof2, type Endorsement } from '@beak/proofs/receipts/outcome-schema'
import { Refusal } from '@beak/proofs/receipts/refusal'
import { db, type Tx } from '@/lib/db/client'
import type { Passkey } from '@/lib/db/generated/client'
import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import { config } from '@/lib/kernel/config'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { sha256 } from '@/lib/kernel/secrets/secrets'
import { recordPasskeyUse, refusePasskey, verifyAssertion } from './assertion'
import { findStatement, readClientData, storeCeremony } from './ceremony'
import { type AssertionCredential, type Challenge, type PasskeyInput, presentPasskey } from './schema'
import { requestOptions } from './sign-in'

/**
 * Tells whether everybody can check in a receipt that the passkey signed `text` on this site. The library that verifies assertions accepts
 * more encodings than verifiers of receipts do, so without this check a person could give a signature that never verifies.
 */
export async function isVerifiable(
  proof: DecisionProof2,
  text: string,
  site: string = config().baseUrl,
): Promise<boolean> {
  if (!DecisionProof2.safeParse(proof).success) return false
  try {
    await checkAssertion(proof, text, site)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/**
 * An older passkey vouches for a newer one of the same account: it signs that the newer one is its owner's, too. Whoever has pinned the older
 * one then accepts the newer one without asking the service (docs/receipts/format.md, Endorsements).
 */

/** The longest chain that a receipt may have. */
const chainMax = 20

type EndorsedPasskey = Pick<Passkey, 'id' | 'credentialId' | 'publicKey' | 'createdAt'>

/**
 * Returns the options for an assertion for POST /beak/passkey/endorse. Only older passkeys of the caller can answer. Throws
 * `passkey_not_found` or `no_older_passkey`.
 */
export function challengeEndorsement(
  context: DucklingContext<'passkey_not_found' | 'no_older_passkey'>,
  passkeyId: string,
): Promise<Challenge> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const newer = await getOwn(tx, context, passkeyId)
    const older = await tx.passkey.findMany({
      where: { ducklingId: caller.id, createdAt: { lt: newer.createdAt } },
      orderBy: { id: 'desc' },
      select: { credentialId: true, transports: true },
    })
    if (older.length === 0) throw context.fail('no_older_passkey')
    const statement = canonicalText(statementOf(caller.id, newer))
    const challenge = sha256(statement)
    await storeCeremony(tx, now, ceremonyOf(caller.id), challenge, statement)
    record(tx, context, 'passkey.challenged', { metadata: { purpose: 'endorse' } })
    return { ...requestOptions(challenge, older), statement }
  })
}

/**
 * Stores that an older passkey of the caller vouches for the newer one. Throws `passkey_not_found` or `passkey_assertion_invalid`.
 */
export async function endorsePasskey(
  context: DucklingContext<'passkey_not_found' | 'passkey_assertion_invalid'>,
  passkeyId: string,
  credential: AssertionCredential,
): Promise<PasskeyInput> {
  const { caller } = context
  const newer = await getOwn(db(), context, passkeyId)
  const ceremony = ceremonyOf(caller.id)
  const challenge = readClientData(credential.response.clientDataJSON)?.challenge ?? ''
  const statement = await findStatement(ceremony, challenge)
  if (statement === null || !isAbout(statement, newer)) throw refusePasskey(context, 'challenge')
  const verified = await verifyAssertion(context, credential, ceremony)
  const { passkey: older } = verified
  if (older.createdAt >= newer.createdAt) throw refusePasskey(context, 'challenge', older)
  const { clientDataJSON, authenticatorData, signature } = credential.response
  const proof = {
    credential_id: older.credentialId,
    public_key: base64url(older.publicKey),
    assertion: { clientDataJSON, authenticatorData, signature },
  }
  if (!(await isVerifiable(proof, statement))) throw refusePasskey(context, 'malformed', older)
  const endorsement: Endorsement = { ...proof, statement_text: statement }
  const earlier = (older.endorsements ?? []) as Endorsement[]
  return transaction(async (tx) => {
    const refusal = await recordPasskeyUse(tx, context, verified)
    if (refusal !== null) return refusal
    const stored = await tx.passkey.updateManyAndReturn({
      where: { id: newer.id, ducklingId: caller.id },
      data: { endorsements: [endorsement, ...earlier].slice(0, chainMax) },
    })
    const [row] = stored
    if (row === undefined) throw context.fail('passkey_not_found')
    record(tx, context, 'passkey.endorsed', {
      targets: [{ type: 'passkey', id: row.id }],
      metadata: { name: row.name, by: older.id },
    })
    return presentPasskey(row)
  })
}

const ceremonyOf = (ducklingId: string) => ({ purpose: 'endorse', ducklingId }) as const

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

function statementOf(ducklingId: string, { credentialId, publicKey }: EndorsedPasskey): EndorsementStatement {
  return {
    type: 'beak.passkey.endorsement',
    version: 1,
    issuer: config().baseUrl,
    duckling_id: ducklingId,
    credential_id: credentialId,
    public_key: base64url(publicKey),
    nonce: base64url(randomBytes(16)),
  }
}

const isAbout = (statement: string, { credentialId }: EndorsedPasskey) =>
  (JSON.parse(statement) as EndorsementStatement).credential_id === credentialId

/** Throws `passkey_not_found` unless the passkey is the caller's. */
async function getOwn(
  tx: Tx,
  { caller, fail }: DucklingContext<'passkey_not_found'>,
  passkeyId: string,
): Promise<EndorsedPasskey> {
  const passkey = await tx.passkey.findFirst({
    where: { id: passkeyId, ducklingId: caller.id },
    select: { id: true, credentialId: true, publicKey: true, createdAt: true },
  })
  if (passkey === null) throw fail('passkey_not_found')
  return passkey
}
