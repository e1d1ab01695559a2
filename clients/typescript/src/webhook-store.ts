/** Remembers the ids of webhook messages, because the service may send a message more than once. */

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
