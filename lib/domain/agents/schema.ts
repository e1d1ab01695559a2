import { z } from 'zod'
import type { Agent as AgentRow, AgentStatus, Tier } from '@/lib/db/generated/client'
import { lastSeen } from '@/lib/domain/sessions/authenticate'
import { type AgentEventData, agentStatus } from '@/lib/infrastructure/events/kinds/agents'
import { m } from '@/lib/kernel/messages'
import { always, instant, label, tier, verbObject } from '@/lib/kernel/request/fields'
import { hostName } from '@/lib/kernel/request/host-name'
import { idSchema } from '@/lib/kernel/secrets/ids'
import { hasStyledLetters, stacksMarks } from '@/lib/kernel/text/names'
import { isReserved, soundsLikePages } from '@/lib/kernel/text/reserved-words'
import { keyStart } from './beak-key'
import { Guard, type GuardRow, presentGuard } from './guard-schema'
import { scopes, scopesOf } from './scopes'

export const agentId = idSchema('agent')

/** The name of an agent. Signs and emoji may have any form, letters only their ordinary one. */
export const agentName = label
  .refine((name) => !hasStyledLetters(name.replace(/[^\p{L}\p{M}\p{Nl}]/gu, '')), {
    error: m.field_name_special_letters,
    abort: true,
  })
  .refine((name) => !stacksMarks(name.replace(/[\ufe0f\u20e3]/g, '')), {
    error: m.field_name_accents_excess,
    abort: true,
  })
  .refine((name) => !isReserved(name), { error: m.field_name_reserved_word, abort: true })
  .refine((name) => !soundsLikePages(name), { error: m.field_name_sounds_reserved })

export const agentType = label

export const capabilities = z
  .array(verbObject)
  .min(1, { error: m.field_must_name_at_least_one_capability })
  .max(32, { error: m.field_must_name_at_most_32_capabilities })
  .refine((list) => new Set(list).size === list.length, { error: m.field_must_not_name_a_capability_twice })

/** Agents with these statuses count towards the limit and can be changed. */
export const liveStatuses: AgentStatus[] = ['registered', 'bonded', 'suspended']

/**
 * The audience of an agent token: a host name, which is converted to its DNS form, a URI, or another name without spaces (RFC 7519,
 * "StringOrURI": a value with a colon must be a URI).
 */
export const audience = z
  .string()
  .min(1, { error: m.field_must_not_be_empty })
  .max(255, { error: m.field_must_have_at_most_255_characters })
  .transform((value, context) => {
    const name = hostName(value)
    if (name !== null) return name
    if (/^[\x21-\x7e]+$/.test(value) && (!value.includes(':') || URL.canParse(value))) return value
    context.addIssue({ code: 'custom', message: m.field_audience_format() })
    return z.NEVER
  })
  .meta({ type: 'string', maxLength: 255 })

/** The body of commands that need only the agent. */
export const agentBody = z.strictObject({ agent_id: agentId })

/** What the owner changes of an agent. */
export const AgentChange = z
  .strictObject({
    agent_id: agentId,
    agent_name: agentName.optional(),
    allow_query_key: z.boolean().optional(),
    asks_others: z.boolean().optional(),
    scopes: z
      .array(z.enum(scopes))
      .max(scopes.length)
      .optional()
      .meta({ description: 'Of a connected program: all that it may do. It always may ask its owner.' }),
  })
  .refine((body) => body.scopes === undefined || body.asks_others === undefined, {
    path: ['asks_others'],
    message: 'cannot come with scopes, which say it too',
  })
  .refine(({ agent_id: _, ...changes }) => Object.keys(changes).length > 0, {
    path: ['agent_name'],
    message: 'or another change is required',
    when: always,
  })

const NewestKey = z
  .object({
    key_id: z.string(),
    start: z.string(),
    tier_scope: tier,
    created_at: instant,
    expires_at: instant,
    last_used_at: instant.nullable(),
    retired_key_uses: z.int(),
  })
  .meta({ id: 'NewestKey' })

const AgentConnection = z
  .object({
    client_id: z.string().meta({
      description:
        'Which program it is. An https address is that of the document that describes the program.',
    }),
    client_name: z.string().meta({ description: 'What the program calls itself. Nobody has checked it.' }),
    return_host: z.string(),
    scopes: z.array(z.enum(scopes)).meta({ description: 'What its owner has ticked.' }),
    connected_at: instant,
    expires_at: instant.meta({
      description: 'Until when the program can stay connected without asking again.',
    }),
    ended_at: instant.nullable().meta({
      description: 'When it ended before that. The program connects again when you allow it again.',
    }),
    last_used_at: instant.nullable(),
  })
  .meta({ id: 'AgentConnection' })

/**
 * An agent as its owner sees it. `key` is its newest key, even when that key is retired or expired. Nobody knows the key of a connected program, which
 * has tokens instead.
 */
