/** Bytes and digests with functions that Node and browsers share, so that the same code verifies receipts in both. */

export type Bytes = Uint8Array<ArrayBuffer>

export const bytesOfText = (text: string): Bytes => new TextEncoder().encode(text)

/** Decodes canonical base64url. Returns null for other text. */
export function bytesOfBase64url(text: string): Bytes | null {
  if (!/^[\w-]*$/.test(text)) return null
  const padding = '='.repeat((4 - (text.length % 4)) % 4)
  return bytesOfBase64(`${text.replaceAll('-', '+').replaceAll('_', '/')}${padding}`)
}

export function base64url(bytes: Uint8Array): string {
  return base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Decodes canonical base64. Returns null for other text. */
export function bytesOfBase64(text: string): Bytes | null {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    return base64(bytes) === text ? bytes : null
  } catch {
    return null
  }
}

export function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export async function sha256(data: string | Bytes): Promise<Bytes> {
  const bytes = typeof data === 'string' ? bytesOfText(data) : data
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

export function joined(...parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.byteLength
  }
  return all
}

/** Compares public values. Not in constant time. */
export function areEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index])
}
