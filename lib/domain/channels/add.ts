import { db, type Tx } from '@/lib/db/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { riskLevels } from '@/lib/domain/notifications/schema'
import { readSettings } from '@/lib/domain/notifications/settings'
import { updateNotifications } from '@/lib/domain/notifications/update'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { mintSecret } from '@/lib/domain/webhooks/secret'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/ids'
import { m } from '@/lib/kernel/messages'
import { type ChannelInput, type NewChannel, presentChannel, presentMail } from './schema'
import { hostOf, readTarget, sealTarget, targetHashes } from './target'

const channelsMax = 20

type AddContext = DucklingContext<'invalid_request' | 'too_many_channels' | 'session_invalid'>

/** Names of channels that their owner did not name. */
const defaultNames: Record<Exclude<NewChannel['kind'], 'mail'>, () => string> = {
  push: m.channels_push,
  ntfy: m.channels_ntfy,
  chat: m.channels_chat,
  webhook: m.channels_webhook,
}

/**
 * Adds a channel to the caller's account, and returns it. A target that the account has already is the same channel, with a new name and new
 * `details` when they are given. `mail` switches mails about requests on again. Throws `invalid_request` or `too_many_channels`.
 */
export async function addChannel(
  context: AddContext,
  given: NewChannel,
): Promise<ChannelInput & { secret?: string }> {
  const { caller, now } = context
  if (given.kind === 'mail') return addMail(context, given.details)
  const { target, format } = await readTarget(context, given)
  const { kind, name, details } = given
  return transaction(async (tx) => {
    await lockName(tx, `channels:${caller.id}`)
    const known = await tx.channel.findFirst({
      where: { ducklingId: caller.id, targetHash: { in: targetHashes(target) } },
    })
    const id = known?.id ?? newId('channel', now)
    if (known === null && (await tx.channel.count({ where: { ducklingId: caller.id } })) >= channelsMax)
      throw context.fail('too_many_channels')
    const secret = kind === 'webhook' ? mintSecret(id) : null
    const columns = {
      kind,
      format,
      // A browser may have new keys at the same address.
      target: sealTarget(target, id),
      targetHash: targetHashes(target)[0],
      secret: secret?.sealed ?? null,
      sessionId: caller.sessionId,
      lastError: null,
      failingSince: null,
    }
    const row = await tx.channel.upsert({
      where: { id },
      create: {
        ...columns,
        id,
        ducklingId: caller.id,
        name: name ?? defaultNames[kind](),
        hint: hostOf(target),
        announces: [...riskLevels],
        details: details ?? true,
        createdAt: now,
      },
      update: { ...columns, name, details },
    })
    record(tx, context, 'channel.added', {
      targets: [{ type: 'channel', id }],
      metadata: { kind, host: row.hint, details: row.details },
    })
    announceChange(tx, context, 'channel_added', row.name)
    return { ...presentChannel(row), ...(secret === null ? {} : { secret: secret.shown }) }
  })
}

/** Returns the verified address of an account, or null. */
export async function readAddress(tx: Tx, ducklingId: string): Promise<string | null> {
  const row = await tx.duckling.findUnique({ where: { id: ducklingId } })
  return row === null || row.emailVerifiedAt === null ? null : row.email
}

/** Switches mails about requests on, unless they are on, and changes their details when these are given. */
async function addMail(context: AddContext, details: boolean | undefined): Promise<ChannelInput> {
  const { caller } = context
  const address = await readAddress(db(), caller.id)
  if (address === null)
    throw context.fail('invalid_request', {
      errors: [{ field: 'kind', message: m.field_needs_a_verified_address() }],
    })
  const isOff = (await readSettings(db(), caller.id)).mailRequests === 'none'
  await updateNotifications(context, {
    channels: {
      mail: { ...(isOff ? { requests: 'all' } : {}), ...(details === undefined ? {} : { details }) },
    },
  })
  return presentMail(address, await readSettings(db(), caller.id))
}
