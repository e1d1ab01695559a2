/**
 * For services that act on permissions and do not want to believe Beak that a permission is active: what they demand of its receipt, where they
 * remember what they accepted, and their own challenges and codes. Pass the result of `permissionTrust` to `usePermission`. It runs in Node and in other
 * runtimes with Web Crypto.
 *
 * @packageDocumentation
 */
export {
  type CheckpointFork,
  type CheckpointStore,
  memoryCheckpoints,
} from '@beak/proofs/log/checkpoint-store'
export { permissionTrust } from './check-use'
export type {
  ChallengeRule,
  PermissionTrust,
  TrustFault,
  TrustOptions,
  TrustPolicy,
} from './permission-trust'
export { memoryPins, type PinStore, sqlPins } from './pin-store'
export {
  type ChallengeSecret,
  isOwnChallenge,
  type ShopCode,
  shopChallenge,
  shopCode,
} from './shop-challenge'
export type { RunSql, SqlOptions } from './sql'
export { sqlCheckpoints } from './sql'
export { memoryUsed, sqlUsed, type UsedStore } from './used-store'
