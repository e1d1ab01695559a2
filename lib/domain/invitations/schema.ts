/** The address of an invitation: `<BASE_URL>/ask/<token>`. */

import { z } from 'zod'
import type { Invitation as InvitationRow } from '@/lib/db/generated/client'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { instant, text, tier, verbObject } from '@/lib/kernel/request/fields'
import { day } from '@/lib/kernel/runtime/clock'
import { idSchema } from '@/lib/kernel/secrets/ids'
import { unseal } from '@/lib/kernel/secrets/secrets'

/** 16 random bytes in Crockford's base32. */
const tokenForm = '[0-9A-HJKMNP-TV-Z]{26}'

export const invitationToken = z
  .string()
  .regex(new RegExp(`^${tokenForm}$`), { error: m.field_must_be_token_of_invitation })

/** Returns the address of the page of an invitation. */
export function invitationUrl(token: string): string {
  return `${config().baseUrl}/ask/${token}`
}

/** Returns the token in a link of this service, or null for any other text. Scheme and host are compared as browsers do. */
export function tokenIn(text: string): string | null {
  const url = URL.parse(text.trim())
  const prefix = new URL(invitationUrl(''))
  if (url === null || url.origin !== prefix.origin || url.username !== '' || url.password !== '') return null
  if (url.search !== '' || url.hash !== '' || !url.pathname.startsWith(prefix.pathname)) return null
  const token = url.pathname.slice(prefix.pathname.length).replace(/\/$/, '')
  return invitationToken.safeParse(token).data ?? null
}

/** Shapes of invitations on the wire. */

export const InvitationRequest = z.strictObject({
  agent_id: idSchema('agent').optional().meta({ description: 'Only this agent may ask with the link.' }),
  action: verbObject.optional().meta({ description: 'Only this action may be asked for.' }),
  uses: z
    .int()
    .min(1, { error: m.field_number_positive })
    .max(100_000, { error: () => m.field_must_be_at_most({ count: 100_000 }) })
    .optional()
    .meta({ description: 'How many requests the link allows. Without it, any number.' }),
  expires_in: z
    .int()
    .min(60, { error: m.field_must_be_at_least_60_seconds })
    .max(366 * day, { error: () => m.field_must_be_at_most({ count: 366 * day }) })
    .optional()
    .meta({ description: 'Seconds until the link ends. Without it, the link works until you revoke it.' }),
  note: text(1, 280).optional().meta({ description: 'Only you see it.' }),
})

export const invitationStatus = z.enum(['active', 'revoked', 'used_up', 'expired'])

export const Invitation = z
  .object({
    invitation_id: z.string(),
    status: invitationStatus,
    url: z.string().nullable().meta({ description: 'The link. Null when it has ended.' }),
    agent_id: z.string().nullable(),
    action: z.string().nullable(),
    uses: z.int().nullable().meta({ description: 'How many requests it allows. Null: any number.' }),
    used: z.int().meta({ description: 'How many requests came with it.' }),
    last_used_at: instant.nullable(),
    note: z.string().nullable(),
    created_at: instant,
    expires_at: instant.nullable(),
  })
  .meta({ id: 'Invitation' })

export type InvitationInput = z.input<typeof Invitation>

/** What everybody who has the link may know. */
export const OpenInvitation = z
  .object({
    person: z
      .object({
        duckling_id: z.string(),
        display_name: z.string(),
        full_name: z
          .string()
          .optional()
          .meta({ description: 'The name in any script, if the person has one.' }),
        handle: z
          .string()
          .optional()
          .meta({ description: 'Without `@`. Of a person whom the directory lists.' }),
        trust_tier: tier,
        cert_id: z.string().nullable(),
        verify_url: z.string().nullable().meta({ description: 'The public page of the certificate.' }),
      })
      .meta({ id: 'InvitingPerson' }),
    action: z.string().nullable().meta({ description: 'The only action that may be asked for.' }),
    one_agent: z.boolean().meta({ description: 'Whether only one agent may use the link.' }),
    expires_at: instant.nullable(),
    target: z.string().meta({ description: 'Send it as `target` of POST /beak/peck/request.' }),
    request_url: z.string().meta({ description: 'The address of POST /beak/peck/request.' }),
    openapi_url: z.string(),
  })
  .meta({ id: 'OpenInvitation' })

/** What decides whether an invitation works. */
export type InvitationState = Pick<InvitationRow, 'uses' | 'maxUses' | 'endedAt' | 'expiresAt'>

export function statusOfInvitation(row: InvitationState, now: Date): z.output<typeof invitationStatus> {
  if (row.maxUses !== null && row.uses >= row.maxUses) return 'used_up'
  if (row.endedAt !== null) return 'revoked'
  return row.expiresAt !== null && row.expiresAt <= now ? 'expired' : 'active'
}

/** Returns an invitation as its owner sees it. */
export function presentInvitation(row: InvitationRow, now: Date): InvitationInput {
  const status = statusOfInvitation(row, now)
  const url =
    row.sealed === null || status !== 'active' ? null : invitationUrl(unseal(row.sealed, row.id).toString())
  return {
    invitation_id: row.id,
    status,
    url,
    agent_id: row.agentId,
    action: row.action,
    uses: row.maxUses,
    used: row.uses,
    last_used_at: row.lastUsedAt,
    note: row.note,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
  }
}
