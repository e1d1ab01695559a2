/**
 * Passkeys that vouch for each other. An older passkey of a person signs that a newer one is theirs, too. So whoever has kept the older one
 * accepts the newer one without asking the service. See docs/receipts/format.md, "Endorsements".
 */

import * as z from 'zod'
import { canonicalText } from '../canonical'
import { checkAssertion } from './assertion'
import type { DecisionProof3 } from './outcome-schema'
import { jsonOf, Refusal, read } from './refusal'

/** A passkey of a person, as whoever pins it keeps it. All in base64url. */
export interface Pin {
  credential_id: string
  /** COSE key. */
  public_key: string
}

/** What an older passkey signs about a newer one. */
export const EndorsementStatement = z.strictObject({
  type: z.literal('beak.passkey.endorsement'),
  version: z.literal(1),
  issuer: z.string().max(300),
  duckling_id: z.string().max(64),
  /** The newer passkey. */
  credential_id: z.string().max(1400),
  public_key: z.string().max(4096),
  nonce: z.string().max(64),
})
export type EndorsementStatement = z.infer<typeof EndorsementStatement>

/** Returns the signing passkey, and behind it the older ones that vouch for it. Throws `Refusal` unless each link is signed on `site`. */
export async function checkEndorsements(
  passkey: DecisionProof3,
  person: { issuer: string; ducklingId: string },
  site: string,
): Promise<Pin[]> {
  const chain: Pin[] = [pinOf(passkey)]
  for (const endorsement of passkey.endorsements) {
    const text = endorsement.statement_text
    const signed = read(EndorsementStatement, jsonOf(text), 'passkey', 'endorsement of the passkey')
    const newer = chain.at(-1) as Pin
    const isAbout =
      canonicalText(signed) === text &&
      signed.issuer === person.issuer &&
      signed.duckling_id === person.ducklingId &&
      isSamePin(signed, newer)
    if (!isAbout) throw new Refusal('passkey', 'The endorsement is about another passkey.')
    await checkAssertion(endorsement, text, site)
    chain.push(pinOf(endorsement))
  }
  return chain
}

const pinOf = ({ credential_id, public_key }: Pin): Pin => ({ credential_id, public_key })

/** Tells whether two pins are one passkey. */
export const isSamePin = (one: Pin, other: Pin): boolean =>
  one.credential_id === other.credential_id && one.public_key === other.public_key

/** The passkey that signed, and what it signed. */
export interface SigningPasskey {
  credentialId: string
  verifiedUser: true
  /**
   * - 2 and 3: the passkey signed the statement of this receipt.
   * - 1: the passkey signed an earlier form, which names no audience and nothing that the page displayed. It covers the params, but
   *   only the service says that these params are the ones, unless the receipt discloses all of them.
   */
  statementVersion: 1 | 2 | 3
  /** The passkey, and behind it the older passkeys that vouch for it. Each link is checked. Whoever has pinned one of them knows this one. */
  chain: Pin[]
}
