/**
 * Client of Beak: identity, trust and permission for people and the agents that act for them.
 *
 * @packageDocumentation
 */

export type { Fetch } from '@beak/proofs/fetch-text'
export { Beak } from './beak'
export {
  BeakAnswerError,
  BeakConnectionError,
  BeakError,
  BeakTimeoutError,
  type ErrorCode,
  type ErrorReason,
  type FieldError,
  isTransient,
  TestCredentialError,
} from './errors'
export type * from './generated/schemas'
export type * from './generated/types'
export type { BeakOptions, CallOptions, Credential } from './options'
export type { ItemOf, ListOperation, Page } from './pages'
export {
  type AskOptions,
  type Permission,
  type PermissionAnswer,
  PermissionRefusedError,
  type PermissionRequest,
  type Refusal,
  type UsedGrant,
  type UseOptions,
  type WaitOptions,
} from './permission'
export { type RequiredPermission, RequiredPermissionError, requiredPermission } from './required-permission'
export type { PeckEvent, StreamedPeck, StreamOptions } from './stream'
export type { PermissionTrust, TrustFault } from './trust/permission-trust'
export { version } from './version'
