import { z } from 'zod'

const Claims = z.looseObject({ credentialSubject: z.looseObject({ id: z.string() }) })

interface Decoded {
  ducklingId: string
  /** Everything it says, for reading. */
  claims: Record<string, unknown>
}

/** What a credential of ours says. It is read, not checked: it comes straight from where it was made. */
export function decodeCredential(credential: string): Decoded {
  const [, body = ''] = credential.split('.')
  const claims = Claims.parse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')))
  return { claims, ducklingId: claims.credentialSubject.id.replace(/^urn:beak:/, '') }
}
