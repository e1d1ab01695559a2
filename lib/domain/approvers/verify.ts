/** Verifies the signature of an approver's passkey over a decision. */
import { db } from '@/lib/db/client'
import { type AssertionContext, refusePasskey, verifySigned } from '@/lib/domain/passkeys/assertion'
import { type Ceremony, spendCeremony } from '@/lib/domain/passkeys/ceremony'
import { readClientData } from '@/lib/domain/passkeys/client-data'
import type { AssertionCredential } from '@/lib/domain/passkeys/schema'
import { approverSite } from './site'

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
