/** The check of the service's signature on a receipt: a JWT (`peck-receipt+jwt`) with a key of the service. */
import { base64url, sha256 } from '../bytes'
import { type JwsFault, openJws } from '../jws'
import { type KeySet, type KeySource, sourceOf } from '../keys'
import { type TestOptions, testCredential, testMessage } from '../test-mark'
import { Refusal } from './refusal'
import type { ReceiptFile } from './schema'

/** Checks that the id of each key is its RFC 7638 thumbprint. Throws `Refusal`. */
export async function checkKeys({ jwks }: Pick<ReceiptFile, 'jwks'>): Promise<void> {
  for (const { kid, x } of jwks.keys) {
    if (base64url(await sha256(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`)) !== kid)
      throw new Refusal('jwks', 'A key of the service in the receipt does not match its id.')
  }
}

/** Returns the signed claims, not checked yet, and the id of the key. Throws `Refusal` unless a trusted key signed them. */
export async function openSignature(
  { jws, jwks }: Pick<ReceiptFile, 'jws' | 'jwks'>,
  trusted: KeySet | KeySource | undefined,
  options: TestOptions,
): Promise<{ claims: unknown; kid: string }> {
  const opened = await openJws(jws, 'peck-receipt+jwt', sourceOf(trusted ?? jwks), options)
  if (!opened.ok) throw refusalOf(opened.fault)
  const { kid, claims } = opened
  if (!jwks.keys.some((key) => key.kid === kid)) throw new Refusal('jws', otherService)
  return { claims, kid }
}

const otherService = 'The receipt was not signed with a key of this service.'

function refusalOf(fault: JwsFault): Refusal {
  switch (fault.kind) {
    case 'test':
      return new Refusal('jws', testMessage, undefined, testCredential)
    case 'malformed':
    case 'type':
      return new Refusal('jws', "The service's signature is not the JWS of a receipt.")
    case 'invalid_key':
      return new Refusal('jwks', 'The key that signed the receipt is not a valid key.')
    case 'signature':
      return new Refusal('jws', "The service's signature does not match: the signed content was changed.")
    case 'key':
      return refusalOfKey(fault)
  }
}

/** Rejects stolen keys for any time of signing, because a thief can write any time into a receipt. */
function refusalOfKey({ found }: Extract<JwsFault, { kind: 'key' }>): Refusal {
  if (found.state === 'unavailable') return new Refusal('jws', `${found.cause}.`)
  if (found.state === 'unknown') return new Refusal('jws', otherService)
  return new Refusal(
    'jws',
    `The key that signed this receipt was stolen. Since ${found.from} somebody else may have signed with it, so the service no longer trusts it. Get the receipt again from the service (GET /beak/peck/receipt), which signs it with a new key.`,
  )
}
