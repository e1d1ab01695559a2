import type { Fails } from '@/lib/kernel/context'
import type { Failure } from '@/lib/kernel/failures'
import { countRefusal, type KeyFault, type RefusedKey } from './refusals'

/**
 * Returns the failure for a rejected key, which is the same for every cause (contract A). The cause is counted in memory, and the worker
 * writes it into the owner's audit log.
 */
export function refuseKey(context: Fails<'beak_key_invalid'>, key: RefusedKey, cause: KeyFault): Failure {
  const { keyId, agentId, ducklingId } = key
  return context.fail('beak_key_invalid', {}, (origin) =>
    countRefusal({ keyId, agentId, ducklingId }, cause, origin),
  )
}
