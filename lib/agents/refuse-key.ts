import { type Failure, fail } from '@/lib/kernel/failures'

export type KeyFault =
  | 'wrong_secret'
  | 'revoked'
  | 'expired'
  | 'query_key_off'
  | 'query_key_at_bond'
  | 'other_agent'

/** The one outward answer to a key that is not good (contract A); the cause goes into its owner's log. */
export function refuseKey(
  key: { keyId: string; agentId: string; ducklingId: string },
  cause: KeyFault,
): Failure {
  return fail(
    'beak_key_invalid',
    {},
    {
      ducklingId: key.ducklingId,
      event: 'key.refused',
      metadata: { cause, key_id: key.keyId, agent_id: key.agentId },
    },
  )
}
