import { checkAssertion } from '@beak/client/verify/receipts/assertion'
import { DecisionProof2 } from '@beak/client/verify/receipts/outcome-schema'
import { Refusal } from '@beak/client/verify/receipts/refusal'
import { config } from '@/lib/kernel/config'

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
