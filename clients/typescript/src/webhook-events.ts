/** The events that webhooks tell about, by kind. A later version of the service may send further kinds and further members. */
import type { Peck } from './generated/schemas'

/** A trust tier. */
export type Tier = 'T0' | 'T1' | 'T2' | 'T3'

/** An agent of yours. */
export interface AgentEventData {
  agent_id: string
  agent_name: string
  agent_type: string
  /** As verb:object. */
  capabilities: string[]
  status: 'registered' | 'bonded' | 'suspended' | 'deregistered'
}

/** An agent that ended, and what ended with it. */
export interface AgentEndedData extends AgentEventData {
  /** Ids of pecks. */
  cancelled_pecks: string[]
  /** Ids of pecks. */
  revoked_grants: string[]
}

/** A new key of an agent. */
export interface KeyRotatedData {
  agent_id: string
  key_id: string
  /** Null when the agent had no key. */
  retired_key_id: string | null
  /** Time in UTC (ISO 8601), as in all members below whose name ends in `_at`. */
  expires_at: string
}

export interface CertificateIssuedData {
  cert_id: string
  duckling_id: string
  tier: Tier
  issued_at: string
  /** The certificate that the new one replaces. */
  supersedes: string | null
}

export interface CertificateRevokedData {
  cert_id: string
  duckling_id: string
  tier: Tier
  revoked_at: string
}

/** The peck as it was at that time. It never has a grant token: the asker reads it with `getPeck`. */
export type PeckEventData = Omit<Peck, 'grant_token' | 'repeated' | 'risk'>

export interface TierEventData {
  duckling_id: string
  previous_tier: Tier
  trust_tier: Tier
}

/** The removal of all passkeys, 24 hours after somebody asked for it. */
export interface RecoveryEventData {
  duckling_id: string
  requested_at: string
  removes_at: string
}

export interface TestEventData {
  webhook_id: string
  message: string
}

/** The data of each kind of event. */
export interface WebhookData {
  'agent.registered': AgentEventData
  'agent.bonded': AgentEventData
  'agent.suspended': AgentEventData
  'agent.deregistered': AgentEndedData
  'key.rotated': KeyRotatedData
  'cert.issued': CertificateIssuedData
  'cert.revoked': CertificateRevokedData
  'peck.sent': PeckEventData
  'peck.approved': PeckEventData
  'peck.rejected': PeckEventData
  'peck.expired': PeckEventData
  'peck.consumed': PeckEventData
  'trust.elevated': TierEventData
  'trust.lowered': TierEventData
  'passkey.recovery_started': RecoveryEventData
  'passkey.recovery_cancelled': RecoveryEventData
  'passkey.recovered': RecoveryEventData
  'webhook.test': TestEventData
}
export type WebhookKind = keyof WebhookData

/** An event of one kind. `timestamp` says when it happened (ISO 8601). */
export interface WebhookEventOf<Kind extends WebhookKind> {
  type: Kind
  timestamp: string
  data: WebhookData[Kind]
}

/** Any event. Its `type` tells which data it has. */
export type WebhookEvent = { [Kind in WebhookKind]: WebhookEventOf<Kind> }[WebhookKind]

/** Each kind once: the type does not compile when one is missing. */
const kinds: Record<WebhookKind, true> = {
  'agent.registered': true,
  'agent.bonded': true,
  'agent.suspended': true,
  'agent.deregistered': true,
  'key.rotated': true,
  'cert.issued': true,
  'cert.revoked': true,
  'peck.sent': true,
  'peck.approved': true,
  'peck.rejected': true,
  'peck.expired': true,
  'peck.consumed': true,
  'trust.elevated': true,
  'trust.lowered': true,
  'passkey.recovery_started': true,
  'passkey.recovery_cancelled': true,
  'passkey.recovered': true,
  'webhook.test': true,
}

/** The kinds that this version knows, for `kinds` of `createWebhook`. */
export const webhookKinds = Object.keys(kinds) as WebhookKind[]

/** Tells whether this version knows the kind. */
export function isWebhookKind(type: string): type is WebhookKind {
  return Object.hasOwn(kinds, type)
}
