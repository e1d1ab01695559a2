import { z } from 'zod'
import type { BeakKey, Duckling, MailLink, SsoToken } from '@/lib/db/generated/client'
import { Agent } from '@/lib/domain/agents/schema'
import { Approver } from '@/lib/domain/approvers/schema'
import { AuditEvent } from '@/lib/domain/audit/schema'
import { Certificate } from '@/lib/domain/certs/schema'
import { ChannelAnswer } from '@/lib/domain/channels/schema'
import { Profile } from '@/lib/domain/identity/schema'
import { Invitation } from '@/lib/domain/invitations/schema'
import { Notifications } from '@/lib/domain/notifications/schema'
import { Recovery } from '@/lib/domain/passkeys/recovery'
import { ListedPasskey } from '@/lib/domain/passkeys/schema'
import { PeckUse } from '@/lib/domain/pecks/display/schema'
import { AskedAction } from '@/lib/domain/pecks/lists/askers'
import { Share } from '@/lib/domain/pecks/receipts/outcome-receipt-schema'
import { AgentBudget } from '@/lib/domain/pecks/rules/agent-budget'
import { PresentedRule } from '@/lib/domain/pecks/rules/schema'
import { Peck } from '@/lib/domain/pecks/schema'
import { Session } from '@/lib/domain/sessions/schema'
import { LogProof } from '@/lib/domain/tlog/schema'
import { Delivery, Webhook } from '@/lib/domain/webhooks/schema'
import { Jwks } from '@/lib/infrastructure/keys/key-set'
import { instant, tier } from '@/lib/kernel/request/fields'
import { exportedSites } from './export-sites'

/** Ids of everything that ended with the account. */
const Touched = z.object({
  certificates: z.array(z.string()),
  agents: z.array(z.string()),
  keys: z.array(z.string()),
  sessions: z.array(z.string()),
  passkeys: z.array(z.string()),
  pecks_cancelled: z.array(z.string()),
  grants_revoked: z.array(z.string()),
  sso_tokens: z.array(z.string()),
  webhooks: z.array(z.string()),
  rules: z.array(z.string()),
})
export type Touched = z.input<typeof Touched>
export const touchedNames = Touched.keyof().options

export const ClosingPreview = z
  .object({
    certificates: z.int(),
    agents: z.int(),
    keys: z.int(),
    sessions: z.int(),
    passkeys: z.int(),
    pecks_cancelled: z.int(),
    grants_revoked: z.int(),
    sso_tokens: z.int(),
    webhooks: z.int(),
    rules: z.int(),
  } satisfies Record<keyof Touched, unknown>)
  .meta({ id: 'ClosingPreview' })
export type ClosingPreview = z.output<typeof ClosingPreview>

export const ClosedAccount = z
  .object({
    success: z.literal(true),
    duckling_id: z.string(),
    closed_at: instant,
    touched: Touched,
  })
  .meta({ id: 'ClosedAccount' })

export type ClosedAccountInput = z.input<typeof ClosedAccount>

/** Data of an account that is not in its profile. Says of a password only whether there is one. */
const Account = z.object({
  phone: z.string().nullable(),
  email_verified_at: instant.nullable(),
  phone_verified_at: instant.nullable(),
  has_password: z.boolean(),
  referred_by_code: z.string().nullable(),
  rate_limit: z.object({ per_minute: z.int(), burst: z.int() }).nullable(),
  browser_time_zone: z.string().nullable().meta({ description: 'Of the browser of your first visit' }),
  browser_language: z.string().nullable().meta({ description: 'Of the browser of your first visit' }),
  handle_claims: z.array(instant).meta({ description: 'When you chose a handle: the newest three times' }),
})

const ExportedKey = z.object({
  key_id: z.string(),
  tier_scope: tier,
  created_at: instant,
  expires_at: instant,
  last_used_at: instant.nullable(),
  retired_at: instant.nullable(),
  uses_after_death: z.int(),
})

const ExportedSsoToken = z.object({
  sso_id: z.string(),
  target_domain: z.string(),
  scope: z.string(),
  agent_id: z.string().nullable(),
  issued_at: instant,
  expires_at: instant,
  spent_at: instant.nullable(),
  revoked_at: instant.nullable(),
})

/** A link that was mailed, without its token. */
const ExportedLink = z.object({
  purpose: z.string(),
  address: z.string(),
  created_at: instant,
  expires_at: instant,
  used_at: instant.nullable(),
})

const params = z.record(z.string(), z.unknown())

