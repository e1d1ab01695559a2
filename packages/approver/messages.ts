/**
 * The messages between a service and an approver (docs/approver.md), for both sides. Both directions are navigations of the whole window with
 * the message in the fragment of the address, which no server sees. Needs no DOM.
 */

import { base64url, bytesOfBase64url, bytesOfText } from '@beak/proofs/bytes'
import { ReceiptValues } from '@beak/proofs/receipts/outcome-schema'
import * as z from 'zod'

/** The most characters of a fragment, without its `#`. */
export const fragmentMax = 200_000

/** Bound to the session of the person at the service, which compares it with the `state` that comes back. */
const State = z.string().regex(/^[\w-]{22,64}$/)
const Base64url = z.string().regex(/^[\w-]+$/)

const sent = {
  version: z.literal(1),
  /** Address of the service, as in its statements. */
  issuer: z.string().max(300),
  /** Address to go back to, of the same origin as `issuer` and without a fragment. */
  return: z.string().max(2000),
  state: State,
}

/** Asks the approver for a new passkey of its own host. */
export const EnrolMessage = z.strictObject({
  type: z.literal('enrol'),
  ...sent,
  duckling_id: z.string().min(1).max(64),
  /** At least 16 bytes, so that nobody can guess it. */
  challenge: Base64url.min(22).max(256),
})
export type EnrolMessage = z.infer<typeof EnrolMessage>

/** Asks the approver for the signature of a decision. */
export const DecideMessage = z.strictObject({
  type: z.literal('decide'),
  ...sent,
  /** Canonical JSON of a statement of version 3. The passkey signs its SHA-256. */
  statement_text: z.string(),
  /** As in a receipt, with all params and `display`. */
  values: ReceiptValues.required(),
  /** The passkeys that the person has on this approver. */
  credential_ids: z.array(Base64url.max(1400)).min(1).max(100),
})
export type DecideMessage = z.infer<typeof DecideMessage>

/** What a service sends to an approver. */
export const ApproverMessage = z.discriminatedUnion('type', [EnrolMessage, DecideMessage])
export type ApproverMessage = z.infer<typeof ApproverMessage>

const answered = { version: z.literal(1), state: State }
/** The JSON form of a credential (WebAuthn Level 3). Whoever verifies the credential checks its members. */
const Credential = z.looseObject({ id: Base64url.max(1400) })

/** What an approver sends back. */
export const ApproverAnswer = z.discriminatedUnion('type', [
  /** `credential` is a `RegistrationResponseJSON`. */
  z.strictObject({ type: z.literal('enrolled'), ...answered, credential: Credential }),
  /** `credential` is an `AuthenticationResponseJSON`. */
  z.strictObject({ type: z.literal('decided'), ...answered, credential: Credential }),
  /** The person went back without a signature. */
  z.strictObject({ type: z.literal('cancelled'), ...answered }),
])
export type ApproverAnswer = z.infer<typeof ApproverAnswer>

/** Returns the fragment of a message, without `#`. */
export function fragmentOf(message: ApproverMessage | ApproverAnswer): string {
  return base64url(bytesOfText(JSON.stringify(message)))
}

/** Returns the JSON value in a fragment, with or without `#`. Undefined: the fragment is too long, or it is not a message. */
export function valueOfFragment(fragment: string): unknown {
  const text = fragment.replace(/^#/, '')
  if (text.length > fragmentMax) return undefined
  const bytes = bytesOfBase64url(text)
  if (bytes === null) return undefined
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/** Returns the address on an approver that opens a message. `origin`: of the approver. */
export function messageAddress(origin: string, message: ApproverMessage): string {
  return `${origin}/#${fragmentOf(message)}`
}

/** Returns the address that takes an answer back to the service. */
export function answerAddress(returnAddress: string, answer: ApproverAnswer): string {
  const url = new URL(returnAddress)
  url.hash = fragmentOf(answer)
  return url.href
}

/** Returns the answer in the fragment of the return address, or null. */
export function readAnswer(fragment: string): ApproverAnswer | null {
  return ApproverAnswer.safeParse(valueOfFragment(fragment)).data ?? null
}
