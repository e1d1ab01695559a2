/** What is asked, decided and shown in the play. */
import type { ConsumedGrant } from '@beak/client/generated/schemas'
import type { OutcomeFile } from '@beak/proofs/receipts/outcome-schema'

/** Where Nadia signs: on the pages of the service, or on her approver. */
export type Site = 'service' | 'approver'

/** What the shop is about to do. */
export interface Terms {
  action: string
  params: Record<string, unknown>
  audience: string
  target: string
  challenge: string | null
  scope: 'limited' | 'timed' | 'standing'
  requester: { duckling_id: string; agent_id: string }
}

/** What an agent shows to the shop: a permission. `answer` is what the host says when the shop uses it. */
export interface Offer {
  terms: Terms
  token: string
  answer: ConsumedGrant
}

/** A decision of Nadia. */
export interface Decision {
  peckId: string
  terms: Terms
  /** The receipt that Nadia downloads at once, and keeps. */
  receipt: OutcomeFile
}
