/**
 * How far somebody is on the way in, kept in a short-lived cookie of the sign-in page: a reload loses nothing, it works without
 * JavaScript, and no address stands in a URL.
 */
import { cookies } from 'next/headers'
import { z } from 'zod'
import { minute } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import { cookieOptions } from './session-cookie'

const name = 'beak.coming-in'

const Pending = z.object({
  email: z.string().max(300),
  /** Whether the code is what is asked for next, or the address still. */
  step: z.enum(['address', 'code']),
  /** When another code can be asked for, in milliseconds since 1970. */
  resendAt: z.number(),
})

export type PendingSignIn = z.infer<typeof Pending>

// Sent to the sign-in pages only, and not longer than a code lives.
const options = () => ({ ...cookieOptions(), path: `${config().basePath}/signin` })

/** Where the sign-in of this browser has got to, or null. */
export async function readPending(): Promise<PendingSignIn | null> {
  const value = (await cookies()).get(name)?.value ?? ''
  try {
    return Pending.parse(JSON.parse(value))
  } catch {
    return null
  }
}

/** For server actions. */
export async function keepPending(pending: PendingSignIn): Promise<void> {
  ;(await cookies()).set(name, JSON.stringify(pending), { ...options(), maxAge: 15 * minute })
}

/** For server actions. */
export async function dropPending(): Promise<void> {
  ;(await cookies()).delete({ name, ...options() })
}
