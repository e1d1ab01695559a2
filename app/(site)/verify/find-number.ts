/** Reads O as 0, and I and L as 1, as Crockford's base32 does. Returns null for a number with the letter U, which has no digit. */
function corrected(prefix: string, characters: string | undefined): string | null {
  const plain = characters?.replaceAll('O', '0').replace(/[IL]/g, '1')
  return plain === undefined || plain.includes('U') ? null : `${prefix}-${plain}`
}

/**
 * Returns the number with that prefix in a pasted or typed text, or null when there is none. The text is the number, or an address that
 * contains it.
 */
export function findNumber(prefix: 'CERT' | 'AGT' | 'PECK' | 'DUCK', text: string): string | null {
  const named = new RegExp(`(?<![0-9A-Z])${prefix}-([0-9A-Z]{16,64})(?![0-9A-Z])`).exec(text.toUpperCase())
  return corrected(prefix, named?.[1])
}

/** Returns the certificate number in a text, also one without its prefix, or null. */
export function findCertificateId(text: string): string | null {
  const bare = /^[0-9A-Z]{26}$/.exec(text.trim().toUpperCase())
  return findNumber('CERT', text) ?? corrected('CERT', bare?.[0])
}
