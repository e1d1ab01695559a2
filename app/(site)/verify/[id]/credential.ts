import { z } from 'zod'

const Claims = z.looseObject({
  credentialSubject: z.looseObject({ id: z.string(), display_name: z.string() }),
})

interface Decoded {
  ducklingId: string
  /** The display name at the issue. */
  displayName: string
  /** All claims, for display. */
  claims: Record<string, unknown>
}

/** Decodes a credential that this service has just made. Does not verify its signature. */
export function decodeCredential(credential: string): Decoded {
  const [, body = ''] = credential.split('.')
  const claims = Claims.parse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')))
  const { id, display_name: displayName } = claims.credentialSubject
  return { claims, ducklingId: id.replace(/^urn:beak:/, ''), displayName }
}
