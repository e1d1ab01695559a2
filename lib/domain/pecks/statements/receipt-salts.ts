/** The random values of a peck's receipts: salts that keep the values secret, and a nonce. All derive from one seed per peck. */
import { createHmac } from 'node:crypto'
import type { Tx } from '@/lib/db/client'
import type { Peck } from '@/lib/db/generated/client'
import { randomBytes } from '@/lib/kernel/random'

/** What a derived value is for. */
type Use = { kind: 'param'; name: string } | { kind: 'display' } | { kind: 'nonce' }

/** Returns 16 bytes in base64url. Somebody who has one of them learns nothing about the others. */
export function derive(seed: Uint8Array, use: Use): string {
  const label = use.kind === 'param' ? `param:${use.name}` : use.kind
  const digest = createHmac('sha256', seed).update(`beak/receipt/${label}`).digest()
  return digest.subarray(0, 16).toString('base64url')
}

/** Returns the seed of a peck. Pecks that are older than receipts of version 2 get theirs once, also from simultaneous calls. */
export async function receiptSeedOf(
  tx: Tx,
  { id, receiptSeed }: Pick<Peck, 'id' | 'receiptSeed'>,
): Promise<Uint8Array> {
  if (receiptSeed !== null) return receiptSeed
  const [stored] = await tx.rows<{ receiptSeed: Uint8Array }>`
    UPDATE "Peck" SET "receiptSeed" = COALESCE("receiptSeed", ${randomBytes(32)}) WHERE "id" = ${id}
    RETURNING "receiptSeed"`
  if (stored === undefined) throw new Error(`the peck ${id} is missing`)
  return stored.receiptSeed
}
