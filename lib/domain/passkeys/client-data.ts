/** The client data of a credential: what the browser signed, with the challenge and the origin (WebAuthn Level 3, 5.8.1). */
export interface ClientData {
  type: string
  challenge: string
  origin: string
  /** Whether another site framed the page. */
  crossOrigin: boolean
}

/** Parses `clientDataJSON`. Returns null when it is malformed. */
export function readClientData(encoded: string): ClientData | null {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64url')))
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const { type, challenge, origin, crossOrigin = false, topOrigin } = value as Record<string, unknown>
  if (typeof type !== 'string' || typeof challenge !== 'string' || typeof origin !== 'string') return null
  if (typeof crossOrigin !== 'boolean' || !/^[\w-]{1,512}$/.test(challenge)) return null
  return { type, challenge, origin, crossOrigin: crossOrigin || topOrigin !== undefined }
}
