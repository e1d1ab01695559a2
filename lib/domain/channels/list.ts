import { db, type Tx } from '@/lib/db/client'
import { readSettings } from '@/lib/domain/notifications/settings'
import type { DucklingContext } from '@/lib/kernel/context'
import { readAddress } from './add'
import { type ChannelInput, presentChannel, presentMail } from './schema'

/** Returns the caller's channels, oldest first. Mail is the last, when it is on. */
export async function listChannels(
  { caller }: DucklingContext,
  tx: Tx = db(),
): Promise<{ items: ChannelInput[] }> {
  const rows = await tx.channel.findMany({ where: { ducklingId: caller.id }, orderBy: { id: 'asc' } })
  const settings = await readSettings(tx, caller.id)
  const address = settings.mailRequests === 'none' ? null : await readAddress(tx, caller.id)
  const mail = address === null ? [] : [presentMail(address, settings)]
  return { items: [...rows.map(presentChannel), ...mail] }
}
