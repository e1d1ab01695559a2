import { formatCheckpoint } from '@beak/client/verify/log/checkpoint'
import { rootOf } from '@beak/client/verify/log/merkle'
import type { Tx } from '@/lib/db/client'
import type { LogKey } from '@/lib/infrastructure/keys/log-keys'
import { logVerifierKey } from './origin'
import { signNote } from './sign-note'
import { readTree } from './tree'

/** Signs the first `size` entries under a name of the log, and publishes the checkpoint. */
export async function signCheckpoint(
  tx: Tx,
  now: Date,
  { origin, size }: { origin: string; size: number },
  { kid, x, privateKey }: LogKey,
): Promise<void> {
  const root = await rootOf(size, readTree(tx, size))
  const text = formatCheckpoint({ origin, size, root })
  const note = `${text}\n${signNote(text, logVerifierKey(origin, x), privateKey)}`
  await tx.logCheckpoint.create({
    data: { size, origin, kid, root: new Uint8Array(root), note, createdAt: now },
  })
}
