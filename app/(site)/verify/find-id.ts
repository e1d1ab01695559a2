/**
 * The number of a certificate in whatever somebody pastes: the number itself, typed from paper or not, or the address of its
 * page, badge or check. Null where there is none. Crockford's base32 reads O as 0, and I and L as 1.
 */
export function findCertificateId(text: string): string | null {
  const plain = text.trim().toUpperCase()
  const named = /CERT-([0-9A-Z]{16,64})(?![0-9A-Z])/.exec(plain)?.[1]
  const bare = /^[0-9A-Z]{26}$/.exec(plain)?.[0]
  const characters = (named ?? bare)?.replaceAll('O', '0').replace(/[IL]/g, '1')
  return characters === undefined || characters.includes('U') ? null : `CERT-${characters}`
}
