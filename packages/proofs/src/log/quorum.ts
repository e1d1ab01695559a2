/** Decides whether enough witnesses have cosigned a checkpoint. */
import { base64 } from '../bytes'
import { parseVerifierKey, type VerifierKey } from './verifier-key'

/**
 * Which witnesses are enough: one witness, or a group in which at least `threshold` members are enough. Members can be groups. `name` is
 * the name in the policy file.
 */
export type LogQuorum =
  | { name: string; vkey: string }
  | { name: string; threshold: number; members: readonly LogQuorum[] }

/**
 * Returns whether the witnesses with these keys are enough. A cosignature does not cover the name of its key, so the public keys decide,
 * and one key under two names is one witness.
 */
export function isQuorumReached(quorum: LogQuorum, cosigners: readonly VerifierKey[]): boolean {
  const keys = new Set(cosigners.map(({ publicKey }) => base64(publicKey)))
  const isReached = (one: LogQuorum): boolean => {
    if ('vkey' in one) {
      const key = parseVerifierKey(one.vkey)
      return key !== null && keys.has(base64(key.publicKey))
    }
    return one.members.filter(isReached).length >= Math.max(one.threshold, 1)
  }
  return isReached(quorum)
}
