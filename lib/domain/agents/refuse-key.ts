import { type Failure, fail } from '@/lib/kernel/failures'
import { type KeyFault, noteRefusal, type RefusedKey } from './refusals'

/** Makes the one outward answer to a key that is refused (contract A). The cause is noted for the owner's log. */
export function refuseKey(key: RefusedKey, cause: KeyFault): Failure {
  const { keyId, agentId, ducklingId } = key
  return fail(
    'beak_key_invalid',
    {},
    {
      ducklingId,
      event: 'key.refused',
      metadata: { cause, key_id: keyId, agent_id: agentId },
      note: (use) => noteRefusal({ keyId, agentId, ducklingId }, cause, use),
    },
  )
}
