/** Bytes and digests with functions that Node and browsers share, so that the same code verifies receipts in both. */

export type Bytes = Uint8Array<ArrayBuffer>

export const bytesOfText = (text: string): Bytes => new TextEncoder().encode(text)

/** Decodes canonical base64url. Returns null for other text. */
export function bytesOfBase64url(text: string): Bytes | null {
  if (!/^[\w-]*$/.test(text)) return null
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    return base64url(bytes) === text ? bytes : null
  } catch {
    return null
  }
}

export function base64url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export async function sha256(data: string | Bytes): Promise<Bytes> {
  const bytes = typeof data === 'string' ? bytesOfText(data) : data
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

export function joined(left: Uint8Array, right: Uint8Array): Bytes {
  const all = new Uint8Array(left.length + right.length)
  all.set(left)
  all.set(right, left.length)
  return all
}

/** Compares public values. Not in constant time. */
export function areEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index])
}
