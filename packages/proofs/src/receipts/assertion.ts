/** The check of a passkey's signature on a receipt (WebAuthn Level 3, 7.2). */
import * as z from 'zod'
import { areEqual, base64url, joined, sha256 } from '../bytes'
import { verifyCose } from '../cose'
import { parseJson } from '../jws'
import { bytesOf, Refusal, read } from './refusal'
import type { PasskeyProof } from './schema'

const ClientData = z.looseObject({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
})

/** Verifies an assertion whose challenge must be the digest of `text`. Throws `Refusal`. */
export async function checkAssertion(
  { assertion, public_key }: PasskeyProof,
  text: string,
  issuer: string,
): Promise<void> {
  const clientBytes = bytesOf(assertion.clientDataJSON, 'passkey', 'client data of the passkey')
  const client = read(ClientData, parseJson(clientBytes), 'passkey', 'client data of the passkey')
  if (client.type !== 'webauthn.get') throw new Refusal('passkey', 'The passkey signed something else.')
  if (client.challenge !== base64url(await sha256(text)))
    throw new Refusal('passkey', 'The passkey signed another statement.')
  const { origin, hostname } = addressOf(issuer)
  if (client.origin !== origin || client.crossOrigin === true)
    throw new Refusal('passkey', 'The passkey signed on another site.')
  const authenticatorData = bytesOf(assertion.authenticatorData, 'passkey', 'data of the authenticator')
  const site = await sha256(hostname)
  if (authenticatorData.length < 37 || !areEqual(authenticatorData.subarray(0, 32), site))
    throw new Refusal('passkey', 'The passkey belongs to another site.')
  const flags = authenticatorData[32] ?? 0
  if ((flags & 0x05) !== 0x05) throw new Refusal('passkey', 'The authenticator did not verify the person.')
  const signed = joined(authenticatorData, await sha256(clientBytes))
  const key = bytesOf(public_key, 'passkey', 'public key of the passkey')
  if (!(await verifyCose(key, signed, bytesOf(assertion.signature, 'passkey', 'signature of the passkey'))))
    throw new Refusal('passkey', "The passkey's signature does not match.")
}

/** The issuer may have a path. A passkey knows only the origin and the host. */
function addressOf(issuer: string): URL {
  if (!URL.canParse(issuer)) throw new Refusal('jws', 'The issuer of the receipt is not a URL.')
  return new URL(issuer)
}
