import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { readSettings } from '@/lib/domain/notifications/settings'
import { updateNotifications } from '@/lib/domain/notifications/update'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { mailChannelId } from './schema'

/**
 * Removes a channel. `CHAN-MAIL` switches mails about requests off. A channel that another session added needs a recent proof, because it tells
 * the owner what is asked. Throws `channel_not_found` and the failures of `requireProof`.
 */
export async function removeChannel(
  context: DucklingContext<'channel_not_found' | 'invalid_request' | 'session_invalid' | ProofFailure>,
  id: string,
): Promise<{ success: true; channel_id: string }> {
  const { caller } = context
  if (id === mailChannelId) {
    await requireProof(db(), context)
    if ((await readSettings(db(), caller.id)).mailRequests === 'none') throw context.fail('channel_not_found')
    await updateNotifications(context, { channels: { mail: { requests: 'none' } } })
    return { success: true, channel_id: id }
  }
  return transaction(async (tx) => {
    const row = await tx.channel.findFirst({ where: { id, ducklingId: caller.id } })
    if (row === null) throw context.fail('channel_not_found')
    if (row.sessionId !== caller.sessionId) await requireProof(tx, context)
    const { count } = await tx.channel.deleteMany({ where: { id, ducklingId: caller.id } })
    if (count !== 1) throw context.fail('channel_not_found')
    record(tx, context, 'channel.removed', {
      targets: [{ type: 'channel', id }],
      metadata: { kind: row.kind, host: row.hint },
    })
    announceChange(tx, context, 'channel_removed', row.name)
    return { success: true, channel_id: id }
  })
}
