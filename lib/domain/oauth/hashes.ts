import { sha256 } from '@/lib/kernel/secrets/secrets'

/** Returns the digest under which a record of the authorization server is found. `id`: of a code or a token, the secret itself. */
export function recordHash(kind: string, id: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(sha256(`${kind} ${id}`))
}

/** Returns the digest of the id of a grant. */
export function grantHashOf(grantId: string): Uint8Array<ArrayBuffer> {
  return recordHash('Grant', grantId)
}
