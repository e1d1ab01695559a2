import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { readSettings } from '@/lib/domain/notifications/settings'
import { updateNotifications } from '@/lib/domain/notifications/update'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { m } from '@/lib/kernel/messages'
import { readAddress } from './add'
import { type ChannelChange, type ChannelInput, mailChannelId, presentChannel, presentMail } from './schema'

type UpdateContext = DucklingContext<'channel_not_found' | 'invalid_request' | 'session_invalid'>

/** Changes the name of a channel, what it announces, and whether its messages have details. Throws `channel_not_found`, or `invalid_request` for the name of mail. */
export async function updateChannel(
  context: UpdateContext,
  { channel_id: id, name, announces, details }: ChannelChange,
): Promise<ChannelInput> {
  const { caller } = context
  if (id === mailChannelId) return updateMail(context, { name, announces, details })
  return transaction(async (tx) => {
    const [row] = await tx.channel.updateManyAndReturn({
      where: { id, ducklingId: caller.id },
      data: { name, announces, details },
    })
    if (row === undefined) throw context.fail('channel_not_found')
    record(tx, context, 'channel.updated', {
      targets: [{ type: 'channel', id }],
      metadata: { kind: row.kind, host: row.hint, announces: row.announces, details: row.details },
    })
    announceChange(tx, context, 'channel_changed', row.name)
    return presentChannel(row)
  })
}

async function updateMail(
  context: UpdateContext,
  { name, announces, details }: Omit<ChannelChange, 'channel_id'>,
): Promise<ChannelInput> {
  const { caller, fail } = context
  if (name !== undefined)
    throw fail('invalid_request', {
      errors: [{ field: 'name', message: m.field_must_not_be_given_for_this_kind() }],
    })
  const address = await readAddress(db(), caller.id)
  const before = await readSettings(db(), caller.id)
  if (address === null || before.mailRequests === 'none') throw fail('channel_not_found')
  await updateNotifications(context, { channels: { mail: { announces, details } } })
  return presentMail(address, await readSettings(db(), caller.id))
}
