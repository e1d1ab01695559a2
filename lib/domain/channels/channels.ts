import { db, type Tx } from '@/lib/db/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { riskLevels } from '@/lib/domain/notifications/schema'
import { readSettings } from '@/lib/domain/notifications/settings'
import { updateNotifications } from '@/lib/domain/notifications/update'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { mintSecret } from '@/lib/domain/webhooks/secret'
import { record } from '@/lib/infrastructure/events/record'
import { m } from '@/lib/kernel/messages'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { newId } from '@/lib/kernel/secrets/ids'
import {
  type ChannelChange,
  type ChannelInput,
  mailChannelId,
  type NewChannel,
  presentChannel,
  presentMail,
} from './schema'
import { hostOf, readTarget, sealTarget, targetHashes } from './send'

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
    announceChange(tx, context, 'channel_added', row.name, row.hint)
    return { ...presentChannel(row), ...(secret === null ? {} : { secret: secret.shown }) }
  })
}

/** Returns the verified address of an account, or null. */
async function readAddress(tx: Tx, ducklingId: string): Promise<string | null> {
  const row = await tx.duckling.findUnique({ where: { id: ducklingId } })
  return row === null || row.emailVerifiedAt === null ? null : row.email
}

/** Switches mails about requests on, unless they are on, and changes their details when these are given. */
async function addMail(context: AddContext, details: boolean | undefined): Promise<ChannelInput> {
  const { caller } = context
  const address = await readAddress(db(), caller.id)
  if (address === null)
    throw context.fail('invalid_request', {
      errors: [{ field: 'kind', message: m.field_channel_email_unverified() }],
    })
  const isOff = (await readSettings(db(), caller.id)).mailRequests === 'none'
  await updateNotifications(context, {
    channels: {
      mail: { ...(isOff ? { requests: 'all' } : {}), ...(details === undefined ? {} : { details }) },
    },
  })
  return presentMail(address, await readSettings(db(), caller.id))
}

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
    announceChange(tx, context, 'channel_changed', row.name, row.hint)
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
      errors: [{ field: 'name', message: m.field_channel_option_unsupported() }],
    })
  const address = await readAddress(db(), caller.id)
  const before = await readSettings(db(), caller.id)
  if (address === null || before.mailRequests === 'none') throw fail('channel_not_found')
  await updateNotifications(context, { channels: { mail: { announces, details } } })
  return presentMail(address, await readSettings(db(), caller.id))
}

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
    announceChange(tx, context, 'channel_removed', row.name, row.hint)
    return { success: true, channel_id: id }
  })
}
