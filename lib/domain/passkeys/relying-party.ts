import { minute } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'

/** How long a challenge lives, and how long the browser waits for the person. */
export const challengeLifetimeSeconds = 5 * minute

/** A duckling can have so many passkeys. */
export const passkeysMax = 20

export interface RelyingParty {
  id: string
  origin: string
  name: string
}

/** Who we are to an authenticator: passkeys are bound to the host name of `BASE_URL`, assertions to its origin, which has no path. */
export function relyingParty(): RelyingParty {
  const { origin } = config()
  return { id: new URL(origin).hostname, origin, name: 'Beak' }
}

/** A duckling's id as WebAuthn's user handle. */
export function userHandle(ducklingId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(ducklingId))
}
