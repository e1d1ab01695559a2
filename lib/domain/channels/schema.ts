/** The channels of an account on the wire. */
import { z } from 'zod'
import type { Channel } from '@/lib/db/generated/client'
import { announces, riskLevels } from '@/lib/domain/notifications/schema'
import type { SettingsColumns } from '@/lib/domain/notifications/settings'
import { sendErrors } from '@/lib/domain/webhooks/send'
import { PushSubscription } from '@/lib/infrastructure/push/send'
import { m } from '@/lib/kernel/messages'
import { instant, label } from '@/lib/kernel/request/fields'
import { idSchema } from '@/lib/kernel/secrets/ids'

/** Mail has no row: every account has at most one verified address. */
export const mailChannelId = 'CHAN-MAIL'

const channelKinds = ['push', 'ntfy', 'chat', 'webhook', 'mail'] as const
const chatFormats = ['slack', 'discord', 'matrix', 'mattermost', 'telegram'] as const
export type ChatFormat = (typeof chatFormats)[number]

export const channelId = z.union([z.literal(mailChannelId), idSchema('channel')], {
  error: m.field_channel_id_format,
})

/** `guard.ts` checks the host and the addresses. */
const channelUrl = z
  .string()
  .trim()
  .max(2048, { error: m.field_must_have_at_most_2048_characters })
  .regex(/^\S+$/, { error: m.field_must_be_a_url })
  .meta({ type: 'string', format: 'uri' })

const details = z.boolean().optional().meta({
  description:
    'Whether messages name the largest amount or the target of a request of a known asker. A new channel: true.',
})

export const NewChannel = z.strictObject({
  kind: z.enum(channelKinds),
  name: label.optional(),
  subscription: PushSubscription.optional().meta({ description: 'For `push`: as the browser gives it.' }),
  url: channelUrl.optional().meta({
    description:
      'For `ntfy` the address of the topic, for `chat` that of its incoming webhook or of the bot, for `webhook` your own.',
  }),
  format: z.enum(chatFormats).optional().meta({
    description: 'For `chat`. Without it, the path of `url` decides; an unknown path gets the form of Slack.',
  }),
  details,
})
export type NewChannel = z.output<typeof NewChannel>

export const ChannelChange = z.strictObject({
  channel_id: channelId,
  name: label.optional(),
  announces: announces.optional(),
  details: details.meta({
    description: 'Whether messages name the largest amount or the target of a request of a known asker.',
  }),
})
export type ChannelChange = z.output<typeof ChannelChange>

export const ChannelAnswer = z
  .object({
    channel_id: z.string(),
    kind: z.enum(channelKinds),
    name: z.string(),
    hint: z
      .string()
      .meta({ description: 'The host that gets the messages. The rest of the address is secret.' }),
    format: z.enum(chatFormats).nullable(),
    announces: z.array(z.enum(riskLevels)).meta({
      description:
        'The risks of the requests that the channel announces. For `mail`: those that are mailed although another channel announces them.',
    }),
    details: z.boolean().meta({
      description:
        'Whether its messages name the largest amount or the target of a request. Everybody who can read the channel sees it.',
    }),
    created_at: instant.nullable(),
    last_tried_at: instant.nullable(),
    last_succeeded_at: instant.nullable(),
    last_error: z.enum(sendErrors).nullable(),
    failing_since: instant.nullable(),
  })
  .meta({ id: 'Channel' })
export type ChannelInput = z.input<typeof ChannelAnswer>

export const AddedChannel = ChannelAnswer.extend({
  secret: z
    .string()
    .optional()
    .meta({ description: 'For `webhook`: signs the messages. Only in this answer.' }),
}).meta({ id: 'AddedChannel' })

export const ChannelTest = z
  .object({
    success: z.boolean(),
    status_code: z.int().nullable(),
    latency_ms: z.int(),
    error: z.enum(sendErrors).nullable(),
    detail: z.string().nullable().meta({ description: 'What went wrong, in words. Null after a success.' }),
  })
  .meta({ id: 'ChannelTest' })
export type ChannelTestInput = z.input<typeof ChannelTest>

export function presentChannel(row: Channel): ChannelInput {
  return {
    channel_id: row.id,
    kind: row.kind,
    name: row.name,
    hint: row.hint,
    format: row.format as ChatFormat | null,
    announces: riskLevels.filter((level) => row.announces.includes(level)),
    details: row.details,
    created_at: row.createdAt,
    last_tried_at: row.lastTriedAt,
    last_succeeded_at: row.lastSucceededAt,
    last_error: row.lastError as (typeof sendErrors)[number] | null,
    failing_since: row.failingSince,
  }
}

/** Returns mail as a channel. */
export function presentMail(address: string, settings: SettingsColumns): ChannelInput {
  return {
    channel_id: mailChannelId,
    kind: 'mail',
    name: m.channels_mail(),
    hint: address,
    format: null,
    announces: settings.mailAnnounces,
    details: settings.mailDetails,
    created_at: null,
    last_tried_at: null,
    last_succeeded_at: null,
    last_error: null,
    failing_since: null,
  }
}
