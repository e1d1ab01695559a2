import type { SessionCaller } from '@/lib/kernel/request/context'
import { latest } from '@/lib/kernel/runtime/clock'
import { passkeyAcr } from './site-scopes'

/** Methods that RFC 8176 names. */
const standardMethods = new Set(['otp', 'pwd', 'pop'])

/** How and when the person of a session was last authenticated, as an ID token says it. */
export function authenticationOf({ authTime, passkeyAt, amr }: SessionCaller) {
  const known = amr.filter((method) => standardMethods.has(method))
  const methods = [...new Set(passkeyAt === null ? known : [...known, 'pop'])]
  return {
    at: passkeyAt === null ? authTime : latest([authTime, passkeyAt]),
    ...(methods.length > 0 && { amr: methods }),
    ...(passkeyAt !== null && { acr: passkeyAcr }),
  }
}

export const secondsOf = (at: Date) => Math.floor(at.getTime() / 1000)
