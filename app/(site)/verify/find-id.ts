/**
 * Returns the certificate number in a pasted or typed text, or null when there is none. The text is the number, or the address of
 * the certificate's page, badge or check. Reads O as 0, and I and L as 1, as Crockford's base32 does.
 */
export function findCertificateId(text: string): string | null {
  const plain = text.trim().toUpperCase()
  const named = /CERT-([0-9A-Z]{16,64})(?![0-9A-Z])/.exec(plain)?.[1]
  const bare = /^[0-9A-Z]{26}$/.exec(plain)?.[0]
  const characters = (named ?? bare)?.replaceAll('O', '0').replace(/[IL]/g, '1')
  return characters === undefined || characters.includes('U') ? null : `CERT-${characters}`
}
