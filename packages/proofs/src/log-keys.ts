import { parseVerifierKey, type VerifierKey } from './log/verifier-key'

/** Parses pinned keys of a log (type `ed25519`) or of witnesses (`cosignature`). Throws `TypeError` when one of them is another text. */
export function pinnedKeys(texts: readonly string[], type: VerifierKey['type']): VerifierKey[] {
  return texts.map((text) => {
    const key = parseVerifierKey(text)
    if (key?.type === type) return key
    throw new TypeError(`"${text}" is not the verifier key of a ${type === 'ed25519' ? 'log' : 'witness'}.`)
  })
}
