import canonicalize from 'canonicalize'

/** Returns the canonical JSON (RFC 8785) of a value. Throws for a value that is not JSON. */
export function canonicalText(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new Error('not JSON')
  return text
}
