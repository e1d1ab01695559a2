import { z } from 'zod'
import type { Session as StoredSession } from '@/lib/db/generated/client'
import { always, instant } from '@/lib/kernel/request/fields'
import { idSchema } from '@/lib/kernel/secrets/ids'
import { lastSeen } from './authenticate'

/** A session as its owner sees it. It has no token: the token is shown only once, at sign-in. */
export const Session = z
  .object({
    session_id: z.string(),
    created_at: instant,
    expires_at: instant,
    auth_time: instant,
    amr: z.array(z.string()),
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
    name: z.string().nullable().meta({
      description:
        'The name that the device gave itself, when it signed in with a code from POST /beak/device/authorize.',
    }),
    last_seen_at: instant.nullable(),
    current: z.boolean(),
    passkey_id: z.string().nullable().meta({
      description:
        'The passkey that signed this session in or confirmed it last, or else the newest one that was added in it. Null: none of your passkeys.',
    }),
  })
  .meta({ id: 'Session' })

/** A device that the owner approved, before it fetches its session. Name and user agent come from the device, and prove nothing. */
export const ApprovedDevice = z
  .object({
    device_request_id: z.string(),
    client_name: z.string(),
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
    created_at: instant,
    expires_at: instant.meta({ description: 'The device can sign in until then.' }),
  })
  .meta({ id: 'ApprovedDevice' })

export type ApprovedDeviceInput = z.input<typeof ApprovedDevice>

/** What the owner ends: exactly one of the three. */
export const RevokedThing = z
  .strictObject({
    session_id: idSchema('session').optional(),
    device_request_id: idSchema('device_request').optional(),
    all_others: z.literal(true).optional(),
    connected_agents: z
      .boolean()
      .default(false)
      .meta({ description: 'With `all_others`: ends the connections of your agents too.' }),
  })
  .refine(
    ({ connected_agents: _, ...things }) =>
      Object.values(things).filter((value) => value !== undefined).length === 1,
    {
      path: ['session_id'],
      message: 'send one of session_id, device_request_id and all_others',
      when: always,
    },
  )
  .refine((body) => !body.connected_agents || body.all_others === true, {
    path: ['connected_agents'],
    message: 'needs all_others',
  })

export type SessionInput = z.input<typeof Session>

/** The columns that the owner sees. */
export type SessionRow = Pick<
  StoredSession,
  | 'id'
  | 'amr'
  | 'authTime'
  | 'createdAt'
  | 'expiresAt'
  | 'ip'
  | 'userAgent'
  | 'name'
  | 'lastSeenAt'
  | 'passkeyId'
>

/** Returns the wire form of a session. `currentId` is the session of the caller. */
export function presentSession(row: SessionRow, currentId: string): SessionInput {
  return {
    session_id: row.id,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    auth_time: row.authTime,
    amr: row.amr,
    ip: row.ip,
    user_agent: row.userAgent,
    name: row.name,
    last_seen_at: lastSeen('session', row.id, row.lastSeenAt),
    current: row.id === currentId,
    passkey_id: row.passkeyId,
  }
}
