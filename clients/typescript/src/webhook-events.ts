/** The events that webhooks tell about, by kind. A later version of the service may send further kinds and further members. */
import { type TierEventData, type WebhookData, webhookKinds } from './generated/webhooks'

export * from './generated/webhooks'

/** A trust tier. */
export type Tier = TierEventData['trust_tier']

export type WebhookKind = keyof WebhookData

/** An event of one kind. `timestamp` says when it happened (ISO 8601). */
export interface WebhookEventOf<Kind extends WebhookKind> {
  type: Kind
  timestamp: string
  data: WebhookData[Kind]
}

/** Any event. Its `type` tells which data it has. */
export type WebhookEvent = { [Kind in WebhookKind]: WebhookEventOf<Kind> }[WebhookKind]

/** Tells whether this version knows the kind. */
export function isWebhookKind(type: string): type is WebhookKind {
  return (webhookKinds as string[]).includes(type)
}
