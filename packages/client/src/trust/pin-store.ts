/** Keeps the passkeys of people whom a shop knows, so that a passkey that the service makes up later is refused. */
import { isSamePin, type Pin } from '@beak/proofs/receipts/endorsement'
import { type RunSql, runnerOf, type SqlOptions } from './sql'

/** The passkeys of people, by their `duckling_id`. Remove a pin yourself when a person tells you that a passkey is lost. */
export interface PinStore {
  /** Returns the pins of a person. Empty before the first contact. */
  get(target: string): readonly Pin[] | Promise<readonly Pin[]>
  /** Adds a pin, unless the person has it. */
  add(target: string, pin: Pin): void | Promise<void>
  /** Adds a pin if the person has none yet, in one step. Of simultaneous calls with different pins, one adds its pin. */
  addFirst(target: string, pin: Pin): void | Promise<void>
}

/** Returns a store in the memory of this process. After a restart, every contact is a first contact again. */
export function memoryPins(): PinStore {
  const all = new Map<string, Pin[]>()
  const get = (target: string) => all.get(target) ?? []
  const add = (target: string, { credential_id, public_key }: Pin) => {
    const pin = { credential_id, public_key }
    if (!get(target).some((known) => isSamePin(known, pin))) all.set(target, [...get(target), pin])
  }
  return {
    get,
    add,
    addFirst(target, pin) {
      if (get(target).length === 0) add(target, pin)
    },
  }
}

const getText = 'SELECT credential_id, public_key FROM beak_pins WHERE target = ?'
const addText = `INSERT INTO beak_pins (target, credential_id, public_key, is_first) VALUES (?, ?, ?, 0)
ON CONFLICT DO NOTHING`
/** The unique index on the first pins refuses one of two statements that both see no pin. */
const addFirstText = `INSERT INTO beak_pins (target, credential_id, public_key, is_first)
SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), 1
WHERE NOT EXISTS (SELECT 1 FROM beak_pins WHERE target = ?) ON CONFLICT DO NOTHING`

/**
 * Returns a store in a table of PostgreSQL or SQLite. Create the table first:
 *
 * ```sql
 * CREATE TABLE beak_pins (
 *   target TEXT NOT NULL, credential_id TEXT NOT NULL, public_key TEXT NOT NULL, is_first INTEGER NOT NULL,
 *   PRIMARY KEY (target, credential_id, public_key)
 * );
 * CREATE UNIQUE INDEX beak_first_pins ON beak_pins (target) WHERE is_first = 1;
 * ```
 */
export function sqlPins(run: RunSql, options: SqlOptions = {}): PinStore {
  const query = runnerOf(run, options)
  return {
    async get(target) {
      const rows = await query(getText, [target])
      return rows.map(({ credential_id, public_key }) => ({
        credential_id: String(credential_id),
        public_key: String(public_key),
      }))
    },
    async add(target, { credential_id, public_key }) {
      await query(addText, [target, credential_id, public_key])
    },
    async addFirst(target, { credential_id, public_key }) {
      await query(addFirstText, [target, credential_id, public_key, target])
    },
  }
}
