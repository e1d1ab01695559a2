import { isKeyedHash, keyedHash } from '@/lib/kernel/secrets/secrets'

const purpose = (consentId: string) => `browser ${consentId}`

/** Returns the value of the cookie for a consent. */
export function browserSecretOf(consentId: string): string {
  return keyedHash('oauth', purpose(consentId)).toString('base64url')
}

/** Whether a value is that of the cookie for a consent. */
export function isBrowserOf(consentId: string, secret: string): boolean {
  return isKeyedHash('oauth', purpose(consentId), Buffer.from(secret, 'base64url'))
}
