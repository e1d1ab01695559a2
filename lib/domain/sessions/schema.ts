import { z } from 'zod'
import type { Session as StoredSession } from '@/lib/db/generated/client'
import { instant } from '@/lib/kernel/fields'
import { lastSeen } from './seen'

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
  })
  .meta({ id: 'Session' })

export type SessionInput = z.input<typeof Session>

/** The columns that the owner sees. */
export type SessionRow = Pick<
  StoredSession,
  'id' | 'amr' | 'authTime' | 'createdAt' | 'expiresAt' | 'ip' | 'userAgent' | 'name' | 'lastSeenAt'
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
  }
}