/** All data about a duckling, without secrets. */
export const AccountExport = z
  .object({
    exported_at: instant,
    profile: Profile,
    account: Account,
    handles: z
      .array(z.object({ handle: z.string(), claimed_at: instant, released_at: instant.nullable() }))
      .meta({ description: 'Your handle, and those of the last year' }),
    notifications: Notifications,
    certificates: z.array(Certificate),
    agents: z.array(Agent.extend({ keys: z.array(ExportedKey) })),
    pecks: z.object({
      sent: z.array(Peck),
      received: z.array(Peck),
      approvals: z
        .array(z.object({ peck_id: z.string(), approval: z.unknown() }))
        .meta({ description: 'The passkey assertions that confirmed your approvals' }),
      displayed: z
        .array(z.object({ peck_id: z.string(), displayed: params }))
        .meta({ description: 'What the page displayed when you decided' }),
      uses: z
        .array(PeckUse.extend({ peck_id: z.string() }))
        .meta({ description: 'What the permissions that you gave were used for' }),
    }),
    shared_receipts: z.array(Share).meta({ description: 'The receipts that you have made public' }),
    recent_changes: z
      .array(z.object({ change: z.string(), name: z.string(), at: z.string(), session: z.string() }))
      .meta({ description: 'Sensitive changes of the last 7 days, which the pages of other sessions show.' }),
    former_names: z
      .array(z.object({ until: instant, display_name: z.string(), full_name: z.string().nullable() }))
      .meta({
        description: 'The names before each change. Receipts show the names at the time of the decision.',
      }),
    asker_history: z
      .array(
        AskedAction.extend({
          asker: z.string(),
          asked_at: instant.nullable(),
          approved_params: params.nullable(),
        }),
      )
      .meta({
        description: 'How often somebody asked you for an action, and the params that were approved last',
      }),
    invitations: z.array(Invitation),
    rules: z.array(
      PresentedRule.extend({
        statements: z
          .array(z.object({ statement: z.string(), proof: z.unknown(), created_at: instant }))
          .meta({ description: 'What your passkeys signed, oldest first' }),
      }),
    ),
    rule_answers: z
      .array(
        z.object({
          peck_id: z.string(),
          rule_id: z.string(),
          agent_id: z.string(),
          state: z.enum(['reserved', 'spent', 'returned', 'watched']),
          cost: z.int().meta({ description: 'In the smallest unit of the currency' }),
          currency: z.string().nullable(),
          before: z.unknown(),
          after: z.unknown(),
          limits: z.unknown(),
          created_at: instant,
        }),
      )
      .meta({
        description: 'What your rules answered, or would have answered, with the budget before and after',
      }),
    agent_budgets: z.array(AgentBudget),
    contacts: z.array(
      z.object({
        asker: z.string(),
        note: z.string().nullable(),
        always_since: instant.nullable(),
      }),
    ),
    blocks: z.array(z.object({ duckling_id: z.string(), created_at: instant })),
    passkeys: z.array(ListedPasskey),
    passkey_recovery: Recovery.nullable(),
    approver: Approver.nullable(),
    mail_links: z.array(ExportedLink),
    sessions: z.array(Session.extend({ revoked_at: instant.nullable() })),
    devices: z
      .array(z.object({ device_id: z.string(), created_at: instant, expires_at: instant }))
      .meta({ description: 'Devices that have signed in before' }),
    codes: z
      .array(z.object({ purpose: z.string(), address: z.string(), created_at: instant }))
      .meta({ description: 'Codes that were sent in the last days, with purpose and address' }),
    sso_tokens: z.array(ExportedSsoToken),
    webhooks: z.array(Webhook.extend({ deliveries: z.array(Delivery) })),
    channels: z.array(ChannelAnswer).meta({ description: 'Where you get your requests' }),
    announcements: z
      .array(
        z.object({
          peck_id: z.string(),
          channel_id: z.string(),
          announced_at: instant.nullable(),
          reminded_at: instant.nullable(),
        }),
      )
      .meta({ description: 'Which channels announced which requests in the last 60 days' }),
    subscriptions: z.array(
      z.object({
        email: z.string(),
        partner_type: z.string().nullable(),
        status: z.string(),
        created_at: instant,
        confirmed_at: instant.nullable(),
      }),
    ),
    support_tickets: z.array(
      z.object({ ticket_id: z.string(), email: z.string(), message: z.string(), created_at: instant }),
    ),
    ...exportedSites,
    audit: z.object({
      events: z.array(AuditEvent),
      head: z.string(),
      jwks: Jwks,
      log: LogProof.nullable().meta({
        description: 'Proof that the transparency log contains the newest logged head of this chain',
      }),
    }),
  })
  .meta({ id: 'AccountExport' })

export type AccountExportInput = z.input<typeof AccountExport>

export function presentAccount(row: Duckling): z.input<typeof Account> {
  const { limitRate, limitBurst } = row
  return {
    phone: row.phone,
    email_verified_at: row.emailVerifiedAt,
    phone_verified_at: row.phoneVerifiedAt,
    has_password: row.passwordHash !== null,
    referred_by_code: row.referredByCode,
    rate_limit:
      limitRate === null || limitBurst === null ? null : { per_minute: limitRate, burst: limitBurst },
    browser_time_zone: row.browserTimeZone,
    browser_language: row.browserLanguage,
    handle_claims: row.handleClaims,
  }
}

export function presentKey(row: BeakKey): z.input<typeof ExportedKey> {
  return {
    key_id: row.id,
    tier_scope: row.tierScope,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    last_used_at: row.lastUsedAt,
    retired_at: row.retiredAt,
    uses_after_death: row.deadUses,
  }
}

export function presentLink(row: MailLink): z.input<typeof ExportedLink> {
  return {
    purpose: row.kind,
    address: row.address,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    used_at: row.usedAt,
  }
}

export function presentSsoToken(row: SsoToken): z.input<typeof ExportedSsoToken> {
  return {
    sso_id: row.id,
    target_domain: row.targetDomain,
    scope: row.scope,
    agent_id: row.agentId,
    issued_at: row.createdAt,
    expires_at: row.expiresAt,
    spent_at: row.spentAt,
    revoked_at: row.revokedAt,
  }
}
