/** Another log for another reader: the host signs a tree with other entries and the same size. */
import { formatVerifierKey } from '@beak/client/verify/log/verifier-key'
import { db } from '@/lib/db/client'
import { logOrigin, logVerifierKey } from '@/lib/domain/tlog/origin'
import { type ALog, aLog } from '@/lib/fixtures/logs'
import { logKey } from '@/lib/infrastructure/keys/log-keys'
import { readClock } from '@/lib/kernel/clock'
import type { Host } from './start'

/** Returns the log with `entry` in the place of another one, signed with the real key of the log. No entry of `reader` is replaced. */
export async function forkedLog(entry: Uint8Array, reader: string): Promise<ALog & { index: number }> {
  const rows = await db().logEntry.findMany({ orderBy: { index: 'asc' } })
  const index = rows.findLastIndex(({ ducklingId }) => ducklingId !== reader)
  const entries = rows.map(({ data }, place) => (place === index ? entry : new Uint8Array(data)))
  const { x, privateKey } = await logKey(readClock())
  const key = logVerifierKey(await logOrigin(), x)
  return { ...(await aLog(entries, { key, privateKey, vkey: formatVerifierKey(key) })), index }
}

/** Asks the witness to cosign a fork. Throws unless the witness refuses because it has cosigned another tree. */
export async function expectNoCosignature({ witnessUrl }: Host, { size, checkpoint }: ALog): Promise<void> {
  const answer = await fetch(`${witnessUrl}/add-checkpoint`, {
    method: 'POST',
    body: `old ${size}\n\n${checkpoint}`,
  })
  if (answer.status !== 409 && answer.status !== 422)
    throw new Error(`the witness answered ${answer.status} to a forked log`)
}
