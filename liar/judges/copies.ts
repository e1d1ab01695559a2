/** Compares two receipts that different people have: whether both are of the service, and cannot both be true. */
import { verifyOutcome } from '@beak/client/verify'
import type { OutcomeFile } from '@beak/client/verify/receipts/outcome-schema'
import type { OutcomeFacts } from '@beak/client/verify/receipts/verify-outcome'
import { publicKeys } from '@/lib/infrastructure/keys/signing-keys'
import { config } from '@/lib/kernel/config'

/** Returns what a receipt says, or null when it is not valid: then it proves nothing against the service. */
async function factsOf(receipt: OutcomeFile): Promise<OutcomeFacts | null> {
  const { baseUrl: issuer } = config()
  const { facts } = await verifyOutcome(receipt, { issuer, keys: { keys: publicKeys() } as never })
  return facts === null || facts.version === 1 ? null : facts
}

/** Whether two signed receipts of one request contradict each other. `first` was signed first. */
export async function contradict(first: OutcomeFile, second: OutcomeFile): Promise<boolean> {
  const [before, after] = await Promise.all([factsOf(first), factsOf(second)])
  if (before === null || after === null || before.statement.peck_id !== after.statement.peck_id) return false
  const isRevived = before.outcome === 'revoked' && after.outcome !== 'revoked'
  const isUsedAgain =
    before.outcome === 'consumed' && (after.outcome !== 'consumed' || before.lastUsedAt !== after.lastUsedAt)
  return (
    before.statement.decision !== after.statement.decision ||
    before.decidedAt !== after.decidedAt ||
    isRevived ||
    isUsedAgain
  )
}
