/** Parses `TLOG_WITNESSES`: the witnesses that the service asks for cosignatures. */
import { areEqual } from '@beak/proofs/bytes'
import { parseVerifierKey, type VerifierKey } from '@beak/proofs/log/verifier-key'

export interface Witness {
  /** The text form of the key. It identifies the witness in the database. */
  vkey: string
  key: VerifierKey
  /** The submission prefix of C2SP tlog-witness, without a slash at its end. */
  url: string
}

/**
 * Parses entries `<vkey>@<url>`, separated by white space or commas. The key ends at the first `@` after its base64, so its name
 * may contain an `@`. Names and URLs cannot contain a comma. Adds faults to `faults`.
 */
export function parseWitnesses(value: string, faults: string[]): Witness[] {
  const witnesses: Witness[] = []
  const entries = value.split(/[\s,]+/).filter((one) => one !== '')
  for (const [place, entry] of entries.entries()) {
    // Names the number and not the text: faults are printed, and a URL may contain a password by mistake.
    const name = `TLOG_WITNESSES: entry ${place + 1}`
    const witness = parseWitness(entry)
    if (typeof witness === 'string') faults.push(`${name} ${witness}`)
    // A cosignature does not cover the name, so one key under two names would count twice (tlog-cosignature).
    else if (witnesses.some(({ key }) => areEqual(key.publicKey, witness.key.publicKey)))
      faults.push(`${name} has the same key as an earlier entry: each witness needs its own key`)
    else witnesses.push(witness)
  }
  return witnesses
}

/** Returns the witness, or the fault of the entry. */
function parseWitness(entry: string): Witness | string {
  const [, vkey = '', address = ''] = /^([^+]+\+[^+]+\+[^@]+)@(.+)$/.exec(entry) ?? []
  const key = parseVerifierKey(vkey)
  if (key === null) return 'must be <vkey>@<url>, with the vkey that the witness prints'
  if (key.type !== 'cosignature')
    return 'has the key of a log: the vkey of a witness has the signature type 0x04'
  if (!URL.canParse(address)) return 'must have a URL after the vkey and the @'
  const url = new URL(address)
  const { protocol, username, password, search, hash } = url
  // Plain http is safe here: a checkpoint is public, and a cosignature is checked with the witness's key.
  if (protocol !== 'https:' && protocol !== 'http:') return 'must have a URL with https: or http:'
  if (username + password + search + hash !== '')
    return 'must have a URL without a user name, query or fragment'
  return { vkey, key, url: url.href.replace(/\/+$/, '') }
}
