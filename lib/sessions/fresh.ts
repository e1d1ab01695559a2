import type { DucklingContext } from '@/lib/kernel/context'
import { fail } from '@/lib/kernel/failures'

/** Throws `fresh_sign_in_needed` when the caller signed in more than that many seconds ago. */
export function requireFreshSignIn({ caller, now }: DucklingContext, withinSeconds: number): void {
  if (now.getTime() - caller.authTime.getTime() > withinSeconds * 1000) throw fail('fresh_sign_in_needed')
}
