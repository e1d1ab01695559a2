import { z } from 'zod'

const Claims = z.looseObject({ credentialSubject: z.looseObject({ id: z.string() }) })

interface Decoded {
  ducklingId: string
  /** All claims, for display. */
  claims: Record<string, unknown>
}

/** Decodes a credential that this service has just made. Does not verify its signature. */
export function decodeCredential(credential: string): Decoded {
  const [, body = ''] = credential.split('.')
  const claims = Claims.parse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')))
  return { claims, ducklingId: claims.credentialSubject.id.replace(/^urn:beak:/, '') }
}
