import { isKeyedHash, keyedHash } from '@/lib/kernel/secrets/secrets'

/**
 * The cookie of the browser that a program sent to the authorization server. Its page has the id of the consent in its address, which can be sent to
 * somebody else. Only with the cookie, which cannot, may the person decide: so nobody connects his program to another account.
 */
export const browserCookie = 'beak_connect'

const purpose = (consentId: string) => `browser ${consentId}`

/** Returns the value of the cookie for a consent. */
export function browserSecretOf(consentId: string): string {
  return keyedHash('oauth', purpose(consentId)).toString('base64url')
}

/** Whether a value is that of the cookie for a consent. */
export function isBrowserOf(consentId: string, secret: string): boolean {
  return isKeyedHash('oauth', purpose(consentId), Buffer.from(secret, 'base64url'))
}
