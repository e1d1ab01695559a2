/** Remembers the ids of webhook messages, because the service may send a message more than once. */

import { type TierEventData, type WebhookData, webhookKinds } from './generated/webhooks'

/**
 * A store of message ids, for instance a table with the id as its key. The service sends a message again for up to 28 hours, and whenever
 * the owner asks for it.
 */
export interface WebhookStore {
  /**
   * Claims an id. Of simultaneous calls exactly one returns `new`. `running`: another call has claimed it and has neither finished nor
   * released it. End a claim after some minutes, because the process that has it may have died.
   */
  claim(id: string): 'new' | 'running' | 'done' | Promise<'new' | 'running' | 'done'>
  /** The message was received: later claims return `done`. */
  finish(id: string): void | Promise<void>
  /** The message was not received: the next claim returns `new`. */
  release(id: string): void | Promise<void>
}

/** Returns a store in the memory of this process, for the newest `idsMax` messages. It is empty after a restart. */
export function memoryWebhookStore(idsMax = 10_000): WebhookStore {
  const states = new Map<string, 'running' | 'done'>()
  return {
    claim(id) {
      const known = states.get(id)
      if (known !== undefined) return known
      const [oldest] = states.keys()
      if (states.size >= idsMax && oldest !== undefined) states.delete(oldest)
      states.set(id, 'running')
      return 'new'
    },
    finish(id) {
      states.set(id, 'done')
    },
    release(id) {
      states.delete(id)
    },
  }
}

/** The events that webhooks tell about, by kind. A later version of the service may send further kinds and further members. */

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
