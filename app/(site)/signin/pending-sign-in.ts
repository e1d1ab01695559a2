/**
 * Keeps the step of an unfinished sign-in in a short-lived cookie. A reload loses nothing, the sign-in works without JavaScript, and
 * no email stands in a URL.
 */
import { cookies } from 'next/headers'
import { z } from 'zod'
import { cookieOptions } from '@/app/_web/session-cookie'
import { config } from '@/lib/kernel/config'
import { minute } from '@/lib/kernel/runtime/clock'

const name = 'beak.coming-in'

const Pending = z.object({
  email: z.string().max(300),
  /** What the page asks for next. */
  step: z.enum(['address', 'code']),
  /** When another code can be sent, in milliseconds since 1970. */
  resendAt: z.number(),
})

export type PendingSignIn = z.infer<typeof Pending>

// Only the sign-in pages get the cookie.
const options = () => ({ ...cookieOptions(), path: `${config().basePath}/signin` })

/** Returns the unfinished sign-in of this browser, or null. */
export async function readPending(): Promise<PendingSignIn | null> {
  const value = (await cookies()).get(name)?.value ?? ''
  try {
    return Pending.parse(JSON.parse(value))
  } catch {
    return null
  }
}

/** Saves the step of the sign-in. For server actions. */
export async function keepPending(pending: PendingSignIn): Promise<void> {
  ;(await cookies()).set(name, JSON.stringify(pending), { ...options(), maxAge: 15 * minute })
}

/** Removes the unfinished sign-in. For server actions. */
export async function dropPending(): Promise<void> {
  ;(await cookies()).delete({ name, ...options() })
}
