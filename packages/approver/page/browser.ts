/** What this page takes from the browser: its address, its memory and its passkeys. */
import { base64url, sha256 } from '@beak/proofs/bytes'
import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { type Memory, readMemory, type Store, writeMemory } from '../memory'
import { type ApproverAnswer, answerAddress, type DecideMessage, type EnrolMessage } from '../messages'
import { type Opened, openMessage, type Place } from '../open-message'
import { Refused } from '../refused'
import type { Service } from '../service'

/** In a frame without its own origin, even naming `localStorage` throws. So the name stands in functions, whose errors are caught. */
const store: Store = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, value) => localStorage.setItem(key, value),
}

export const place = (): Place => ({
  origin: location.origin,
  isFramed: window.top !== window.self,
  memory: readMemory(store),
  now: new Date(),
})

/** Changes the memory. Throws `Refused` when the browser does not store it. */
export function remember(change: (memory: Memory) => Memory): void {
  if (!writeMemory(store, change(readMemory(store)))) throw new Refused('no_memory')
}

/** Reads the message of this page. Throws `Refused`. */
export function open(): Opened {
  const opened = openMessage(location.hash, place())
  if (!browserSupportsWebAuthn()) throw new Refused('no_passkeys')
  remember((memory) => memory)
  return opened
}

/** Reads the message again, at the moment of an answer. Throws `Refused` when this page may not answer it any more. */
export function openAgain(fragment: string): void {
  if (location.hash !== fragment) throw new Refused('changed')
  openMessage(fragment, place())
}

/** The algorithms that the service accepts: ES256, EdDSA, RS256. */
const algorithms = [-7, -8, -257]
const promptMilliseconds = 5 * 60_000

/** Makes a passkey for the host of this page. */
export function createPasskey({ challenge, duckling_id }: EnrolMessage, { host }: Service) {
  const name = `${duckling_id} at ${host}`
  return startRegistration({
    optionsJSON: {
      rp: { id: location.hostname, name: `Approver at ${location.host}` },
      // Random, so that a new passkey replaces none that a person still needs.
      user: { id: base64url(crypto.getRandomValues(new Uint8Array(32))), name, displayName: name },
      challenge,
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
      timeout: promptMilliseconds,
    },
  })
}

/** Lets a passkey sign the SHA-256 of the statement. */
export async function signWithPasskey({ statement_text, credential_ids }: DecideMessage) {
  return startAuthentication({
    optionsJSON: {
      rpId: location.hostname,
      challenge: base64url(await sha256(statement_text)),
      allowCredentials: credential_ids.map((id) => ({ id, type: 'public-key' })),
      userVerification: 'required',
      timeout: promptMilliseconds,
    },
  })
}

/** Closes an open prompt for a passkey. */
export const closePrompt = () => WebAuthnAbortService.cancelCeremony()

/**
 * Goes back to the service with an answer. Replaces this page in the history, so that Back does not lead to a message that was answered.
 * Returns the address, for browsers that ask before they leave.
 */
export function leave(returnAddress: string, answer: ApproverAnswer): string {
  const address = answerAddress(returnAddress, answer)
  location.replace(address)
  return address
}
