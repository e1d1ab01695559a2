import { challengeLifetimeSeconds, relyingParty } from './relying-party'
import type { RequestOptions } from './schema'

/** Returns the options for `navigator.credentials.get()`. With `passkeys` the browser offers only these. */
export function requestOptions(
  challenge: Uint8Array,
  passkeys?: { credentialId: string; transports: string[] }[],
): RequestOptions {
  return {
    challenge: Buffer.from(challenge).toString('base64url'),
    rpId: relyingParty().id,
    timeout: challengeLifetimeSeconds * 1000,
    userVerification: 'required',
    allowCredentials: passkeys?.map(({ credentialId, transports }) => ({
      id: credentialId,
      type: 'public-key' as const,
      transports,
    })),
  }
}
