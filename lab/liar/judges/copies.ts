import { contradictionBetween, verifyOutcome } from '@beak/client/verify'
import { outcomes } from '@beak/proofs/receipts/outcome'
import type { OutcomeFile } from '@beak/proofs/receipts/outcome-schema'
import type { AnyFacts } from '@beak/proofs/receipts/policy'
import { publicKeys } from '@/lib/infrastructure/keys/signing-keys'
import { config } from '@/lib/kernel/config'
import { beak, fileOf } from '../shops/command-line'

/** Returns the verdict of several judges. Throws when they do not agree, because then the table would say less than the truth. */
export function agree(what: string, verdicts: Record<string, boolean>): boolean {
  const [first = false, ...others] = Object.values(verdicts)
  if (others.some((verdict) => verdict !== first))
    throw new Error(`${what}: the judges do not agree: ${JSON.stringify(verdicts)}`)
  return first
}

/** Compares two receipts that different people have: whether both are of the service, and cannot both be true. */

const keys = () => ({ keys: publicKeys() })

/** Returns what a receipt says, or null when it is not valid: then it proves nothing against the service. */
async function factsOf(receipt: OutcomeFile): Promise<AnyFacts | null> {
  const { baseUrl: issuer } = config()
  return (await verifyOutcome(receipt, { issuer, keys: keys() as never })).facts
}

/** Whether two signed receipts of one request contradict each other. `first` was signed first. */
export async function contradict(first: OutcomeFile, second: OutcomeFile): Promise<boolean> {
  const [before, after] = await Promise.all([factsOf(first), factsOf(second)])
  if (before === null || after === null) return false
  const options = ['--require=service', ...outcomes.map((outcome) => `--expect-outcome=${outcome}`)]
  return agree('two receipts', {
    typescript: contradictionBetween(before, after) !== null,
    'command line': !(await beak(
      ...['receipt', 'verify', fileOf(second), '--jwks', fileOf(keys()), '--against', fileOf(first)],
      ...options,
    )),
  })
}
