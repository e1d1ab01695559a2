import { minute } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'

/** How long a challenge is valid, and how long the browser waits for the person. */
export const challengeLifetimeSeconds = 5 * minute

/** The highest number of passkeys per duckling. */
export const passkeysMax = 20

export interface RelyingParty {
  id: string
  origin: string
  name: string
}

/** Returns how authenticators identify this service: passkeys belong to the host name of `BASE_URL`, assertions to its origin. */
export function relyingParty(): RelyingParty {
  const { origin } = config()
  return { id: new URL(origin).hostname, origin, name: 'Beak' }
}

/** Returns the WebAuthn user handle of a duckling, which is its id. */
export function userHandle(ducklingId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(ducklingId))
}
