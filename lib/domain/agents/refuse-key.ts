import type { Fails, Origin } from '@/lib/kernel/context'
import type { Failure } from '@/lib/kernel/failures'
import { countRefusal, type KeyFault, type RefusedKey } from './refusals'

/**
 * Returns the failure for a rejected key, which is the same for every cause (contract A). Counts the cause for the owner's audit log,
 * which the worker writes.
 */
export function refuseKey(
  context: Origin & Fails<'beak_key_invalid'>,
  key: RefusedKey,
  cause: KeyFault,
): Failure {
  const { keyId, agentId, ducklingId } = key
  countRefusal({ keyId, agentId, ducklingId }, cause, context)
  return context.fail('beak_key_invalid', {}, 'recorded')
}