export const Agent = z
  .object({
    agent_id: z.string(),
    agent_name: z.string(),
    agent_type: z.string(),
    capabilities: z.array(z.string()),
    status: agentStatus,
    allow_query_key: z.boolean(),
    asks_others: z.boolean().meta({ description: 'Whether it may ask people other than its owner.' }),
    key: NewestKey,
    connection: AgentConnection.nullable(),
    guard: Guard.nullable().meta({
      description: 'The guard of a coding agent. Null for an agent that never said that it has one.',
    }),
    created_at: instant,
    bonded_at: instant.nullable(),
    last_seen_at: instant.nullable(),
  })
  .meta({ id: 'Agent' })

export type AgentInput = z.input<typeof Agent>

/** The answer to a registration: the only time that the key and the handshake token are shown. */
export const RegisteredAgent = z.object({
  agent_id: z.string(),
  agent_name: z.string(),
  agent_type: z.string(),
  capabilities: z.array(z.string()),
  status: z.enum(['registered', 'suspended']).meta({
    description: '`suspended`: a session of the device flow prepared the agent. Its owner resumes it.',
  }),
  beak_key: z.string(),
  key_id: z.string(),
  key_expires_at: instant,
  handshake_token: z.string(),
  handshake_expires_at: instant,
})

/** The answer to a rotation: the only time that the key and the handshake token are shown. */
export const RotatedKey = z.object({
  agent_id: z.string(),
  key_id: z.string(),
  beak_key: z.string(),
  expires_at: instant,
  handshake_token: z.string().optional(),
  handshake_expires_at: instant.optional(),
})

/** What anybody may see of an agent and of the person behind it. */
export const AgentCheck = z.object({
  agent_id: z.string(),
  valid: z.boolean(),
  status: agentStatus,
  agent_name: z.string(),
  agent_type: z.string(),
  capabilities: z.array(z.string()),
  asks_others: z.boolean().meta({ description: 'Whether it may ask people other than its operator.' }),
  bonded_at: instant.nullable(),
  operator: z.object({
    duckling_id: z.string(),
    display_name: z.string(),
    full_name: z.string().optional().meta({ description: 'The name in any script, if the person has one.' }),
    trust_tier: tier,
    certified: z.boolean(),
    cert_id: z.string().nullable(),
  }),
  checked_at: instant,
})

/** An agent with its newest key. */
export interface AgentWithKey
  extends Pick<
    AgentRow,
    | 'id'
    | 'name'
    | 'type'
    | 'capabilities'
    | 'status'
    | 'allowQueryKey'
    | 'asksOthers'
    | 'createdAt'
    | 'bondedAt'
    | 'lastSeenAt'
  > {
  keyId: string
  tierScope: Tier
  keyCreatedAt: Date
  keyExpiresAt: Date
  keyRetiredAt: Date | null
  lastUsedAt: Date | null
  /** Uses of all keys of the agent after they were retired or had expired. */
  allDeadUses: number
  /** Of the program that connected as this agent. Null without one. */
  clientId: string | null
  clientName: string | null
  returnHost: string | null
  guard: GuardRow | null
}

/** Returns the wire form of an agent and its newest key. */
export function presentAgent(row: AgentWithKey): AgentInput {
  const lastUsed = lastSeen('key', row.keyId, row.lastUsedAt)
  const { clientId, clientName, returnHost } = row
  const isConnected = clientId !== null && clientName !== null && returnHost !== null
  return {
    agent_id: row.id,
    agent_name: row.name,
    agent_type: row.type,
    capabilities: row.capabilities,
    status: row.status,
    allow_query_key: row.allowQueryKey,
    asks_others: row.asksOthers,
    key: {
      key_id: row.keyId,
      start: keyStart(row.keyId),
      tier_scope: row.tierScope,
      created_at: row.keyCreatedAt,
      expires_at: row.keyExpiresAt,
      last_used_at: lastUsed,
      retired_key_uses: row.allDeadUses,
    },
    connection: isConnected
      ? {
          client_id: clientId,
          client_name: clientName,
          return_host: returnHost,
          scopes: scopesOf(row),
          connected_at: row.keyCreatedAt,
          expires_at: row.keyExpiresAt,
          ended_at: row.keyRetiredAt,
          last_used_at: lastUsed,
        }
      : null,
    guard: row.guard === null ? null : presentGuard(row.guard),
    created_at: row.createdAt,
    bonded_at: row.bondedAt,
    last_seen_at: lastSeen('agent', row.id, row.lastSeenAt),
  }
}

/** Returns the data of an agent in webhooks. */
export function agentFacts(
  row: Pick<AgentRow, 'id' | 'name' | 'type' | 'capabilities' | 'status'>,
): z.input<typeof AgentEventData> {
  return {
    agent_id: row.id,
    agent_name: row.name,
    agent_type: row.type,
    capabilities: row.capabilities,
    status: row.status,
  }
}
